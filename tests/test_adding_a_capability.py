"""The example of docs/adding-a-capability.md works as printed."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

import citescape
from citescape.cli import main
from citescape.runs.context import Context
from citescape.runs.methods import Group, method
from tests.cli.conftest import GeneratedCorpus, Platform, generated, platform  # noqa: F401
from tests.docs.pages import LANGUAGES, import_code, split_page
from tests.docs.shell import split_calls

PAGE = Path(__file__).parents[1] / "docs" / "adding-a-capability.md"


@pytest.fixture
def venues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The step of the page."""
    code = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
    assert len([line for line in code.splitlines() if line.strip()]) < 40
    module = import_code(code, tmp_path / "venue_steps.py", monkeypatch)
    monkeypatch.setattr(main, "_steps", lambda: {"venues": method(module.Venues)})
    return module.Venues


def test_the_example_has_a_command_and_a_result(
    venues: Any,
    platform: Platform,  # noqa: F811
    generated: GeneratedCorpus,  # noqa: F811
) -> None:
    context = Context(str(generated.store), generated.runs)
    result = venues(limit=3).compute(context).arrow
    context.release()
    assert result.num_rows == 3
    counts = result["citations"].to_pylist()
    assert counts == sorted(counts, reverse=True)
    done = platform("venues", "--limit", 3, "--store", generated.store)
    assert done.status == 0
    assert len(done.out.splitlines()) == 4
    assert platform("venues", "--json", "--store", generated.store).json["rows"][0].keys() >= {
        "citing",
        "cited",
    }
    assert "Earliest year of the citing paper." in platform("venues", "--help").out


def test_other_blocks_of_the_page_run(
    venues: Any,
    platform: Platform,  # noqa: F811
    generated: GeneratedCorpus,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = PAGE.read_text(encoding="utf-8")
    _, registration, commands, test = split_page(PAGE, text, *LANGUAGES)
    monkeypatch.setenv("CITESCAPE_STORE", str(generated.store))
    for words in split_calls(commands):
        assert platform(*words).status == 0, words
    monkeypatch.setitem(sys.modules, "citescape.networks.venues", sys.modules[venues.__module__])
    names: dict[str, Any] = {
        "citescape": citescape,
        "Group": Group,
        "GeneratedCorpus": GeneratedCorpus,
        "method": method,
    }
    exec(registration.text, names)
    monkeypatch.setattr(citescape.Corpus, "venues", vars(names["Corpus"])["venues"], raising=False)
    exec(test.text, names)
    names["test_pairs_of_venues_have_at_least_one_citation"](generated)
