from typing import Any, ClassVar

import pytest

from tests.tools_sandbox.shop import Shop
from tools_sandbox import Row, Sandbox, SandboxProblem, StartState, Table, reads, tool, writes


class Thing(Row):
    thing_id: str
    size: int = 1


class Base(Sandbox):
    things: Table[Thing]

    @tool(reads)
    def look(self) -> int:
        """Look."""
        return len(self.things)


class Derived(Base):
    LIMIT: ClassVar[int] = 3

    @tool(writes)
    def look(self) -> int:
        """Look closer."""
        return -1


def test_a_derived_sandbox_has_the_tables_and_tools_of_its_base():
    start = StartState.of(Derived)
    assert list(start.schema.tables) == ["things"]
    assert start.schema.tools["look"].kind == "writes"


def test_tools_come_in_the_order_they_are_written_in():
    assert [spec.name for spec in StartState.of(Shop).tools][:3] == ["verify_identity", "get_order", "issue_refund"]


def test_shared_mutable_attributes_are_refused():
    with pytest.raises(SandboxProblem, match=r"Leaky\.cache: all episodes would share this dict"):

        class Leaky(Sandbox):
            cache: ClassVar[dict[str, str]] = {}


def test_an_init_is_refused():
    with pytest.raises(SandboxProblem, match="give their rows in `start`"):

        class Busy(Sandbox):
            def __init__(self):
                self.n = 0


def test_an_async_tool_is_refused_at_class_definition():
    with pytest.raises(SandboxProblem, match="a sandbox answers at once"):

        class Slow(Sandbox):
            @tool(reads)
            async def wait(self) -> None:
                """Wait."""


def started(rows: Any) -> type[Sandbox]:
    class Started(Base):
        @classmethod
        def start(cls):
            return rows

    return Started


class ListTable(Sandbox):
    things: list[Thing]


class NoRow(Sandbox):
    things: Table[dict]


class Undocumented(Sandbox):
    @tool(reads)
    def look(self) -> int:
        return 1


class Reserved(Sandbox):
    @tool(reads)
    def new_id(self) -> int:
        """Clashes."""
        return 1


class Two(Sandbox):
    first: Table[dict]
    second: list[Thing]

    @tool(reads)
    def look(self, x) -> int:
        """Look."""
        return x


@pytest.mark.parametrize(
    ("sandbox", "problems"),
    [
        (ListTable, ["ListTable.things: is no table; write `things: Table[…]` with a class derived from Row"]),
        (NoRow, ["NoRow.things: a table holds rows of one class derived from Row, not <class 'dict'>"]),
        (Undocumented, ["Undocumented.look: a tool needs a docstring, which tells the agent what it does"]),
        (Reserved, ["Reserved.new_id: this name is taken"]),
        (
            Two,
            [
                "Two.first: a table holds rows of one class derived from Row, not <class 'dict'>",
                "Two.second: is no table; write `second: Table[…]` with a class derived from Row",
                "Two.look: `x` has no type hint",
            ],
        ),
        (started([]), ["Started.start: gives list, not a mapping of tables to their rows"]),
        (started({"thngs": []}), ["Started.start: no table `thngs`; did you mean `things`?"]),
        (
            started({"things": [{"thing_id": "a", "sise": 2}, 5, Thing(thing_id="b"), {"thing_id": "b"}]}),
            [
                "Started.start: things[0].sise: no such field; did you mean `size`?",
                "Started.start: things[1]: a row is a Thing or a mapping of its fields, not 5",
                "Started.start: things[3]: there are two rows b",
            ],
        ),
        (
            started({"things": {"a": Thing(thing_id="b"), "c": {"size": "big"}}}),
            [
                "Started.start: things.a: its `thing_id`, the key, is b",
                "Started.start: things.c.size: input should be a valid integer, unable to parse string as an integer, "
                'got "big"',
            ],
        ),
    ],
)
def test_everything_that_is_wrong_with_a_sandbox_is_said_at_once(sandbox, problems):
    with pytest.raises(SandboxProblem) as caught:
        StartState.of(sandbox)
    assert caught.value.problems == problems


def test_a_sandbox_is_not_made_by_hand():
    with pytest.raises(SandboxProblem, match=r"StartState\.of\(Shop\)\.open"):
        Shop()


def test_what_a_tool_proves_is_in_its_result_or_an_argument():
    class Proving(Base):
        @tool(reads, proves="thing_di")
        def verify(self, size: int) -> Thing | None:
            """Verify."""

    with pytest.raises(SandboxProblem, match=r"verify: proves='thing_di' is no field .* did you mean `thing_id`"):
        StartState.of(Proving)

    class Telling(Base):
        @tool(reads, proves="thing_id")
        def by_result(self) -> Thing | None:
            """Verify."""

        @tool(reads, proves="who")
        def by_argument(self, who: str) -> bool:
            """Verify."""
            return True

        @tool(reads, proves="somebody")
        def by_any_mapping(self) -> dict[str, Any]:
            """Verify."""
            return {}

    assert len(StartState.of(Telling).tools) == 4
