"""Tables of results in files, also with values that some formats cannot hold."""

from __future__ import annotations

import json
import math
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest
from lxml import html

from citescape.core.errors import ConfigError
from citescape.runs.result import Rows, Summary, Text, to_html
from citescape.runs.save import check_save, save_tables

UNUSUAL = pa.table(
    {
        "text": ["https://example.org/" + "x" * 3000, "y" * 40_000, "=1+1"],
        "number": [math.nan, math.inf, 1.0],
    }
)


def test_excel_cells_are_within_limits(tmp_path: Path) -> None:
    save_tables({"odd": UNUSUAL}, tmp_path / "odd.xlsx")
    with zipfile.ZipFile(tmp_path / "odd.xlsx") as book:
        texts = book.read("xl/sharedStrings.xml").decode()
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    assert "x" * 3000 in texts
    assert "y" * 32_766 + "…" in texts
    assert "=1+1" in texts, "a text, not a formula"
    assert "<f>" not in sheet
    assert sheet.count("<v>1</v>") >= 1


def test_json_holds_no_nan_or_infinity(tmp_path: Path) -> None:
    save_tables({"odd": UNUSUAL}, tmp_path / "odd.json")
    rows = json.loads((tmp_path / "odd.json").read_text(), parse_constant=pytest.fail)
    assert [row["number"] for row in rows] == [None, None, 1.0]


@pytest.mark.parametrize("name", ["odd", "odd.doc", "odd.xls"])
def test_unknown_extensions_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="expected a file that ends in"):
        check_save(tmp_path / name)


def test_results_are_saved_like_output_of_commands(tmp_path: Path) -> None:
    rows = Rows(pa.table({"text": ["a"], "year": [2012]}))
    for ending in ("csv", "json", "parquet", "xlsx"):
        rows.save(tmp_path / f"rows.{ending}")
    assert json.loads((tmp_path / "rows.json").read_text()) == rows.to_dicts()
    assert zipfile.is_zipfile(tmp_path / "rows.xlsx")
    with pytest.raises(ConfigError, match=r"\.xlsx"):
        rows.save("rows.odt")


def test_a_page_has_all_that_is_shown_and_runs_nothing(tmp_path: Path) -> None:
    rows = Rows(pa.table({"text": ["<script>alert(1)</script>"], "year": [2012]}))
    rows.save(tmp_path / "rows.html")
    page = html.parse(tmp_path / "rows.html")
    assert [cell.text for cell in page.iter("td")] == ["<script>alert(1)</script>", "2012"]
    assert not list(page.iter("script"))
    (policy,) = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'")


def test_a_page_has_the_text_in_place_of_an_indent() -> None:
    ranked = Text("On rice", first=" 1  0.500  ", rest="    ")
    quoted = Text("Rice grows.", first="    ", quote=True)
    assert to_html(Summary([ranked, quoted])) == (
        "<p>1  0.500  On rice</p>\n<blockquote>Rice grows.</blockquote>"
    )
