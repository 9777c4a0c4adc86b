from tools_sandbox.docstring import read_docstring


def test_summary_and_arguments():
    assert read_docstring(
        """Refund money
        to a card.

        Only once.

        Args:
            order_id: The order,
                as printed.
            amount (Decimal): How much.

        Returns:
            refund: not an argument
        """
    ) == ("Refund money to a card.\n\nOnly once.", {"order_id": "The order, as printed.", "amount": "How much."})


def test_no_docstring_and_no_arguments():
    assert read_docstring(None) == ("", {})
    assert read_docstring("One line: with a colon.") == ("One line: with a colon.", {})


def test_text_after_a_colon_in_the_summary_is_no_section():
    assert read_docstring("Look up.\n\nNote the returns: they vary.") == (
        "Look up.\n\nNote the returns: they vary.",
        {},
    )
