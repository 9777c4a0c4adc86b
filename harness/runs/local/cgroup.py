"""The memory that a container, or any other control group of Linux, leaves its processes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath


@dataclass(frozen=True, slots=True)
class _Files:
    """Where a version of control groups keeps what. `idle`: in memory.stat, bytes of files cached that nobody uses."""

    limit: str
    used: str
    idle: str


_V1 = _Files("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
_V2 = _Files("memory.max", "memory.current", "inactive_file")


def free_memory(root: Path = Path("/")) -> int | None:
    """Bytes that this process's control group and those around it leave free; None where none has a limit."""
    return min((room for folder, files in _groups(root) if (room := _room(folder, files)) is not None), default=None)


def _groups(root: Path) -> Iterator[tuple[Path, _Files]]:
    """The folders of the group and all around it. A container may see its own as the root and none so named."""
    try:
        lines = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:  # not Linux
        return
    for line in lines:
        _, controllers, name = line.split(":", 2)
        if not controllers:
            base, files = root / "sys/fs/cgroup", _V2
        elif "memory" in controllers.split(","):
            base, files = root / "sys/fs/cgroup/memory", _V1
        else:
            continue
        group = PurePosixPath(name.lstrip("/"))
        yield from ((base / each, files) for each in (group, *group.parents))


def _room(folder: Path, files: _Files) -> int | None:
    try:
        limit = (folder / files.limit).read_text().strip()
        used = int((folder / files.used).read_text())
        stat = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
    except OSError:  # no such group, or one without a limit of its own, as the root of the host is
        return None
    return None if limit == "max" else max(0, int(limit) - used + int(stat.get(files.idle, 0)))
