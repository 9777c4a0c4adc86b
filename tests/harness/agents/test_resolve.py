"""Naming an agent: what works is found, what doesn't says where and why, without a traceback."""

from __future__ import annotations

import sys
from textwrap import dedent

import pytest

from harness.agents.problem import AgentProblem
from harness.agents.resolve import resolve
from tests.harness.agents.desk import talk


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder to write files into; what they import is forgotten afterwards."""
    before = set(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def write(folder, **files):
    for name, text in files.items():
        path = folder / (name if "/" in name else name.replace("__", "/"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".py").write_text(dedent(text), encoding="utf-8")


def problem(spec, base):
    with pytest.raises(AgentProblem) as caught:
        resolve(spec, base)
    return str(caught.value)


def test_a_file_relative_to_the_base_with_siblings_both_ways(folder):
    write(
        folder,
        bundle__agent="""
            from .words import GREETING
            import helpers

            def build():
                return lambda message: helpers.shout(GREETING)
            """,
        bundle__words="GREETING = 'hello'",
        bundle__helpers="def shout(text): return text.upper()",
    )
    source = resolve("bundle/agent.py:build", folder)
    assert talk(source)[0].messages == ("HELLO",)
    assert source.version.name == "agent:build"
    assert source.notes == []


def test_a_module(folder):
    write(folder, **{"shop/bot": "def agent(message): return 'module'", "shop/__init__": ""})
    source = resolve("shop.bot:agent", folder)
    assert talk(source)[0].messages == ("module",)
    assert source.version.name == "shop.bot:agent"


def test_bundles_with_files_of_the_same_name_do_not_clash(folder):
    for name in ("one", "two"):
        write(
            folder / name,
            agent="from .words import WORD\ndef agent(message): return WORD",
            words=f"WORD = {name!r}",
        )
    assert [talk(resolve(f"{name}/agent.py:agent", folder))[0].messages for name in ("one", "two")] == [
        ("one",),
        ("two",),
    ]


def test_what_is_printed_on_import_is_kept(folder, capsys):
    write(
        folder,
        agent="print('{\"json\": 1}')\nimport sys; print('old', file=sys.stderr)\ndef agent(message): return 'ok'",
    )
    source = resolve("agent.py:agent", folder)
    assert source.printed == '{"json": 1}\nold'
    assert source.notes[0].startswith("printed on import: ")
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("http://", "`http://` is no address such as https://host/path"),
        ("agent.py", "agent `agent.py`: write file.py:name, module:name,"),
        ("agent.py:", "write file.py:name, module:name,"),
        ("", "write file.py:name, module:name,"),
        ("no_such_module_here:agent", "no module `no_such_module_here` in "),
        ("json.no_such_part:agent", "no module `json.no_such_part` in "),
    ],
)
def test_specs_that_name_nothing(folder, spec, text):
    assert text in problem(spec, folder)


def test_a_file_that_is_not_there(folder):
    assert problem("agnet.py:agent", folder) == f"agent `agnet.py:agent`: no such file: {folder}/agnet.py"


def test_a_name_that_is_not_there_lists_the_nearest(folder):
    write(
        folder,
        agent="""
            from json import dumps
            def build(): ...
            def earlier(): ...
            def _private(): ...
            """,
    )
    assert problem("agent.py:biuld", folder) == (
        "agent `agent.py:biuld`: agent.py has no `biuld`; did you mean `build`? it has: build, earlier"
    )


def test_agents_are_listed_first_a_compiled_graph_among_them(folder):
    write(
        folder,
        agent="""
            from langgraph.graph import MessagesState, StateGraph
            MODEL = "m-1"
            def helper(a, b): ...
            builder = StateGraph(MessagesState).add_node("n", lambda state: {}).set_entry_point("n")
            desk = builder.compile()
            """,
    )
    assert problem("agent.py:nothing_like_it", folder).endswith("it has: desk, MODEL, helper")


def test_an_import_that_raises_says_where_and_what(folder):
    write(
        folder,
        agent="""
            from .config import KEY
            def agent(message): ...
            """,
        config="""
            import os
            KEY = os.environ["NO_SUCH_VARIABLE_HERE"]
            """,
    )
    text = problem("agent.py:agent", folder)
    assert text == (
        f"agent `agent.py:agent` can't be imported: {folder}/config.py:3: KeyError: 'NO_SUCH_VARIABLE_HERE'"
    )


def test_the_blame_is_on_the_users_line_not_in_a_library(folder):
    write(folder, agent="\nimport json\njson.loads('{')\n")
    assert f"{folder}/agent.py:3: JSONDecodeError: " in problem("agent.py:agent", folder)


def test_a_syntax_error_and_a_missing_package(folder):
    write(folder, broken="def agent(:\n", missing="import no_such_package_here\n")
    assert f"{folder}/broken.py:1: SyntaxError: " in problem("broken.py:agent", folder)
    text = problem("missing.py:agent", folder)
    assert f"{folder}/missing.py:1: ModuleNotFoundError: No module named 'no_such_package_here'" in text
    assert sys.executable in text


def test_a_module_that_exits_on_import_is_a_mistake_like_any_other(folder):
    write(folder, agent="import sys; sys.exit('set a key first')")
    assert "SystemExit: set a key first" in problem("agent.py:agent", folder)


def test_a_module_is_imported_once_and_again_after_a_failure(folder):
    write(folder, agent="raise ValueError('not yet')")
    problem("agent.py:agent", folder)
    write(folder, agent="def agent(message): return 'ok now'")
    assert talk(resolve("agent.py:agent", folder))[0].messages == ("ok now",)
    assert resolve("agent.py:agent", folder).version == resolve("agent.py:agent", folder).version


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("def agent(text): ...", "agent `agent.py:agent` has the signature (text); accepted are"),
        ("def agent(message, history): ...", "has the signature (message, history)"),
        ("def agent(*args): ...", "has the signature (*args)"),
        ("def agent(model='x'): ...", "has the signature (model='x')"),
        ("agent = 3", "agent `agent.py:agent` is of type int; accepted are"),
        ("agent = None", "agent `agent.py:agent` is None; accepted are"),
        ("class A:\n    def reply(self, text): ...\nagent = A()", "has reply(text), not reply(message[, session])"),
        ("class agent:\n    def __init__(self, model): ...", "has the signature (model)"),
    ],
)
def test_anything_else_lists_what_is_accepted(folder, code, text):
    write(folder, agent=code)
    message = problem("agent.py:agent", folder)
    assert text in message
    assert "def build() or build(session)" in message


def test_the_fingerprint_follows_the_source_and_the_prompts(folder):
    files = {
        "agent": """
            from .tools import look
            def agent(message):
                import lazily
                return SYSTEM_PROMPT
            SYSTEM_PROMPT = 'Be kind.'
            MODEL = 'gpt-5-mini'
            """,
        "tools": "from . import deep\ndef look(): ...",
        "deep": "X = 1",
        "lazily": "Y = 1",
        "unrelated": "Z = 1",
    }
    versions = {}
    changes = {
        "same": {},
        "agent": {"agent": files["agent"].replace("kind", "curt")},
        "deep": {"deep": "X = 2"},
        "lazy": {"lazily": "Y = 2"},
        "unrelated": {"unrelated": "Z = 2"},
    }
    for name in ("first", *changes):
        write(folder / name, **(files | changes.get(name, {})))
        versions[name] = resolve(f"{name}/agent.py:agent", folder).version
    first = versions["first"]
    assert (first.name, first.version, first.model) == ("agent:agent", first.source_digest[:8], "gpt-5-mini")
    assert len(first.source_digest) == 64
    assert versions["same"] == versions["unrelated"] == first
    assert len({versions[name].source_digest for name in ("first", "agent", "deep", "lazy")}) == 4
    assert versions["agent"].prompt_digest != first.prompt_digest == versions["deep"].prompt_digest


def test_what_is_to_be_said_is_known_at_once(folder):
    write(
        folder,
        agent="""
            class Agent:
                def reply(self, message, session): return 'ok'
            one = Agent()
            def deaf(message): return 'ok'
            def hears(message, session): return 'ok'
            def build(session): return lambda message: 'ok'
            """,
    )
    notes = {name: resolve(f"agent.py:{name}", folder).notes for name in ("one", "Agent", "deaf", "hears", "build")}
    assert notes["hears"] == notes["build"] == notes["Agent"] == []
    assert notes["one"] == [
        "the agent is one object for all episodes: what it keeps, it keeps between them (a factory avoids that)"
    ]
    assert notes["deaf"] == [
        "the agent takes no `session`: only LangChain tools lead it to the sandbox, and what else it calls is real"
    ]
    source = resolve("agent.py:build", folder)
    talk(source)
    assert source.notes == []


def test_a_stated_version_is_taken(folder):
    write(folder, agent="__version__ = '2.1'\ndef agent(message): ...")
    assert resolve("agent.py:agent", folder).version.label == "agent:agent@2.1"


def test_an_object_is_fingerprinted_by_its_own_file(tmp_path):
    def agent(message):
        return "ok"

    version = resolve(agent, tmp_path).version
    assert version.name.endswith("<locals>.agent")
    assert len(version.source_digest) == 64
    assert version.prompt_digest is None
