"""Whose data is private: a name under `private` that no row has would silently protect nothing."""

from __future__ import annotations

from harness.workflow.lint.reach import Reach
from harness.workflow.lint.subject import Report, Subject
from tools_sandbox.shared import value_of


def check_private(subject: Subject, reach: Reach, report: Report) -> None:
    """Private fields and their owners' fields that no row has; rows whose private field has no owner."""
    for table, fields in subject.workflow.private.items():
        known = reach.fields(table)
        named = not known and any(reach.rows[table].values())  # a tool makes up a field's name: nothing can be told
        for field, owner in fields.items():
            path = ("private", table, field)
            if field not in known and not named:
                report.unknown(subject.key_at(*path), f"field of `{table}`", field, known, "no row of it has any")
            elif owner not in known and not named:
                report.unknown(subject.at(*path), f"field of `{table}`", owner, known, "no row of it has any")
            elif bare := [key for key, row in reach.rows[table].items() if row.get(field) and owner not in row]:
                rows = f"`{bare[0]}`" + (f" and {len(bare) - 1} more" if len(bare) > 1 else "")
                have = "have values" if len(bare) > 1 else "has a value"
                what = f"{rows} of `{table}` {have} of `{field}` and no `{owner}`, so it is nobody's and not protected"
                report.warn(subject.at(*path), what, f"give such rows a `{owner}`")


def accounts(subject: Subject) -> frozenset[str]:
    """What a speaker may be called: the accounts that something private of the start state belongs to, and all keys of
    the tables that have some of those as keys.
    """
    tables = subject.start.rows
    owners = {
        (name, field.owner)
        for name, table in subject.schema.tables.items()
        for field in table.fields.values()
        if field.owner is not None
    }
    owning = (value_of(row, owner) for name, owner in owners for row in tables[name].values())
    known = {str(account) for account in owning if account is not None}
    return frozenset(known).union(*(rows for rows in tables.values() if not known.isdisjoint(rows)))
