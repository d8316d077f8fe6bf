"""Files that a project is expected to have, and their content."""

from __future__ import annotations

import tomllib
from itertools import pairwise

from ruamel.yaml import YAML

from tests.docs.pages import DOCS, ROOT


def test_the_readme_has_a_thousand_words_at_most() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 1000


def test_the_readme_states_telemetry_and_the_public_interface() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8").lower()
    assert "no telemetry" in text
    assert "citescape.__all__" in text


def test_expected_files_exist() -> None:
    for name in ("CITATION.cff", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "Dockerfile"):
        assert (ROOT / name).stat().st_size > 100, name


def test_the_citation_has_the_licence_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cited = YAML(typ="safe").load(ROOT / "CITATION.cff")
    assert cited["license"] == project["license"]
    assert cited["cff-version"] == "1.2.0"
    assert cited["authors"]


def test_the_glossary_has_one_meaning_for_each_term() -> None:
    lines = (DOCS / "glossary.md").read_text(encoding="utf-8").splitlines()
    terms = [above for above, line in pairwise(lines) if line.startswith(": ")]
    single = [term.strip() for line in terms for term in line.split(",")]
    assert len(single) >= 40
    assert len(single) == len(set(single))
