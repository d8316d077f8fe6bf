"""The example of docs/adding-a-capability.md works as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from citescape.cli import main
from citescape.runs.context import Context
from citescape.runs.methods import method
from tests.cli.conftest import Made, Platform, made, platform  # noqa: F401
from tests.docs.pages import import_code

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
    made: Made,  # noqa: F811
) -> None:
    context = Context(str(made.store), made.runs)
    found = venues(limit=3).compute(context).arrow
    context.release()
    assert found.num_rows == 3
    counts = found["citations"].to_pylist()
    assert counts == sorted(counts, reverse=True)
    done = platform("venues", "--limit", 3, "--store", made.store)
    assert done.status == 0
    assert len(done.out.splitlines()) == 4
    assert platform("venues", "--json", "--store", made.store).json["rows"][0].keys() >= {
        "citing",
        "cited",
    }
    assert "Earliest year of the citing paper." in platform("venues", "--help").out
