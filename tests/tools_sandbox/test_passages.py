import pytest

from tools_sandbox.call import Passage
from tools_sandbox.passages import passages


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (None, []),
        ([], []),
        ("Refunds take 5 days.", [Passage("search", "Refunds take 5 days.")]),
        ({"text": "a", "source": "p.md", "clause": "R1"}, [Passage("p.md", "a", "R1")]),
        ([{"text": "a"}, "b"], [Passage("search", "a"), Passage("search", "b")]),
        ({"hits": [{"text": "a", "source": "p.md"}], "total": 1}, [Passage("p.md", "a")]),
        ({"answer": "é"}, [Passage("search", '{"answer": "é"}')]),
        (5, [Passage("search", "5")]),
    ],
)
def test_what_was_retrieved(result, expected):
    assert passages(result, "search") == expected
