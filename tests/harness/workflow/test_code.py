# ruff: noqa: E501 (a table reads best with a case a line)
from __future__ import annotations

from pathlib import Path

import pytest

from harness.model.source import Scalar, Where
from harness.workflow.code import load_object
from harness.workflow.problems import Problems

HERE = Where("workflow.yaml", 3, 10)


def load(folder: Path, spec: str) -> object:
    return load_object(Scalar(spec, True, HERE), folder, "shop")


def complaint(folder: Path, spec: str) -> str:
    with pytest.raises(Problems) as caught:
        load(folder, spec)
    (problem,) = caught.value.problems
    return str(problem)


def test_siblings_are_imported_relatively(tmp_path) -> None:
    (tmp_path / "models.py").write_text("VALUE = 3\n")
    (tmp_path / "backend.py").write_text("from .models import VALUE\nshop = VALUE + 1\n")
    assert load(tmp_path, "backend.py:shop") == 4


def test_two_bundles_with_the_same_names_do_not_clash(tmp_path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "models.py").write_text(f"NAME = {name!r}\n")
        (tmp_path / name / "backend.py").write_text("from .models import NAME\n")
    assert [load(tmp_path / name, "backend.py:NAME") for name in ("one", "two", "one")] == ["one", "two", "one"]


def test_an_installed_module() -> None:
    assert load(Path(), "json:dumps")({}) == "{}"  # type: ignore[operator]


@pytest.mark.parametrize(
    ("code", "spec", "expected"),
    [
        ("x = 1\n", "backend.py", "workflow.yaml:3:10: `backend.py` names no object (write `file.py:name` or `module:name`)"),
        ("x = 1\n", "back.py:Shop", "workflow.yaml:3:10: there is no file `back.py` (paths are relative to this file)"),
        ("class Shop: ...\n", "backend.py:Shp", "workflow.yaml:3:10: `backend.py` has no `Shp` (did you mean `Shop`?)"),
        ("x = 1\n", "no_such_module_x:y", "workflow.yaml:3:10: there is no module `no_such_module_x` (is it installed?)"),
        ("\n\nclass Shop(:\n", "backend.py:Shop", "shop/backend.py:3:12: Python can't read this: invalid syntax"),
        ("\nimport no_such_module_x\n", "backend.py:Shop", "shop/backend.py:2:1: there is no module `no_such_module_x` (is it installed?)"),
        ("def f():\n    return {}['key']\n\nf()\n", "backend.py:Shop", "shop/backend.py:2:1: the code raises KeyError: 'key'"),
        ("import sys\nsys.exit(3)\n", "backend.py:Shop", "shop/backend.py:2:1: the code ends the process"),
        ("raise ValueError\n", "backend.py:Shop", "shop/backend.py:1:1: the code raises ValueError"),
        ("def f():\n    f()\nf()\n", "backend.py:Shop", "shop/backend.py:2:1: the code raises RecursionError"),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_told_with_its_place(tmp_path, code: str, spec: str, expected: str) -> None:
    (tmp_path / "backend.py").write_text(code)
    assert complaint(tmp_path, spec).startswith(expected)


def test_prints_on_import_do_not_reach_stdout(tmp_path, capsys) -> None:
    (tmp_path / "backend.py").write_text("print('{\"loud\": 1}')\nshop = 1\n")
    load(tmp_path, "backend.py:shop")
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "loud" in printed.err


def test_ctrl_c_is_not_an_error_of_the_code(tmp_path) -> None:
    (tmp_path / "backend.py").write_text("raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        load(tmp_path, "backend.py:shop")
