"""A folder's files are one package, under a name that nothing else has."""

from __future__ import annotations

import sys

import pytest

from harness.modules import load_module


@pytest.fixture(autouse=True)
def _forget(monkeypatch):
    before = set(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_a_file_is_loaded_once_however_it_is_reached(tmp_path):
    (tmp_path / "backend.py").write_text("class Shop: ...")
    (tmp_path / "agent.py").write_text("from .backend import Shop")
    backend = load_module(tmp_path / "backend.py")
    agent = load_module(tmp_path / "." / "agent.py")
    assert agent.Shop is backend.Shop
    assert load_module(tmp_path / "agent.py") is agent


def test_names_of_standard_modules_and_odd_names_do_not_matter(tmp_path):
    (tmp_path / "json.py").write_text("VALUE = 1")
    (tmp_path / "my-agent.py").write_text("import json\nfrom . import json as own\nBOTH = (json.dumps, own.VALUE)")
    import json

    assert (json.dumps, 1) == load_module(tmp_path / "my-agent.py").BOTH


def test_what_fails_is_not_kept(tmp_path):
    (tmp_path / "agent.py").write_text("import sys; sys.exit(1)")
    with pytest.raises(SystemExit):
        load_module(tmp_path / "agent.py")
    (tmp_path / "agent.py").write_text("OK = True")
    assert load_module(tmp_path / "agent.py").OK
    with pytest.raises(FileNotFoundError, match=r"no such file: .*nothing.py"):
        load_module(tmp_path / "nothing.py")


def test_a_dataclass_and_a_pickle_find_their_module(tmp_path):
    (tmp_path / "agent.py").write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\nclass A:\n    x: int"
    )
    import pickle

    made = load_module(tmp_path / "agent.py").A(3)
    assert pickle.loads(pickle.dumps(made)) == made


def test_a_file_in_a_package_reaches_its_parents(tmp_path):
    bots = tmp_path / "shop" / "bots"
    bots.mkdir(parents=True)
    for folder in (bots, bots.parent):
        (folder / "__init__.py").touch()
    (bots.parent / "words.py").write_text("HI = 'hi'")
    (bots / "agent.py").write_text("from ..words import HI\nfrom shop.words import HI as PLAIN")
    agent = load_module(bots / "agent.py")
    assert (agent.HI, agent.PLAIN) == ("hi", "hi")


def test_a_dot_in_the_name_is_said(tmp_path):
    (tmp_path / "my.agent.py").touch()
    with pytest.raises(ImportError, match=r"my.agent.py can't be imported with a dot in its name; rename it"):
        load_module(tmp_path / "my.agent.py")
