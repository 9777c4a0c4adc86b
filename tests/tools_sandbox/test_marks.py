import pytest

from tools_sandbox import SandboxProblem, invariant, reads, tool, writes
from tools_sandbox.marks import Marks, is_invariant, marks_of


def test_marks_stay_with_a_plain_method():
    @tool(writes, proves="customer_id", needs=("identity",), ends="escalated", retrieves=True)
    def act(self):
        return 1

    assert marks_of(act) == Marks("writes", "customer_id", ("identity",), "escalated", True)
    assert act(None) == 1
    assert marks_of(len) is None


def test_an_invariant_is_marked():
    @invariant
    def holds(self):
        return True

    assert is_invariant(holds)
    assert not is_invariant(len)


async def coroutine(self):
    """Async."""


async def async_generator(self):
    """Async."""
    yield


def generator(self):
    """Yields."""
    yield


@pytest.mark.parametrize(
    ("mark", "problem"),
    [
        (lambda: tool(reads)(coroutine), "coroutine: a sandbox answers at once.*write `def`"),
        (lambda: tool(reads)(async_generator), "write `def`"),
        (lambda: tool(reads)(generator), "it yields; return a list"),
        (lambda: tool(reads)(staticmethod(generator)), "goes on a plain method"),
        (lambda: invariant(coroutine), "write `def`"),
        (lambda: tool(coroutine), r"write @tool\(reads\) or @tool\(writes\)"),
        (lambda: tool(reads, needs="identity"), 'needs is a tuple of "identity" and "consent"'),
        (lambda: tool(reads, needs=("identty",)), "needs is a tuple"),
        (lambda: tool(writes, ends="escalate"), "ends='escalate' is no outcome; did you mean `escalated`?"),
        (lambda: tool(writes, ends="handed_over"), "no outcome; there is escalated, open, refused, resolved"),
        (lambda: tool(writes, ends=["resolved"]), "is no outcome"),
    ],
)
def test_what_cannot_be_meant_is_refused_where_it_is_written(mark, problem):
    with pytest.raises(SandboxProblem, match=problem):
        mark()
