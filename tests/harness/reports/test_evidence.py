"""Evidence that is not as it was written is told by its first part that is not."""

from __future__ import annotations

import json
import shutil
import subprocess
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.reports.evidence.chain import MANIFEST, PARTS, BrokenEvidence, canonical, head, manifest, verify
from harness.reports.evidence.files import read_bundle, write_bundle

CONTENT = {name: canonical({"part": name, "é": [1, None, True, "\ud800"]}) for name in PARTS}
BUNDLE = {MANIFEST: manifest(CONTENT), **CONTENT}


def test_canonical_json():
    assert canonical({"b": 1.5, "a": "é\n"}) == b'{"a":"\\u00e9\\n","b":1.5}\n'


def test_the_chain_can_be_followed_with_sha256sum_alone(tmp_path):
    """The recipe of the docs, in another program than ours."""
    write_bundle(tmp_path / "bundle", BUNDLE)
    script = """
link=$(printf turngate.evidence/1 | sha256sum | cut -c1-64)
for part in verdict.json rules.json exemptions.json labels.json versions.json digests.json episodes.jsonl; do
  link=$(printf '%s\\n%s\\n%s\\n' "$link" "$part" "$(sha256sum < "$part" | cut -c1-64)" | sha256sum | cut -c1-64)
done
echo "$link"
"""
    told = subprocess.run(["bash", "-c", script], cwd=tmp_path / "bundle", capture_output=True, text=True, check=True)
    assert told.stdout.strip() == head(CONTENT) == verify(BUNDLE)


@pytest.mark.parametrize("name", ["bundle", "bundle.zip"])
def test_written_and_read_it_is_the_same(tmp_path, name):
    write_bundle(tmp_path / name, BUNDLE)
    assert read_bundle(tmp_path / name) == BUNDLE
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_the_same_evidence_is_the_same_archive(tmp_path):
    for name in ("a.zip", "b.zip"):
        write_bundle(tmp_path / name, BUNDLE)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def links(change):
    told = json.loads(BUNDLE[MANIFEST])
    change(told["parts"])
    return canonical(told)


def swapped(parts):
    parts[1], parts[2] = parts[2], parts[1]


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"labels.json": b"[]\n"}, r"^labels\.json was altered"),
        ({"labels.json": b"[]\n", "rules.json": b"{}\n"}, r"^rules\.json was altered"),
        ({"rules.json": None}, r"^rules\.json is missing$"),
        ({"digests.json": None, "verdict.json": b"{}\n"}, r"^verdict\.json was altered"),
        ({"more.json": b"{}\n"}, r"^more\.json was added$"),
        ({MANIFEST: None}, r"^manifest\.json is missing$"),
        ({MANIFEST: b"[]"}, r"^manifest\.json was altered: it is no manifest$"),
        ({MANIFEST: BUNDLE[MANIFEST] + b"\n"}, r"^manifest\.json was altered: there is more"),
        ({MANIFEST: links(swapped)}, r"^exemptions\.json was moved: it stands where rules\.json belongs"),
        ({MANIFEST: links(lambda parts: parts.pop())}, r"^episodes\.jsonl is missing: the manifest ends before it"),
        ({MANIFEST: links(lambda parts: parts.pop(3))}, r"^labels\.json is missing in the manifest: versions\.json"),
        ({MANIFEST: links(lambda parts: parts.insert(0, {**parts[0], "part": "spy"}))}, r"^spy was added to the man"),
        ({MANIFEST: links(lambda parts: parts.append(dict(parts[0])))}, r"^verdict\.json was added to the manifest"),
        ({MANIFEST: links(lambda parts: parts[0].update(link="0" * 64))}, r"^manifest\.json was altered: the link"),
        ({MANIFEST: links(lambda parts: parts[0].update(sha256="0" * 64))}, r"^verdict\.json was altered"),
        ({MANIFEST: b'{"schema":"turngate.evidence/9","parts":[]}'}, r"written in 'turngate\.evidence/9'"),
        ({"labels.json": CONTENT["rules.json"], "rules.json": CONTENT["labels.json"]}, r"^rules\.json was altered"),
    ],
)
def test_the_first_part_that_is_not_as_it_was_is_named(changed, text):
    bundle = {name: content for name, content in {**BUNDLE, **changed}.items() if content is not None}
    with pytest.raises(BrokenEvidence, match=text):
        verify(bundle)


@given(st.sampled_from([MANIFEST, *PARTS]), st.data())
def test_no_byte_can_be_changed(name, data):
    content = bytearray(BUNDLE[name])
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] = data.draw(st.integers(0, 255).filter(lambda value: value != BUNDLE[name][at]))
    with pytest.raises(BrokenEvidence):
        verify({**BUNDLE, name: bytes(content)})


def test_made_anew_it_has_another_head():
    content = {**CONTENT, "verdict.json": canonical({"decision": "passed"})}
    assert verify({MANIFEST: manifest(content), **content}) != verify(BUNDLE)


def archive(path, names, bundle=BUNDLE):
    with zipfile.ZipFile(path, "w") as file:
        for name in names:
            file.writestr(name, bundle.get(name, b"?"))
    return path


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_archives_that_were_tampered_with(tmp_path):
    order = [MANIFEST, *PARTS]
    for names, text in [
        ([*order, "rules.json"], r"^rules\.json was added: it is in the archive twice"),
        ([order[0], *reversed(order[1:])], r"^episodes\.jsonl was moved: it stands where verdict\.json belongs"),
    ]:
        with pytest.raises(BrokenEvidence, match=text):
            read_bundle(archive(tmp_path / "a.zip", names))
    with pytest.raises(BrokenEvidence, match=r"^\.\./x was added"):
        verify(read_bundle(archive(tmp_path / "a.zip", [*order, "../x"])))
    (tmp_path / "a.zip").write_bytes(b"PK no")
    with pytest.raises(BrokenEvidence, match="damaged"):
        read_bundle(tmp_path / "a.zip")


def test_a_folder_holds_files_and_nothing_else(tmp_path):
    write_bundle(tmp_path / "bundle", BUNDLE)
    (tmp_path / "bundle" / "rules.json").unlink()
    (tmp_path / "bundle" / "rules.json").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BrokenEvidence, match=r"^rules\.json was added: it is no file of its own"):
        read_bundle(tmp_path / "bundle")
    shutil.rmtree(tmp_path / "bundle")
    write_bundle(tmp_path / "bundle", BUNDLE)
    (tmp_path / "bundle" / "sub").mkdir()
    with pytest.raises(BrokenEvidence, match=r"^sub was added"):
        read_bundle(tmp_path / "bundle")
