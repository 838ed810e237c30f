"""docs/rules.md names every scenario there is, and none that is not."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_the_page_and_the_files_name_the_same_scenarios():
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\d\d[a-c]?-[a-z0-9-]+)`", page))
    files = {path.stem for path in (ROOT / "tests" / "scenarios").glob("*.toml")}
    assert named == files
