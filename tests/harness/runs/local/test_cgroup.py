from __future__ import annotations

import pytest

from harness.runs.local.cgroup import free_memory

V2 = ("memory.max", "memory.current", "inactive_file")
V1 = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")


def group(folder, names, limit, used, idle=0):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in zip((*names[:2], "memory.stat"), (limit, used, f"anon 5\n{names[2]} {idle}"), strict=True):
        (folder / name).write_text(f"{text}\n")


def processes_group(root, text):
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(text)


def test_the_tightest_of_the_groups_around_a_process_counts(tmp_path):
    processes_group(tmp_path, "0::/user/run\n")
    group(tmp_path / "sys/fs/cgroup/user/run", V2, "max", 300)
    assert free_memory(tmp_path) is None
    group(tmp_path / "sys/fs/cgroup/user", V2, 1000, 400)
    assert free_memory(tmp_path) == 600
    group(tmp_path / "sys/fs/cgroup/user/run", V2, 500, 300)
    assert free_memory(tmp_path) == 200


def test_what_is_cached_of_files_and_not_used_is_free(tmp_path):
    processes_group(tmp_path, "0::/\n")
    group(tmp_path / "sys/fs/cgroup", V2, 1000, 900, idle=500)
    assert free_memory(tmp_path) == 600


@pytest.mark.parametrize("place", ["", "docker/1f"])
def test_a_container_of_the_first_version_may_see_its_group_as_the_root(tmp_path, place):
    processes_group(tmp_path, "9:name=systemd:/docker/1f\n4:cpu,memory:/docker/1f\n0::/\n")
    group(tmp_path / "sys/fs/cgroup/memory" / place, V1, 1000, 800, idle=100)
    assert free_memory(tmp_path) == 300


def test_one_that_is_full_leaves_nothing(tmp_path):
    processes_group(tmp_path, "0::/\n")
    group(tmp_path / "sys/fs/cgroup", V2, 1000, 1001)
    assert free_memory(tmp_path) == 0


def test_a_system_without_groups_has_no_limit(tmp_path):
    assert free_memory(tmp_path) is None
