"""Reports as files: complete, self-contained, escaped and consistent with the run."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from lxml import etree, html

from citescape.evaluation.export import PAGE, TEXT, make_pages
from citescape.evaluation.report.markdown import escape
from citescape.metrics.evaluation_run import FIGURES, EvaluationRun
from tests.evaluation.report.evaluations import HOSTILE, make_run, make_task_run

FIELDS = [f"Field {number:02}" for number in range(19)]
RANKERS = [
    "bm25",
    "lsa",
    "minilm",
    "a/specter",
    "a/scincl",
    "train-0123456789ab",
    "graph",
    "random",
]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> EvaluationRun:
    """Run with eight systems, nineteen fields and three kinds."""
    kinds = ["all", "bm25", "graph", "random"]
    folder = tmp_path_factory.mktemp("large")
    return make_run(folder, systems=RANKERS, conditions=kinds, groups=FIELDS)


def page_of(pages: dict[str, str]) -> html.HtmlElement:
    return html.document_fromstring(pages[PAGE])


def cells_of(page: html.HtmlElement) -> Counter[str]:
    return Counter(" ".join(cell.text_content().split()) for cell in page.iter("td"))


def headings(page: html.HtmlElement) -> list[str]:
    return [heading.text for heading in page.iter("h2")]


def format_estimate(row: dict[str, float]) -> str:
    mean, low, high = (f"{100 * row[name]:.1f}" for name in ("mean", "low", "high"))
    return f"{mean} {low} to {high}"


def test_every_figure_is_on_the_page(large: EvaluationRun) -> None:
    expected = Counter(format_estimate(row) for row in large.figures.to_pylist())
    assert sum(expected.values()) == 8 * 4 * 3 * 20
    assert expected <= cells_of(page_of(make_pages(large)))


def test_metrics_are_in_the_right_cells(large: EvaluationRun) -> None:
    page = page_of(make_pages(large))
    (table,) = page.xpath(".//table[caption='nDCG, negatives from the graph, per cent']")
    heads = [cell.text_content() for cell in table.iterfind(".//thead/tr/th")]
    assert heads == ["", "queries", *RANKERS]
    rows = {
        row.find("th").text_content(): row.findall("td") for row in table.iter("tr") if len(row)
    }
    names = ("a/scincl", "graph", "Field 07", "ndcg")
    (figure,) = [
        row
        for row in large.figures.to_pylist()
        if (row["system"], row["condition"], row["group"], row["metric"]) == names
    ]
    cell = rows["Field 07"][1 + RANKERS.index("a/scincl")]
    assert " ".join(cell.text_content().split()) == format_estimate(figure)


def test_sections_are_in_order(large: EvaluationRun) -> None:
    pages = make_pages(large)
    assert headings(page_of(pages)) == [
        "Figures",
        "Differences",
        "By kind of negatives",
        "By field",
        "Left out",
        "Provenance",
    ]
    assert set(pages) == {
        *(PAGE, TEXT),
        *(f"{name}.svg" for name in ("intervals", "differences", "kinds", "fields")),
    }
    assert re.findall(r"^## (.*)$", pages[TEXT], re.MULTILINE) == headings(page_of(pages))


def test_the_page_loads_nothing_and_has_no_scripts(large: EvaluationRun) -> None:
    text = make_pages(large)[PAGE]
    page = html.document_fromstring(text)
    policies = {meta.get("http-equiv"): meta.get("content") for meta in page.iter("meta")}
    assert str(policies["Content-Security-Policy"]).startswith("default-src 'none'")
    assert not re.search(r"https?:|@import|url\(|javascript:", text)
    for element in page.iter(etree.Element):
        assert element.tag not in ("script", "link", "iframe", "object", "embed", "img", "base")
        assert not any(
            str(name).startswith("on") or name in ("src", "href", "style")
            for name in element.attrib
        )


def test_the_page_is_accessible(large: EvaluationRun) -> None:
    page = page_of(make_pages(large))
    assert page.get("lang") == "en"
    for table in page.iter("table"):
        assert table.find("caption").text
        assert all(cell.get("scope") for cell in table.iter("th"))
        widths = {len(row) for row in table.iter("tr")}
        assert len(widths) == 1
    ids = [element.get("id") for element in page.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    for picture in page.iter("svg"):
        labels = picture.get("aria-labelledby").split()
        assert [child.get("id") for child in picture[:2]] == labels
        assert all(child.text for child in picture[:2])
    levels = [int(e.tag[1]) for e in page.iter("h1", "h2", "h3")]
    assert all(b <= a + 1 for a, b in pairwise(levels))


def test_hostile_names_are_escaped_in_html(tmp_path: Path) -> None:
    run = make_run(
        tmp_path,
        systems=["bm25", HOSTILE],
        conditions=["all", HOSTILE],
        groups=[HOSTILE, "$finding ${title}"],
        metrics=["map", "<b>own</b>"],
        config={"benchmark": HOSTILE},
        counts={"source": HOSTILE, "without_score": {HOSTILE: 3}},
        request={"": [HOSTILE], "texts": HOSTILE, "store": f"{HOSTILE}.lbug"},
    )
    pages = make_pages(run)
    page = page_of(pages)
    assert page.findall(".//script") == []
    assert "<script" not in pages[PAGE]
    assert "<b>" not in pages[PAGE]
    marked = [line for line in pages[TEXT].splitlines() if "<" in line]
    assert all(line.startswith("    ") for line in marked), "the command, which is code"
    assert '<script>alert("x")</script> | & ' in page.text_content()
    assert "$finding ${title}" in page.text_content()
    for name, text in pages.items():
        if name.endswith(".svg"):
            etree.fromstring(text)


def test_hostile_names_are_escaped_in_markdown_tables(tmp_path: Path) -> None:
    run = make_run(tmp_path, systems=["bm25", "a|b"], groups=["x | y", "[z](http://z)"])
    lines = make_pages(run)[TEXT].splitlines()
    tables = [line for line in lines if line.startswith("|")]
    assert all(line.endswith("|") for line in tables)
    for first, second in pairwise(lines):
        if first.startswith("|") and second.startswith("|"):
            assert len(split(first)) == len(split(second))
    assert any("\\[z\\](http://z)" in line for line in tables)


def split(line: str) -> list[str]:
    """Cells of a row, split at bars without a backslash before them."""
    return re.split(r"(?<!\\)\|", line)


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("most_cited", "most_cited"),
        ("_x_", "\\_x\\_"),
        ("a|b", "a\\|b"),
        ("<i>&", "&lt;i>&amp;"),
        ("`*[x]", "\\`\\*\\[x\\]"),
        ("a\\|b", "a\\\\\\|b"),
    ],
)
def test_markdown_is_escaped(text: str, escaped: str) -> None:
    assert escape(text) == escaped


def test_a_single_system_has_no_differences(tmp_path: Path) -> None:
    pages = make_pages(make_run(tmp_path, systems=["bm25"], conditions=["all"], groups=["one"]))
    page = page_of(pages)
    assert headings(page) == ["Figures", "Left out", "Provenance"]
    assert "bm25 reaches" in page.find(".//p[@class='lead']").text
    assert "differences" not in page.text_content()
    assert set(pages) == {PAGE, TEXT, "intervals.svg"}


def test_pools_have_curves_and_two_denominators(tmp_path: Path) -> None:
    run = make_run(
        tmp_path,
        conditions=["1,000", "2,000", "40,000"],
        groups=["all"],
        metrics=["map", "map_ret"],
        config={"benchmark": "pool"},
    )
    pages = make_pages(run)
    page = page_of(pages)
    assert page.find(".//p[@class='lead']").text.startswith("In the largest pool (40,000 papers)")
    assert "By size of the pool" in headings(page)
    (table,) = page.xpath(".//table[caption='Papers in a pool']")
    heads = [cell.text_content() for cell in table.iterfind(".//thead/tr/th")]
    assert heads == ["papers", "", "MAP", "MAP found"]
    assert len(table.findall(".//tbody/tr")) == 3 * 2
    assert "curves.svg" in pages
    assert "![Figures by size of the pool](curves.svg)" in pages[TEXT]


def test_a_pool_of_one_size_has_no_curves(tmp_path: Path) -> None:
    run = make_run(
        tmp_path,
        conditions=["500"],
        groups=["all"],
        metrics=["map", "map_ret"],
        config={"benchmark": "pool"},
    )
    pages = make_pages(run)
    assert "Figures" in headings(page_of(pages))
    assert "By size of the pool" not in headings(page_of(pages))
    assert "curves.svg" not in pages


@pytest.mark.parametrize("average", [[], ["average"]])
def test_tasks_are_table_rows(tmp_path: Path, average: list[str]) -> None:
    tasks = ["mag", "mesh", *average]
    run = make_run(tmp_path, conditions=tasks, groups=["all"], config={"benchmark": "scidocs"})
    page = page_of(make_pages(run))
    parts = ["Figures", "Differences", "By task"] if average else ["By task", "Differences"]
    assert headings(page)[: len(parts)] == parts
    (table,) = page.xpath(".//table[thead/tr/th='used']")
    rows = [[cell.text_content() for cell in row[:2]] for row in table.findall(".//tbody/tr")]
    assert rows == [[task, name] for task in ("mag", "mesh") for name in ("MAP", "nDCG", "R@5")]


def test_published_tasks_have_intervals_for_means_only(tmp_path: Path) -> None:
    run = make_task_run(tmp_path, average=float("nan"))
    page = page_of(make_pages(run))
    assert headings(page)[:2] == ["By task", "Differences"]
    (table,) = page.xpath(".//table[thead/tr/th='used']")
    rows = [
        [" ".join(cell.text_content().split()) for cell in row]
        for row in table.findall(".//tbody/tr")
    ]
    assert [row[:3] for row in rows] == [["mag", "F1", "70"], ["cite", "MAP", "20"]]
    assert rows[0][3:] == ["80.0", "81.0"], "no interval of what is no mean over queries"
    assert all(" to " in cell for cell in rows[1][3:])
    assert "is above one in" in page.find(".//p[@class='lead']").text


def test_an_average_is_shown_without_a_test(tmp_path: Path) -> None:
    page = page_of(make_pages(make_task_run(tmp_path, average=60.0)))
    assert headings(page)[:3] == ["Figures", "Differences", "By task"]
    assert page.find(".//p[@class='lead']").text == (
        "other leads one by 1.0 points on average over tasks, which was not tested."
    )
    (table,) = page.xpath(".//table[caption='Mean of tasks: per cent']")
    assert [cell.text for cell in table.iter("td")] == ["60.0", "61.0"]


def test_pools_of_fields_have_no_sections_by_part(tmp_path: Path) -> None:
    run = make_run(
        tmp_path,
        conditions=["fields"],
        metrics=["map", "map_ret"],
        config={"benchmark": "field pools", "size": 50},
        request={"command": "evaluate pool bm25 --fields venue", "fields": "venue"},
    )
    page = page_of(make_pages(run))
    parts = ["Figures", "Differences", "By field", "Left out", "Provenance"]
    assert headings(page) == parts
    captions = [caption.text for caption in page.iter("caption")]
    assert captions[0] == "Mean over fields: per cent, with 95% intervals"
    assert "MAP found, per cent" in captions
    assert "platform evaluate pool bm25 --fields venue" in page.find(".//pre").text


def test_number_of_comparisons_and_smallest_p(tmp_path: Path) -> None:
    systems, kinds = ["a", "b", "c"], ["all", "graph", "random", "d"]
    text = make_pages(make_run(tmp_path, systems=systems, conditions=kinds))[TEXT]
    assert (
        "Compared: 8 of each metric. The smallest possible p is 0.024, with 40 exchanges." in text
    )
    tasks = make_pages(make_task_run(tmp_path, average=60.0))[TEXT]
    assert "Compared: 1 of each metric." in tasks


def test_the_benchmark_is_described_at_the_top(tmp_path: Path) -> None:
    origin = {"run": "benchmark-mdcr-0123456789ab", "year": 2018, "negatives": 9}
    run = make_run(tmp_path, counts={"benchmark": origin}, request={"": [], "store": "a.lbug"})
    page = page_of(make_pages(run))
    assert (
        "Evaluated on benchmark-mdcr-0123456789ab, made from a.lbug."
        in page.findall(".//p")[2].text
    )
    terms = [element.text for element in page.iter("dt", "code")]
    assert terms[terms.index("negatives") + 1] == "9"


def test_kinds_and_systems_of_the_same_name_are_distinguished(tmp_path: Path) -> None:
    run = make_run(tmp_path, conditions=["all", "minilm", "graph", "most_cited", "random"])
    page = page_of(make_pages(run))
    kinds = [
        "negatives found by minilm",
        "negatives from the graph",
        "most cited negatives",
        "random negatives",
    ]
    [section] = page.xpath(".//section[@aria-labelledby='parts']")
    assert [
        element.text
        for element in section.find(".//table").iter("th")
        if element.get("scope") == "row"
    ] == kinds
    assert [element.text for element in section.iter("text") if element.text in kinds][:4] == kinds
    rows = page.xpath(".//section[@aria-labelledby='differences']//details//tbody/tr/th[1]")
    assert list(dict.fromkeys(row.text for row in rows)) == kinds
    assert any(
        element.text.endswith(", negatives found by minilm, per cent")
        for element in page.iter("caption")
    )


def test_missing_values_are_dashes(tmp_path: Path) -> None:
    run = make_run(tmp_path, conditions=["all", "graph"])
    rows = run.figures.to_pylist()
    for row in rows:
        if row["system"] == "bm25":
            row.update(mean=float("nan"), low=None, high=None)
    pq.write_table(pa.Table.from_pylist(rows), run.path / FIGURES)
    pages = make_pages(run)
    assert cells_of(page_of(pages))["–"] == 2 * 3 * 3
    assert not re.search(r"\bnan\b", "".join(pages.values()).lower())


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    assert make_pages(run) == make_pages(run)


def test_figure_files_have_no_css_variables(large: EvaluationRun) -> None:
    pages = make_pages(large)
    for name, text in pages.items():
        if name.endswith(".svg"):
            assert "var(" not in text
            assert etree.fromstring(text).find("{*}title").text
            assert f"({name})" in pages[TEXT]
