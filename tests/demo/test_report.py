"""The report page: complete, self-contained, escaped, and equal to the store."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lxml import etree, html

from citescape.cli.main import main
from citescape.core.errors import StoreError
from citescape.corpus_report.build import build_report
from citescape.corpus_report.pairs import (
    compute_components,
    find_perfunctory,
    read_pairs,
)
from citescape.corpus_report.sections import NEXT_QUERIES
from citescape.demo.pictures import draw_comparisons
from citescape.demo.proof import MethodComparison, Proof
from citescape.demo.recovery import check_recovery
from citescape.demo.sections import show_proof, show_recovery
from citescape.demo.world import World
from citescape.importance.config import Weighting
from citescape.importance.score import score
from citescape.reports.canvas import Scale, format_ticks
from citescape.runs.context import Context
from citescape.store.graph_store import GraphStore, open_store
from citescape.store.queries import query

Plant = Callable[..., GraphStore]
HOSTILE = '<script>alert("x")</script> & \'"$title ${lead} %s {n} </title>'


def write_report(store: GraphStore, folder: Path, **shown: Any) -> Path:
    """Writes the page about a store to `folder`."""
    context = Context(store.location, folder / "runs")
    context.use(store)
    return build_report(context, folder / "report.html", **shown).path


def compare(store: GraphStore, world: World) -> dict[str, Any]:
    """Parts that the demo adds to a page about the corpus of `world`."""
    shown = show_recovery(check_recovery(store, world))
    return {"further": [shown.section], "verdicts": [shown.verdict]}


def page_of(path: Path) -> html.HtmlElement:
    return html.document_fromstring(path.read_text(encoding="utf-8"))


def test_the_page_contains_every_part(plant: Plant, world: World, tmp_path: Path) -> None:
    store = plant()
    path = write_report(store, tmp_path / "new" / "folder", **compare(store, world))
    page = page_of(path)
    assert path.name == "report.html"
    assert [heading.text for heading in page.iter("h2")] == [
        "Citations read and lost",
        "Where importance comes from",
        "The 10 most important citations",
        "Works that matter",
        "Citations by section",
        "Self-citation by year",
        "Self-citation by author",
        "Recovery of the ground truth",
        "What to query next",
        "Missing sections",
    ]
    assert len(page.findall(".//svg")) == 4, "the first one for wide and for narrow pages"
    assert len(page.findall(".//ol/li")) == 11, "ten citations and one in passing"
    assert len(page.xpath(".//section[@aria-labelledby='next']//pre")) == 1 + 2 * len(NEXT_QUERIES)
    assert "All 17 comparisons" in page.text_content()
    assert list(path.parent.iterdir()) == [path], "nothing is left beside the page"


def test_the_same_store_gives_the_same_page(plant: Plant, world: World, tmp_path: Path) -> None:
    store = plant()
    pages = [write_report(store, tmp_path / name).read_bytes() for name in ("a", "b")]
    assert pages[0] == pages[1]


def test_hostile_text_is_escaped(plant: Plant, world: World, tmp_path: Path) -> None:
    def change(tables: dict[str, list[dict[str, object]]]) -> None:
        for row in tables["Paper"]:
            row["title"], row["surnames"] = HOSTILE, [HOSTILE]
        for row in tables["Occurrence"]:
            row["context"] = HOSTILE

    path = write_report(plant(change), tmp_path, origin=HOSTILE)
    page = page_of(path)
    assert page.findall(".//script") == []
    assert "<script" not in path.read_text(encoding="utf-8")
    assert page.find(".//cite").text_content() == HOSTILE
    assert page.find(".//footer/p").text_content() == HOSTILE


def test_the_page_loads_no_resources_and_runs_no_scripts(plant: Plant, tmp_path: Path) -> None:
    text = write_report(plant(), tmp_path).read_text(encoding="utf-8")
    page = html.document_fromstring(text)
    policies = {meta.get("http-equiv"): meta.get("content") for meta in page.iter("meta")}
    assert str(policies["Content-Security-Policy"]).startswith("default-src 'none'")
    assert not re.search(r"https?://|@import|url\(|javascript:", text)
    for element in page.iter(etree.Element):
        assert element.tag not in ("script", "link", "iframe", "object", "embed", "img", "base")
        assert not any(
            str(name).startswith("on") or name in ("src", "style") for name in element.attrib
        )


def test_the_page_is_accessible(plant: Plant, world: World, tmp_path: Path) -> None:
    store = plant()
    page = page_of(write_report(store, tmp_path, **compare(store, world)))
    assert page.get("lang") == "en"
    for table in page.iter("table"):
        assert table.find("caption") is not None
        assert all(cell.get("scope") for cell in table.iter("th"))
    for picture in page.iter("svg"):
        assert picture.get("role") == "img"
        labels = picture.get("aria-labelledby").split()
        assert [child.get("id") for child in picture[:2]] == labels
        assert all(child.text for child in picture[:2])
    levels = [int(e.tag[1]) for e in page.iter("h1", "h2", "h3")]
    assert all(b <= a + 1 for a, b in pairwise(levels))


def test_failed_checks_are_shown(plant: Plant, world: World, tmp_path: Path) -> None:
    store = plant(lambda tables: tables["CITES"].pop())
    page = page_of(write_report(store, tmp_path, **compare(store, world)))
    verdict = page.find(".//p[@class='verdict no']").text_content()
    assert "comparisons with the ground truth fail" in verdict
    assert "Not as planted: citation pairs;" in page.text_content()


def test_missing_parts_are_named(plant: Plant, world: World, tmp_path: Path) -> None:
    def change(tables: dict[str, list[dict[str, object]]]) -> None:
        for row in tables["CITES"]:
            row["importance"] = None

    store = plant(change)
    page = page_of(write_report(store, tmp_path, **compare(store, world)))
    assert [cell.text for cell in page.iter("td")].count("none") == 2
    assert page.findall(".//svg") == [], "no picture of scores that are not there"
    missing = page.xpath(".//section[@aria-labelledby='missing']//dt")
    assert "Where importance comes from" in [term.text for term in missing]


def test_without_truth_the_page_makes_no_claim(plant: Plant, tmp_path: Path) -> None:
    page = page_of(write_report(plant(), tmp_path))
    assert "planted" not in page.text_content()
    assert len(page.findall(".//svg")) == 3


def test_an_empty_store_is_refused(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "empty.lbug"))
    with pytest.raises(StoreError, match="platform ingest"):
        write_report(store, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    store.close()


def test_most_important_works_come_first(plant: Plant, tmp_path: Path) -> None:
    store = plant()
    pairs = read_pairs(store)
    page = page_of(write_report(store, tmp_path))
    shown = [float(e.text) for e in page.iter("div") if e.get("class") == "score"]
    best = np.sort(pairs.importance)[::-1][:10]
    assert shown[:10] == pytest.approx(best, abs=0.005)


def test_the_perfunctory_example_is_mentioned_once(plant: Plant) -> None:
    pairs = read_pairs(plant())
    row = find_perfunctory(pairs)
    assert row is not None
    assert pairs.counts[row].tolist() == [1, 0, 0, 0, 0]
    assert pairs.citing[row] == pairs.citing[0]
    assert pairs.importance[row] < pairs.importance[0]


def test_components_equal_those_of_the_pairs(plant: Plant, world: World) -> None:
    components = {c.component: c for c in compute_components(read_pairs(plant()))}
    assert list(components) == ["I", "R", "D", "S"]
    assert sum(c.weight for c in components.values()) == pytest.approx(1)
    assert components["R"].mean == pytest.approx(world.counts[:, 2].mean())
    # a binary column with mean mu has entropy 1 + ln(mu) / ln(n)
    shared = world.pairs.self_citation
    expected = 1 + np.log(shared.mean()) / np.log(len(shared))
    assert components["S"].entropy == pytest.approx(expected)


def test_weights_equal_those_of_the_score(plant: Plant, tmp_path: Path) -> None:
    store = plant()
    weights = {"M": 0.625, "R": 0.375}
    score(store, Weighting(("M", "R"), weights), runs=tmp_path / "runs")
    page = page_of(write_report(store, tmp_path))
    rows = page.xpath(".//table[caption[starts-with(., 'Components')]]/tbody/tr")
    shown = [[row[0].text, row[1].text, row[-1].text] for row in rows]
    assert shown == [["Mentions in methods", "M", "62.5%"], ["Mentions in results", "R", "37.5%"]]


def test_totals_equal_counts_of_the_store(plant: Plant, world: World) -> None:
    totals = plant().read(query("explore/totals")).to_pylist()[0]
    assert totals["fulltext_papers"] == world.papers
    assert totals["citations"] == len(world.pairs)
    assert totals["occurrences"] == len(world.mentions.pair)
    assert totals["authors"] == len(world.society.persons)


@pytest.mark.parametrize("name", NEXT_QUERIES)
def test_every_suggested_query_has_rows(plant: Plant, name: str) -> None:
    store = plant()
    values = {"paper": read_pairs(store).citing[0], **NEXT_QUERIES[name]}
    params = {key: value for key, value in values.items() if key in query(name).parameters}
    assert store.read(query(name), **params).num_rows > 0


def test_ticks_are_round_and_labelled_alike() -> None:
    ticks = Scale(1.9, 0, 100).ticks()
    assert ticks == [0.0, 0.5, 1.0, 1.5]
    assert format_ticks(ticks) == ["0.0", "0.5", "1.0", "1.5"]
    assert format_ticks([0.0, 1000.0]) == ["0", "1,000"]


def test_printed_commands_quote_unusual_ids(
    plant: Plant, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unusual = "doi:10.1/it's\\odd (1)"

    def change(tables: dict[str, list[dict[str, Any]]]) -> None:
        ranked = sorted(tables["CITES"], key=lambda row: (-row["importance"], row["from"]))
        best = ranked[0]["from"]
        for rows in tables.values():
            for row in rows:
                row.update({key: unusual for key, value in row.items() if value == best})

    store = plant(change)
    page = page_of(write_report(store, tmp_path))
    parts = page.xpath(".//section[@aria-labelledby='next']//pre")
    shown = [pre.text_content() for pre in parts]
    assert shlex.split(shown[0].splitlines()[1])[2] == unusual
    command = shlex.split(shown[2])
    assert command[:3] == ["platform", "cypher", "explore/references"]
    store.close()
    main(command[1:])
    assert "10 rows" in capsys.readouterr().out


def comparisons() -> list[MethodComparison]:
    ways = {"untrained": (0.25, 0.35), "uniform": (0.4, 0.5), "importance": (0.7, 0.9)}
    facet = {"one encoder": (0.5, 0.5), "facet encoder": (0.6, 1.0)}
    return [MethodComparison("topic <P@10>", ways), MethodComparison("method P@10", facet)]


def test_training_methods_are_shown_in_a_picture_and_a_table(plant: Plant, tmp_path: Path) -> None:
    checks = tuple(comparisons()[0].lead("importance", way) for way in ("uniform", "untrained"))
    proof = Proof(tuple(comparisons()), checks, ("Not checked: <b>",))
    shown = show_proof(proof)
    path = write_report(plant(), tmp_path, further=[shown.section], verdicts=[shown.verdict])
    page = page_of(path)
    heading = "Does learning recover planted factors?"
    assert heading in [element.text for element in page.iter("h2")]
    (table,) = page.xpath(".//table[caption[starts-with(., 'Values')]]")
    rows = [[cell.text_content() for cell in row] for row in table.xpath("./tbody/tr")]
    deviation = (2 * 0.05**2) ** 0.5  # of two seeds .05 above and below their mean
    assert rows == [
        ["topic <P@10>", "untrained", "0.300", f"{deviation:.3f}"],
        ["topic <P@10>", "uniform", "0.450", f"{deviation:.3f}"],
        ["topic <P@10>", "importance", "0.800", f"{2 * deviation:.3f}"],
        ["method P@10", "one encoder", "0.500", "0.000"],
        ["method P@10", "facet encoder", "0.800", f"{4 * deviation:.3f}"],
    ]
    held, _ = page.xpath(".//table[caption[starts-with(., 'Checks: each')]]/tbody/tr")
    assert held.text_content().startswith("topic <P@10>: importance above uniform (better in 2 of")
    assert "All 2 comparisons of learning methods hold." in page.text_content()
    assert "Not checked: <b>" in page.text_content()
    assert "2 seeds each" in page.text_content()
    assert "no evidence about science" in page.text_content()


def test_the_picture_has_a_dot_per_seed_and_a_bar_at_the_mean() -> None:
    picture = etree.fromstring(draw_comparisons(comparisons(), name="x", title="X").__html__())
    names = {etree.QName(element).localname for element in picture.iter(etree.Element)}
    assert {"title", "desc", "circle"} <= names
    dots = [e for e in picture.iter() if "seed" in (e.get("class") or "").split()]
    assert len(dots) == 2 * 5
    bars = [e for e in picture.iter() if "mean" in (e.get("class") or "").split()]
    assert len(bars) == 5
    across = Scale(1.0, 190, 760 - 50)
    for bar, value in zip(bars, (0.3, 0.45, 0.8, 0.5, 0.8), strict=True):
        assert float(bar.get("x1")) == float(bar.get("x2")) == pytest.approx(across(value), abs=0.1)
    controls = [e for e in dots if "control" in e.get("class").split()]
    assert len(controls) == 2 * 2, "uniform and one encoder"
    assert "topic <P@10>: untrained 0.30" in "".join(picture.itertext())
