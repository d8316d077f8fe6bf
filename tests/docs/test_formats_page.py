"""The guide has three commands for every source that can be loaded; other tests run them."""

from __future__ import annotations

import re

import pytest

from citescape.loaders.formats import DOCUMENTS, TABLES
from tests.docs.pages import DOCS, Block, split_page
from tests.docs.reader import FETCHERS
from tests.docs.shell import split_commands

PAGE = DOCS / "guides" / "formats.md"
TITLES = {
    "jats": "JATS",
    "pmc": "PubMed Central's cloud service",
    "tei": "TEI",
    "s2orc": "S2ORC",
    "unarxive": "unarXive",
    "pubmed": "PubMed",
    "crossref": "Crossref",
    "openalex": "OpenAlex",
    "s2ag": "Semantic Scholar",
    "scopus": "Scopus",
    "wos": "Web of Science",
    "csv": "Your own tables",
    "aan": "ACL Anthology Network",
    "notices": "Retraction Watch",
    "collections": "Lists of a reference manager",
}
"""Format, or other kind of file -> beginning of the title of its section."""


def list_sections() -> dict[str, str]:
    """Title and text of each section."""
    _, *parts = re.split(r"^## (.+)\n", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


SECTIONS = list_sections()


def test_every_format_has_a_section() -> None:
    assert {*DOCUMENTS, *TABLES} <= set(TITLES)
    *sources, last = SECTIONS
    assert last == "A mixed folder"
    assert len(sources) == len(TITLES)
    for title in TITLES.values():
        assert any(re.match(rf"{title}\b", section) for section in sources), title


@pytest.mark.parametrize("title", [title for title in SECTIONS if title != "A mixed folder"])
def test_a_section_has_three_commands_and_what_they_give(title: str) -> None:
    (block,) = split_page(PAGE, SECTIONS[title], "sh")
    get, load, show = split_commands(block)
    assert get.words[0] in FETCHERS
    assert load.words[:2] in {("platform", "ingest"), ("platform", "collection")}
    assert show.words[0] == "platform"
    assert find_file(block) in " ".join(get.words), "the second command loads what the first got"
    for label in ("In the graph", "Not", "Licence"):
        assert f"- **{label}**: " in SECTIONS[title]


def find_file(block: Block) -> str:
    """The last word of the second command that is no option: the file that it loads."""
    _, load, _ = split_commands(block)
    files = [word for word in load.words if "." in word or word == "aan"]
    return files[-1]
