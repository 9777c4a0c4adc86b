"""Words of a status that a reply is to say: whoever denies the status says them too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from harness.model.expect import Words
from harness.model.source import Where
from harness.workflow.lint.reach import Reach, answers
from harness.workflow.lint.subject import Report, Subject

_STATUS = re.compile(r"(?:.*_)?(?:status|state|stage|phase)")
"""What a field that holds a status is called."""


def check_bare_words(subject: Subject, reach: Reach, report: Report) -> None:
    """`says` of a single word that is a status in the state, where faithfulness does not judge what is claimed."""
    if not (bare := list(_bare(subject))):
        return
    statuses = {value.casefold() for value in _statuses(subject, reach) if isinstance(value, str)}
    for word, where in bare:
        if word.casefold() in statuses:
            what = f'`{word}` is said by "is not {word}" too'
            do = f"expect `state`, `outcome` or `{{like: is {word}}}`, or measure faithfulness, which judges the claim"
            report.warn(where, what, do)


def _bare(subject: Subject) -> Iterator[tuple[str, Where]]:
    """Single words that replies are to say, where neither the end is expected beside them nor faithfulness measured."""
    for written in subject.scenarios:
        family = subject.workflow.scenario_map.get(written.scenario.family)
        if family is None or "faithfulness" in family.measures:
            continue
        for expect, path in written.expectations():
            if not expect.state and expect.outcome is None:
                for number, words in enumerate(expect.says):
                    if (word := _word(words)) is not None:
                        yield word, written.at(*path, "says", number)


def _word(words: Words) -> str | None:
    text = words.match.tests.get("mentions")
    return text if isinstance(text, str) and len(words.match.tests) == len(text.split()) == 1 else None


def _statuses(subject: Subject, reach: Reach) -> Iterable[object]:
    """What fields with choices may hold, and what those that are called a status hold or are set to."""
    for table, spec in subject.schema.tables.items():
        for field in spec.fields.values():
            yield from field.type.choices
        for row in reach.rows[table].values():
            yield from (value for name, value in row.items() if _STATUS.fullmatch(name))
    for answer, _ in answers(subject.workflow.tools):
        yield from (value for path, value in answer.set.items() if _STATUS.fullmatch(path.rpartition(".")[2]))
