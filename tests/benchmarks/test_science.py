"""Figures and outputs on pages come from the results of their scripts.

Figures of a text are decimal numbers, percentages, and whole numbers from 100. They must be in the
outputs or results that the paragraph is about, whatever they mean there.
"""

from __future__ import annotations

import json
import re
import runpy
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import DOCS, ROOT, list_current_pages, without_blocks

SCIENCE = ROOT / "benchmarks" / "science"
RESULTS = ROOT / "benchmarks" / "results"
RECORDED = runpy.run_path(str(SCIENCE / "pages.py"))
PAGES = {
    path.relative_to(DOCS if DOCS in path.parents else ROOT).as_posix(): path
    for path in list_current_pages()
}
NOT_OUTPUT = {
    "adding-a-capability.md": "a command that the page only plans",
}
"""Page with `console` blocks that are not recorded -> reason."""
NOT_MEASURED = {
    "decisions/": "dated records, which are not measured again",
    "papers/": "figures of the papers",
    "benchmarks.md": "written by benchmarks/table.py",
}
"""Beginning of the path of a page whose figures are not compared -> reason."""
SETTINGS = {
    "README.md": {"3.11"},
    "quickstart.md": {"3.11"},
    "promises.md": {"6.2", "200"},
    "CONTRIBUTING.md": {".25", "5.26"},
    "concepts/trust.md": {"100"},
    "guides/agents.md": {"24,000"},
    "guides/cypher.md": {"1,000"},
    "guides/exploring.md": {"300", "1,000", "100,000", "6.2"},
    "guides/formats.md": {"100", "500", "1,000", "3.0", "4.0"},
    "guides/importance.md": {"67,513,443"},
    "guides/maps.md": {"150,000"},
    "guides/neo4j.md": {"5.26"},
    "guides/recommending.md": {".8", ".2", "100", "1,000"},
    "guides/shards.md": {"150,000", "500,000"},
    "guides/text.md": {".8"},
    "loaders.md": {"0.05", "100", "200", "256", "300", "1,000", "2,000", "100,000", "3.11"},
}
"""Limits, defaults, versions and quoted text of a page, which are no results."""
_FIGURE = re.compile(
    r"(?<![\w/.\-#§])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.\d+|[1-9]\d\d|\d+(?=%))(?![\w\-]|\.\d)"
)
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.\d+|\d+")
_NOT_TEXT = re.compile(r"`[^`]*`|\]\([^)]*\)|\$\$.*?\$\$|\((?:CIA|section|Eq)[^)]*\)", re.DOTALL)
_SOURCE = re.compile(r"<!-- figures: (\S+\.json) -->\n")
_WRITTEN = re.compile(r"<!-- figures: \w+ -->.*?<!-- end of figures -->", re.DOTALL)
"""Tables that a script writes into a page."""


def test_the_page_on_trust_has_the_figures_of_its_script() -> None:
    script = runpy.run_path(str(SCIENCE / "importance.py"))
    found = json.loads(script["RESULTS"].read_text(encoding="utf-8"))
    page = script["PAGE"].read_text(encoding="utf-8")
    assert script["render_page"](page, found) == page
    assert {name for _, name, _ in script["_BLOCK"].findall(page)} == set(script["BLOCKS"])


@pytest.mark.parametrize("name", RECORDED["PAGES"])
def test_a_page_shows_the_recorded_outputs(name: str) -> None:
    page = (DOCS / name).read_text(encoding="utf-8")
    assert RECORDED["render"](page, read_record(name)) == page


def test_outputs_of_all_pages_are_recorded() -> None:
    pages = {
        name
        for name, path in PAGES.items()
        if any(RECORDED["split_calls"](path.read_text(encoding="utf-8")))
    }
    assert pages == {*RECORDED["PAGES"], *NOT_OUTPUT}


@pytest.mark.parametrize("name", [n for n in PAGES if not n.startswith(tuple(NOT_MEASURED))])
def test_figures_of_a_text_are_in_its_source(name: str) -> None:
    settings = SETTINGS.get(name, set())
    missing = [
        f"{figure} ({source}): {text[:80]}"
        for source, text in split_text(PAGES[name])
        for figure in _FIGURE.findall(text)
        if figure not in settings
        and not any(equals(figure, value) for value in read_figures(source or name))
    ]
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize(
    ("figure", "value", "expected"),
    [
        (".024", 0.0239, True),
        (".024", -0.0239, True),
        (".02", 0.0239, True),
        ("0.025", 0.0239, False),
        ("6", 5.67, True),
        ("1,200", 1200, True),
        ("1,200", 1200.6, False),
    ],
)
def test_a_figure_is_a_rounded_value(figure: str, value: float, expected: bool) -> None:
    assert equals(figure, value) == expected


def equals(figure: str, value: float) -> bool:
    """Whether a figure of a text is the value, rounded to the places of the text."""
    places = len(figure.partition(".")[2])
    return abs(float(figure.replace(",", "")) - abs(value)) <= 0.5000001 * 10**-places


def split_text(path: Path) -> Iterator[tuple[str, str]]:
    """Paragraphs of a page without code, each with the file of results that it names."""
    page = _WRITTEN.sub("", without_blocks(path.read_text(encoding="utf-8")))
    for paragraph in page.split("\n\n"):
        source = _SOURCE.search(paragraph)
        yield source[1] if source else "", _NOT_TEXT.sub(" ", paragraph)


@cache
def read_figures(source: str) -> list[float]:
    """Numbers of a file of results, or of the recorded outputs of a page."""
    if source.endswith(".json"):
        return [*list_numbers(json.loads((RESULTS / source).read_text(encoding="utf-8")))]
    if source not in RECORDED["PAGES"]:
        return []
    outputs = "\n".join(call["output"] for call in read_record(source)["calls"])
    return [float(found.replace(",", "")) for found in _NUMBER.findall(outputs)]


def list_numbers(value: Any) -> Iterator[float]:
    """All numbers below a JSON value."""
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list):
        for item in value:
            yield from list_numbers(item)
    elif isinstance(value, int | float):
        yield value


def read_record(name: str) -> Any:
    """The recorded outputs of a page."""
    return json.loads(
        (RECORDED["RESULTS"] / f"{RECORDED['short_name'](name)}.json").read_text("utf-8")
    )
