"""Figures of pages come from the results of their scripts."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

SCIENCE = Path(__file__).parents[2] / "benchmarks" / "science"


def test_the_page_on_trust_has_the_figures_of_its_script() -> None:
    script = runpy.run_path(str(SCIENCE / "importance.py"))
    found = json.loads(script["RESULTS"].read_text(encoding="utf-8"))
    page = script["PAGE"].read_text(encoding="utf-8")
    assert script["render_page"](page, found) == page
    assert {name for _, name, _ in script["_BLOCK"].findall(page)} == set(script["BLOCKS"])
