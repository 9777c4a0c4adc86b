"""Where runs are stored unless told otherwise."""

from __future__ import annotations

import os
from pathlib import Path

from harness.store.problem import StoreProblem
from harness.store.store import Store

DEFAULT_STORE = Path(".turngate") / "turngate.db"


def open_store(place: str | None, *, must_exist: bool = False) -> Store:
    """The store of that name, a file or a database URL, or the one of this folder. `must_exist`: who only reads makes
    no new one. Raises StoreProblem.
    """
    if place is not None and "://" in place:
        return Store.open(place)
    file = Path(place if place is not None else DEFAULT_STORE).absolute()
    if must_exist and not file.exists():
        raise StoreProblem(
            f"{file}: nothing is stored there yet: `turngate run` plays a workflow, `turngate traces import FILE`"
            " stores conversations"
        )
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreProblem(
            f"{file.parent}: {os.strerror(error.errno or 0)}; choose another place with --store"
        ) from None
    return Store.open(file)
