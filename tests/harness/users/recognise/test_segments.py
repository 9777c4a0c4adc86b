"""Lines, lists and sentences of a reply."""

from __future__ import annotations

from harness.users.recognise.segments import Line, lines


def tree(level: list[Line]) -> list[object]:
    return [[line.text, *tree(line.items)] if line.items else line.text for line in level]


def cut(text: str) -> list[str]:
    return [sentence.text for line in lines(text) for sentence in line.sentences()]


def test_an_end_mark_inside_a_word_or_number_ends_nothing() -> None:
    assert cut("It is 49.90 now. Write to ana@example.com, e.g. today. OK?") == [
        "It is 49.90 now.",
        "Write to ana@example.com, e.g. today.",
        "OK?",
    ]


def test_spanish_and_chinese_marks_end_sentences() -> None:
    assert cut("Gracias. ¿Me da su correo? Bien.") == ["Gracias.", "¿Me da su correo?", "Bien."]
    assert cut("谢谢。您的邮箱是什么？") == ["谢谢。", "您的邮箱是什么？"]


def test_a_list_hangs_on_the_line_before_and_a_sub_list_on_its_item() -> None:
    text = "You can:\n\n1. **Pay** by\n   - card\n   - cash\n2. Wait\nWhich one?"
    assert tree(lines(text)) == [["You can:", ["Pay by", "card", "cash"], "Wait"], "Which one?"]


def test_a_table_is_a_list_of_its_rows_without_the_head() -> None:
    text = "Flights:\n| No | Price |\n|---|---|\n| A1 | $10 |\n| B2 | $20 |"
    assert tree(lines(text)) == [["Flights:", "A1, $10", "B2, $20"]]


def test_a_line_that_is_indented_goes_on_with_its_item() -> None:
    assert tree(lines("Need:\n- Name\n  as in the passport\n- Date")) == [["Need:", "Name as in the passport", "Date"]]


def test_a_very_long_sentence_comes_in_pieces_that_lose_nothing() -> None:
    text = "word " * 1000
    assert "".join(piece.replace(" ", "") for piece in cut(text)) == "word" * 1000
