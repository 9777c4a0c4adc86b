"""The files that a user's Python consists of."""

from __future__ import annotations

from harness.sources import local_sources


def test_sources_are_followed_through_the_package_and_the_base(tmp_path):
    files = {
        "shop/__init__": "",
        "shop/bots/__init__": "",
        "shop/bots/agent": "from shop.tools import look\nfrom ..words import HI\ndef agent(message): return HI",
        "shop/tools": "import common\ndef look(): ...",
        "shop/words": "HI = 'hi'",
        "common": "X = 1",
    }
    for name, text in files.items():
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = local_sources(tmp_path / "shop/bots/agent.py", tmp_path)
    assert [str(path.relative_to(tmp_path)) for path in found] == [
        "common.py",
        "shop/__init__.py",
        "shop/bots/agent.py",
        "shop/tools.py",
        "shop/words.py",
    ]
