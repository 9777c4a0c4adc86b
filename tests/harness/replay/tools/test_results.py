"""Which recorded result answers which call."""

from harness.replay.canonical import typed
from harness.replay.tools.results import Miss, RecordedResults
from tools_sandbox.call import Call, CallError
from tools_sandbox.schema import FieldType, SandboxSchema, ToolSpec

SCHEMA = SandboxSchema(
    {},
    {
        "look": ToolSpec("look", "", "reads", {}, {"id": FieldType("text")}),
        "write": ToolSpec("write", "", "writes", {}, {"id": FieldType("text"), "n": FieldType("number")}),
    },
)


def call(tool, result=None, error=None, **arguments):
    kind = SCHEMA.tools[tool].kind if tool in SCHEMA.tools else None
    return Call("c", 1, tool, None, arguments, kind, "passthrough", result=result, error=error)


def served(recorded, *made, before=0):
    """What each of these calls gets, one after the other: a result, or None for a miss."""
    results = RecordedResults(recorded, SCHEMA, typed(SCHEMA), before)
    given = []
    for each in made:
        found = results.answer(each.tool, each.arguments, None)
        given.append(None if isinstance(found, Miss) else found.result)
        results.made(each)
    return given


def why(recorded, *made):
    results = RecordedResults(recorded, SCHEMA, typed(SCHEMA))
    for each in made[:-1]:
        results.answer(each.tool, each.arguments, None)
        results.made(each)
    return results.answer(made[-1].tool, made[-1].arguments, None).why


def test_equal_calls_get_the_results_in_their_order_and_each_once():
    recorded = [call("look", "paid", id="1"), call("look", "shipped", id="1")]
    assert served(recorded, *[call("look", id="1")] * 3) == ["paid", "shipped", None]
    assert (
        why(recorded, *[call("look", id="1")] * 3) == "it was called 2 times with these arguments, and this is one more"
    )


def test_numbers_are_equal_by_value_and_text_is_no_number():
    recorded = [call("write", "ok", id="1", n=25)]
    assert served(recorded, call("write", id="1", n=25.0)) == ["ok"]
    assert served([call("look", "x", id="1")], call("look", id=1)) == ["x"]  # its type is text
    assert served([call("other", "x", n="1")], call("other", n=1)) == [None]


def test_the_nearest_is_no_match():
    recorded = [call("look", "paid", id="1")]
    assert served(recorded, call("look", id="2"), call("look", id="1", more=True), call("look")) == [None] * 3
    assert why(recorded, call("look", id="2")) == "it was never called with these arguments"
    assert why(recorded, call("write", id="2")) == "the tool was never called"


def test_a_differing_write_before_it_makes_it_another_call():
    recorded = [call("write", "ok", id="1"), call("look", "written", id="1")]
    assert served(recorded, call("look", id="1")) == [None]
    assert served(recorded, call("write", id="2"), call("look", id="1")) == [None, None]
    assert served(recorded, call("write", id="1"), call("look", id="1")) == ["ok", "written"]
    assert why(recorded, call("look", id="1")) == "other things had been written before it"


def test_two_writes_in_the_other_order_are_other_writes():
    recorded = [call("write", 1, id="1"), call("write", 2, id="2"), call("look", 3, id="1")]
    assert served(recorded, call("write", id="2"), call("write", id="1"), call("look", id="1")) == [None] * 3


def test_a_write_that_failed_has_written_nothing():
    failed = call("write", error=CallError("refused", "no"), id="1")
    assert served([failed, call("look", "x", id="1")], call("look", id="1")) == ["x"]


def test_reads_in_between_matter_not():
    recorded = [call("look", 1, id="1"), call("look", 2, id="2")]
    assert served(recorded, call("look", id="2"), call("look", id="3"), call("look", id="1")) == [2, None, 1]


def test_a_tool_that_nobody_knows_counts_as_one_that_writes():
    recorded = [call("mystery", 1), call("look", 2, id="1")]
    assert served(recorded, call("look", id="1")) == [None]


def test_a_recorded_error_answers_too():
    failed = call("look", error=CallError("refused", "no such order"), id="9")
    results = RecordedResults([failed], SCHEMA, typed(SCHEMA))
    assert results.answer("look", {"id": "9"}, None).error.text == "no such order"


def test_what_was_made_before_is_used_and_counted():
    recorded = [call("look", 1, id="1"), call("write", "ok", id="1"), call("look", 2, id="1")]
    assert served(recorded, call("look", id="1"), before=2) == [2]


def test_a_call_without_a_result_answers_nothing():
    open_ = call("look", error=CallError("outside", "its result is not on record"), id="1")
    assert served([open_], call("look", id="1")) == [None]


def test_what_answered_nothing_is_told():
    recorded = [call("look", 1, id="1"), call("look", 2, id="2")]
    results = RecordedResults(recorded, SCHEMA, typed(SCHEMA))
    results.answer("look", {"id": "2"}, None)
    assert [each.result for each in results.unused({1})] == [1]
    assert list(results.unused({2})) == []
