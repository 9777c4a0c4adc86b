"""`turngate init`: a first workflow for the reader's own agent."""

from __future__ import annotations

import os
import re
from pathlib import Path

from harness.cli.exits import Exit, UserError
from harness.cli.out import console
from harness.drafts.workflow import reads, scenarios_text, workflow_text


def init(agent: str, folder: Path) -> int:
    """Write workflow.yaml and scenarios/first.yaml into the folder; what stands there already is never touched."""
    from harness.agents.declared import declared_tools

    tools = declared_tools(agent, Path.cwd())
    files = {
        folder / "workflow.yaml": workflow_text(_name(folder), _from(agent, folder), tools),
        folder / "scenarios" / "first.yaml": scenarios_text(tools),
    }
    for file in files:
        if file.exists():
            raise UserError(f"{file} is there already: turngate init only writes a first one")
    try:
        (folder / "scenarios").mkdir(parents=True, exist_ok=True)
        for file, text in files.items():
            file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{error.filename}: can't be written: {error.strerror}") from None
    out = console()
    for file in files:
        out.print(f"wrote {file}")
    if tools:
        kinds = ", ".join(f"{tool.name} ({'reads' if reads(tool.name) else 'writes'})" for tool in tools)
        out.print(f"{len(tools)} tool(s) of the agent, as stubs: {kinds}")
        out.print("      kinds are guessed from names: look each over in workflow.yaml, `reads` if it changes nothing")
    else:
        out.print("no tools of the agent can be told from outside: write those it has under `tools:`")
    where = "" if folder == Path() else f" {folder}"
    out.print(
        f"next: say in {folder / 'workflow.yaml'} what each tool gives back, put your customers' words into the drafts,"
    )
    out.print(f"      and: turngate run{where}", soft_wrap=True)
    return Exit.PASSED


def _name(folder: Path) -> str:
    return re.sub(r"\W+", "_", folder.resolve().name.lower()).strip("_") or "workflow"


def _from(agent: str, folder: Path) -> str:
    """The agent as the workflow file names it: a path relative to that file."""
    file, colon, name = agent.rpartition(":")
    if not file.endswith(".py"):
        return agent
    return f"{Path(os.path.relpath(Path(file).resolve(), folder.resolve())).as_posix()}{colon}{name}"
