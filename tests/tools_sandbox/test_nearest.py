from tools_sandbox.nearest import hint, nearest


def test_the_nearest_name():
    names = ["get_order", "get_customer", "issue_refund"]
    assert nearest("get_ordr", names) == "get_order"
    assert nearest('get_order" />', names) == "get_order"
    assert nearest("Issue-Refund", names) == "issue_refund"
    assert nearest("xyz", names) is None


def test_a_hint_says_what_there_is_where_nothing_is_near():
    assert hint("get_ordr", ["get_order"]) == "did you mean `get_order`?"
    assert hint("xyz", ["b", "a"]) == "there is a, b"
    assert hint("xyz", []) == "there is none"
    assert hint("q", [f"name_{number}" for number in range(20)], limit=2) == "there is name_0, name_1 and 18 more"
