"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

StorePath = Annotated[
    str | None,
    typer.Option(
        "--store", envvar="TURNGATE_STORE", help="SQLite file or database URL [default: .turngate/turngate.db]."
    ),
]
OutputPaths = Annotated[
    list[Path] | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Also write the result to this file: .json, .jsonl, .junit.xml or .md. Repeatable.",
    ),
]
Annotations = Annotated[
    str | None,
    typer.Option(
        "--annotations",
        metavar="github|none",
        envvar="TURNGATE_ANNOTATIONS",
        help="Also print what went wrong for GitHub to show beside the scenarios [default: where GitHub runs this].",
    ),
]
ExitZero = Annotated[bool, typer.Option("--exit-zero", help="End with 0 whatever the gate says; mistakes keep theirs.")]
ExitCodes = Annotated[
    list[str] | None,
    typer.Option(
        "--exit",
        metavar="STATE=CODE",
        help="End with that code instead where the gate is failed, undecided or missing: undecided=0. Repeatable.",
    ),
]
