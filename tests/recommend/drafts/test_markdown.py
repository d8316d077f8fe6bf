from __future__ import annotations

import pytest

from citescape.core.errors import ConfigError
from citescape.recommend.drafts.draft import DraftPlace, read_draft

DRAFT = """---
title: "On rust: a story"
author: Me [?]
---

## Abstract

We *study* **rust** [12].

It `spreads` far.

## 1. Introduction
Rust fungi reduce yields [?]. As @smith2010 and [@wu; @x] say, e.g. in Fig. 3,
plants suffer [@?; @wu]. It spreads (Smith et al., 2010; [?]) fast.

- One [CITE] item
- Two
```
code [?]
```
<!-- [?] -->
Mail a@bc.org today. Stop here. [citation needed] The next [one](http://x.y/z) is TARGETCIT too.
"""


def test_a_whole_draft() -> None:
    found = read_draft(DRAFT)
    assert (found.title, found.abstract) == ("On rust: a story", "We study rust. It spreads far.")
    assert found.places == (
        DraftPlace(13, "Rust fungi reduce yields.", "[?]", "Introduction"),
        DraftPlace(14, "As say, e.g. in Fig. 3, plants suffer.", "[@?; @wu]", "Introduction"),
        DraftPlace(14, "It spreads fast.", "[?]", "Introduction"),
        DraftPlace(16, "One item", "[CITE]", "Introduction"),
        DraftPlace(22, "Stop here.", "[citation needed]", "Introduction"),
        DraftPlace(22, "The next one is too.", "TARGETCIT", "Introduction"),
    )


PLAIN = """On the rust of wheat
in two regions

A. Author, B. Author

Abstract

Wheat matters.

1 Introduction

Rust spreads [?] in
many regions.

Methods
We looked, as others did [?].
"""


def test_plain_text_with_headings_on_separate_lines() -> None:
    found = read_draft(PLAIN)
    assert (found.title, found.abstract) == (
        "On the rust of wheat in two regions",
        "Wheat matters.",
    )
    assert [(place.sentence, place.section, place.line) for place in found.places] == [
        ("Rust spreads in many regions.", "Introduction", 12),
        ("We looked, as others did.", "Methods", 16),
    ]


@pytest.mark.parametrize(
    ("text", "section", "sentence"),
    [
        ("Introduction\nDrought harms [?].", "Introduction", "Drought harms."),
        ("2.1 Sites in Spain\n“We” went [?]. So", "Sites in Spain", "“We” went."),
        ("Materials and methods\nWe sowed\nit [?]", "Materials and methods", "We sowed it"),
        ("We sowed wheat of the Union and\nAsian rice [?].", "", "{} Asian rice."),
        ("It was found in experiments\nof others [?].", "", "{} of others."),
        ("It was found.\nWheat grew [?].", "", "Wheat grew."),
        ("Drought,\nWheat says [?], harms.", "", "{} Wheat says, harms."),
        ("Wheat [?]\nWu grew.", "", "Wheat Wu grew."),
        ("- Of wheat\nWu grew it [?].", "", "Of wheat Wu grew it."),
    ],
)
def test_a_heading_without_a_blank_line_below(text: str, section: str, sentence: str) -> None:
    (place,) = read_draft(f"First it was so.\n\n{text}").places
    assert (place.section, place.sentence) == (section, sentence.format(text.partition("\n")[0]))


def test_a_title_of_several_lines_is_whole() -> None:
    assert read_draft("On the Rust\nOf Wheat\n\nIt grew [?].").title == "On the Rust Of Wheat"
    assert read_draft("On the Rust\nIt grew [?].").title == "On the Rust"


APART = """It grew [?].

| crop [?] | yield |
|------|-------|
| wheat | 5 [CITE] |
It spread [?] | fast.

crop | yield
:---|---:
rice | 5 [?]

+---+
| 7 [?] |

{}
1. Wu X (2010) On [?] rust.

Li Y 2011 Mould [?]

## Appendix
It fell [?].
"""


@pytest.mark.parametrize(
    "heading", ["## References", "7. Literature cited", "Bibliography:", "9. References\nWu."]
)
def test_markers_in_tables_and_reference_lists_are_reported(heading: str) -> None:
    found = read_draft(APART.format(heading))
    assert [place.sentence for place in found.places] == [
        "It grew.",
        "It spread | fast.",
        "It fell.",
    ]
    assert found.notes == ("skipped: markers in tables (4), the reference list (2)",)
    with pytest.raises(ConfigError, match=r"no marker; skipped: markers in tables \(1\); exp"):
        read_draft("|a [?]|")


@pytest.mark.parametrize(
    ("text", "title", "abstract"),
    [
        ("# On rust\n\nIt [?].", "On rust", ""),
        ("# Reply to Rust (2001), G(2)/M [?]\n\nIt [?].", "Reply to Rust (2001), G(2)/M", ""),
        ("On rust\n=======\n\nIt grew [?].", "On rust", ""),
        ("It grew.\n\nIt grew [?].", "", ""),
        ("It grew [?]", "", ""),
        ("Abstract: We grew.\n\nIt grew [?].", "", "We grew."),
        ("# Rust\n\n**Abstract.** We grew.\n\nIt grew [?].", "Rust", "We grew."),
        ("# Abstract\n\nWe grew.\n\nIt grew [?].", "", "We grew. It grew."),
        ("## Introduction\n\nIt grew [?].", "", ""),
        ("---\ntitle: >\n  On\n  it\nabstract: |\n  We grew.\n---\nIt [?].", "On it", "We grew."),
    ],
)  # fmt: skip
def test_title_and_abstract(text: str, title: str, abstract: str) -> None:
    found = read_draft(text)
    assert (found.title, found.abstract) == (title, abstract)


@pytest.mark.parametrize("marker", ["[?; @wu]", "[@wu; ?]", "[@?; @?]", "[see @wu, @?]"])
def test_known_keys_beside_an_unknown_key_are_a_marker(marker: str) -> None:
    (place,) = read_draft(f"Rust {marker} spreads.").places
    assert (place.sentence, place.marker) == ("Rust spreads.", marker)


@pytest.mark.parametrize("key", ["@why? @a", "@a?b", "@smith; see @li"])
def test_known_keys_are_no_markers(key: str) -> None:
    (place,) = read_draft(f"Rust [{key}] spreads [?].").places
    assert place.sentence == "Rust spreads."
