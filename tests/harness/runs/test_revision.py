"""Which commit a workflow was at."""

import shutil
import subprocess

import pytest

from harness.runs.revision import revision_of

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")


def git(folder, *words):
    settings = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    return subprocess.run(
        ["git", "-C", folder, *settings, *words], check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture
def repository(tmp_path, monkeypatch):
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    git(tmp_path, "init", "-q")
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "workflow.yaml").write_text("workflow: shop\n")
    return tmp_path


def test_the_commit_and_whether_files_were_changed_since(repository):
    assert revision_of(repository / "shop") is None  # no commit yet
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "first")
    head = git(repository, "rev-parse", "HEAD")
    assert revision_of(repository / "shop") == {"commit": head, "dirty": False}
    (repository / "result.json").write_text("{}")  # untracked: what a run leaves behind
    assert revision_of(repository / "shop") == {"commit": head, "dirty": False}
    (repository / "shop" / "workflow.yaml").write_text("workflow: store\n")
    assert revision_of(repository / "shop") == {"commit": head, "dirty": True}


def test_no_repository_has_no_commit(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert revision_of(tmp_path) is None
    assert revision_of(tmp_path / "not there") is None


def test_without_git_there_is_none(repository, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert revision_of(repository) is None
