"""`turngate import tau2`: a workflow drafted from the task files of a τ²-bench domain."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from harness.cli.exits import Exit, UserError
from harness.cli.out import console
from harness.reports.printable import printable
from harness.reports.traces.words import many

Read = TypeVar("Read")
_DATABASES = ("db.json", "db.json.gz")


def import_tau2(named: Sequence[Path]) -> int:
    """Write workflow.yaml, backend.py, scenarios/tasks.yaml and what they need into a folder that is not there yet.

    `named`: the folder of the domain's files, and perhaps the one to write, by default one of the domain's name here.
    """
    from harness.drafts.tau2 import backend_text, domain_of, tables, workflow_text
    from harness.drafts.tau2_tasks import Task, Tool, family, scenarios_text

    if len(named) not in (1, 2):
        raise UserError("write `turngate import tau2 DIR`, or `turngate import tau2 DIR FOLDER`")
    source = named[0]
    domain = source.resolve().name.removeprefix("tau2_")
    if not domain.isidentifier():
        raise UserError(f"{source}: the folder has to be named after its domain, such as `airline` or `tau2_airline`")
    to = named[1] if len(named) == 2 else Path(domain)
    if to.exists():
        raise UserError(f"{to} is there already: `turngate import tau2 {source} FOLDER` names another")
    database = next((source / name for name in _DATABASES if (source / name).is_file()), source / _DATABASES[0])
    tasks = _read(source / "tasks.json", list[Task])
    keys = tables(_read(database, dict[str, Any]))
    policy = _bytes(source / "policy.md").decode("utf-8", "replace")
    tools = _read(source / "tools.json", list[Tool]) if (source / "tools.json").is_file() else None
    known = domain_of(tools, tasks, keys)
    texts = {
        "workflow.yaml": workflow_text(domain, policy, keys, {family(task, known) for task in tasks}),
        "backend.py": backend_text(domain, database.name),
        "policy.md": policy,
        "scenarios/tasks.yaml": scenarios_text(tasks, known),
    }
    (to / "scenarios").mkdir(parents=True)
    for name, text in texts.items():
        (to / name).write_text(text, encoding="utf-8")
    shutil.copyfile(database, to / database.name)
    out = console()
    for name in (*texts, database.name):
        out.print(f"wrote {printable(str(to / name))}", soft_wrap=True)
    out.print(f"{many(len(tasks), 'task')}, each a scenario; {many(len(known.writing), 'tool')} that change something")
    if tools is None:
        out.print("      there is no tools.json: which tools change something is guessed from their names")
    out.print(
        "      the tools themselves are not in these files and can't be had offline: pip install 'turngate[tau2]'"
    )
    out.print(f"next: turngate run {printable(str(to))} --agent openai:MODEL", soft_wrap=True)
    return Exit.PASSED


def _read(file: Path, form: type[Read]) -> Read:
    """What is in a JSON file, in this form. Raises UserError with the place of what is wrong."""
    from pydantic import TypeAdapter, ValidationError

    raw = _bytes(file)
    try:
        return TypeAdapter(form).validate_python(json.loads(gzip.decompress(raw) if file.suffix == ".gz" else raw))
    except json.JSONDecodeError as error:
        raise UserError(f"{file}:{error.lineno}:{error.colno}: no JSON: {error.msg}") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise UserError(f"{file}: {f'{place}: ' if place else ''}{first['msg']}") from None
    except (ValueError, EOFError, OSError, RecursionError) as error:
        raise UserError(f"{file}: it can't be read: {error}") from None


def _bytes(file: Path) -> bytes:
    if not file.is_file():
        what = "tasks.json, policy.md, and db.json or db.json.gz"
        raise UserError(f"{file}: there is no such file: the folder of a τ²-bench domain has {what}")
    return file.read_bytes()
