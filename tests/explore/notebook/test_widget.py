"""The widget of a network: traits, selections, and the saved form."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from lxml import etree, html

from citescape.core.errors import ConfigError
from citescape.explore.config import Filters
from citescape.explore.neighbourhood import find_neighbourhood
from citescape.explore.notebook import widget as widget_module
from citescape.explore.notebook.widget import EdgeExplorer
from citescape.importance.explain import explain
from citescape.runs.context import Context
from citescape.store.graph_store import GraphStore
from tests.explore.notebook.networks import FIVE, HOSTILE, WEIGHTS, make_network, scored

SEED, GENOME = "doi:10.1038/seed.1", "doi:10.1038/genome.1"


@pytest.fixture
def widget() -> EdgeExplorer:
    return make_network(FIVE).explore()


def pairs(frame: pd.DataFrame) -> list[tuple[str, str]]:
    return list(zip(frame["citing"], frame["cited"], strict=True))


def test_a_data_frame_selects_and_a_selection_is_a_data_frame(widget: EdgeExplorer) -> None:
    frame = pd.DataFrame({"citing": ["a", "c", "x"], "cited": ["d", "a", "y"], "note": [1, 2, 3]})
    assert widget.select(frame) == 2  # the third is in no other network either
    assert widget.selected == [("a", "d"), ("c", "a")]  # the reasons of the last one are shown
    assert pairs(widget.selection) == [("c", "a"), ("a", "d")]  # the most important first
    assert widget.selection["importance"].to_list() == [1.25, 0.75]
    assert {"citing_title", "cited_title", "self", "f_I", "n_method"} <= {*widget.selection}


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ("c", {("c", "a"), ("c", "b")}),
        (["b"], {("a", "b"), ("c", "b")}),
        ([("a", "b"), ["a", "e"]], {("a", "b"), ("a", "e")}),
        (pl.DataFrame({"id": ["e"], "year": [2000]}), {("a", "e")}),
        (pd.Series(["d", "nobody"]), {("a", "d")}),
        (make_network(FIVE[:2]), {("a", "b"), ("c", "a")}),
        (make_network(FIVE).papers.slice(3, 1), {("a", "d")}),
        (pd.DataFrame({"citing": [], "cited": []}), set()),
        ([], set()),
    ],
)
def test_papers_pairs_frames_and_results_select(
    widget: EdgeExplorer, chosen: object, expected: set[tuple[str, str]]
) -> None:
    assert widget.select(chosen) == len(expected)
    assert set(widget.selected) == set(pairs(widget.selection)) == expected


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (["nobody"], "none of 1 selected item is in this network of 5 citations"),
        ([3], "cannot select 3; expected a data frame"),
        ([("a", "b", "c")], "cannot select"),
        (pd.DataFrame({"doi": ["a"]}), "cannot select columns doi"),
    ],
)
def test_what_selects_nothing_is_an_error(
    widget: EdgeExplorer, chosen: object, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        widget.select(chosen)
    assert widget.selected == []


def test_traits_are_checked(widget: EdgeExplorer) -> None:
    with pytest.raises(ConfigError, match="b -> a is no citation of this network"):
        widget.selected = [("b", "a")]
    with pytest.raises(ConfigError, match="weights of I; expected those of the run: I, R, D, S"):
        widget.weights = {"I": 1.0}
    with pytest.raises(Exception, match="section"):
        widget.section = "Z"


def test_selections_of_the_script_are_lists(widget: EdgeExplorer) -> None:
    widget.set_state({"selected": [["a", "b"], ["a", "b"]], "weights": {**WEIGHTS, "S": 0}})
    assert widget.selected == [("a", "b")]
    assert widget.selection["importance"].to_list() == [0.25 + 0.75]


def test_shown_citations_follow_weights_and_filters(widget: EdgeExplorer) -> None:
    assert pairs(widget.shown) == [(row["citing"], row["cited"]) for row in FIVE]
    widget.weights = {"I": 0, "R": 0, "D": 1, "S": 0}
    assert pairs(widget.shown)[:2] == [("a", "b"), ("a", "d")]
    assert widget.shown["importance"].to_list() == [1, 1, 0, 0, 0]
    widget.weights = WEIGHTS
    widget.min_importance = 0.75
    assert len(widget.shown) == 3
    widget.self_citations = "exclude"
    assert pairs(widget.shown) == [("c", "a"), ("a", "d")]
    widget.section, widget.facet = "D", "method"
    assert pairs(widget.shown) == [("a", "d")]


def test_direction_is_seen_from_the_papers_in_the_middle(widget: EdgeExplorer) -> None:
    widget.direction = "references"
    assert {citing for citing, _ in pairs(widget.shown)} == {"a"}
    widget.direction = "citing"
    assert pairs(widget.shown) == [("c", "a")]


def test_years_and_types_are_those_of_the_papers_around() -> None:
    papers = {
        "b": {"year": 2010, "type": "review-article"},
        "c": {"year": 2015, "type": "research-article"},
        "d": {"year": 2015},
    }
    widget = make_network(FIVE, papers=papers).explore()
    widget.years = "2012-"
    assert pairs(widget.shown) == [("c", "a"), ("a", "d")]
    widget.years = "2015"
    assert widget.years == "2015-2015"
    widget.type = "research-article"
    assert pairs(widget.shown) == [("c", "a")]
    with pytest.raises(ConfigError, match="years"):
        widget.years = "soon"


def test_other_weights_give_the_sum_of_the_products() -> None:
    rows = [scored("a", "b", f_I=2, f_M=3, self=1), scored("a", "c", f_D=1)]
    weighed = make_network(rows).weigh({"M": 0.5, "D": 2.0, "T": 7.0})
    assert weighed.citations["importance"].to_pylist() == [2.0 * 1, 0.5 * 3]
    assert weighed.citations["cited"].to_pylist() == ["c", "b"]
    assert (weighed.weights, weighed.run) == ({"M": 0.5, "D": 2.0, "T": 7.0}, None)
    unscored = make_network([{"citing": "a", "cited": "b", "f_I": None}]).weigh({"I": 1.0})
    assert unscored.citations["importance"].to_pylist() == [None]
    with pytest.raises(ConfigError, match="no component 'X'; expected I, M"):
        unscored.weigh({"X": 1.0})


def explored(store: GraphStore, folder: Path) -> EdgeExplorer:
    context = Context(store.location, folder)
    context.use(store)
    around = find_neighbourhood(store, [SEED], Filters(), hops=1, limit=300)
    return replace(around, context=context).explore()


def test_reasons_come_from_the_graph(
    graph: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(widget_module, "EXPLAINED", 1)
    widget, sent = explored(graph, tmp_path), []
    assert [found["cited"]["id"] for found in widget.explanations] == [GENOME]  # the first one
    monkeypatch.setattr(widget, "send", sent.append)
    other = {"citing": "doi:10.1038/other.1", "cited": SEED}
    widget._handle_custom_msg(other, [])
    assert sent == [other]
    found = widget.explanations[-1]
    expected = explain(graph, other["citing"], other["cited"])
    assert (found["cited"]["id"], found["score"]) == (SEED, expected.score)
    assert found["notes"] == list(expected.notes)
    widget._handle_custom_msg({"citing": SEED, "cited": "doi:10.1038/old.1"}, [])
    widget._handle_custom_msg({"citing": ["a"], "cited": {}}, [])
    assert len(sent) == 1  # no citations of this network


def test_without_a_corpus_the_answer_is_an_error(
    widget: EdgeExplorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(widget, "send", sent.append)
    widget._handle_custom_msg({"citing": "a", "cited": "b"}, [])
    assert "no corpus" in sent[0]["error"]


def test_the_saved_form_is_an_output_of_its_own(
    widget: EdgeExplorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[dict[str, Any]] = []
    monkeypatch.setattr(widget_module, "display", lambda data, **_: shown.append(data))
    widget._ipython_display_()
    assert [{*data} for data in shown] == [
        {"application/vnd.jupyter.widget-view+json", "text/plain"},
        {"text/html", "text/plain"},
    ]
    assert widget.saved_as in shown[1]["text/html"]


def test_the_saved_form_has_picture_and_citations_without_scripts() -> None:
    papers = {"b": {"title": "Weedy rice", "surnames": ["Li"], "year": 2017}}
    rows = [*FIVE, *(scored("a", f"r{k}", f_I=1) for k in range(10))]
    page = html.fromstring(make_network(rows, papers=papers).explore().to_html())
    (source,) = page.xpath("//img/@src")
    drawing = etree.fromstring(b64decode(source.removeprefix("data:image/svg+xml;base64,")))
    assert len(drawing.findall("{*}circle")) == 5 + 10
    body = page.xpath("//tbody/tr")
    assert len(body) == widget_module.LISTED
    first = [cell.text_content() for cell in body[0]]
    assert first == ["2.0000", "a", "Li 2017", "Weedy rice", "1·0·0·1·0", "yes"]
    assert f"{len(rows) - len(body)} more citations" in page.text_content()
    assert not page.xpath("//script | //style | //link | //iframe")


def test_hostile_text_is_escaped_in_the_saved_form() -> None:
    hostile = {"title": HOSTILE, "surnames": [HOSTILE], "venue": HOSTILE}
    widget = make_network(
        [scored(HOSTILE, "a", f_I=1)], papers={HOSTILE: hostile, "a": hostile}
    ).explore()
    page = html.fromstring(widget.to_html())
    assert not page.xpath("//script | //@onerror | //@onload")
    assert len(page.xpath("//img")) == 1
    assert "<script>" in page.text_content()


def test_networks_without_citations_or_scores_are_shown() -> None:
    empty = make_network(()).explore()
    assert (len(empty.selection), len(empty.shown), empty.select([])) == (0, 0, 0)
    assert list(empty.selection)[:3] == ["importance", "citing", "cited"]
    assert "0 papers around a" in empty.to_html()
    unscored = make_network([{"citing": "a", "cited": "b", "self": None}], weights={}).explore()
    assert "not scored" in unscored.to_html()
    assert len(unscored.shown) == 1
    assert unscored.weights == {}


def test_the_state_is_plain_json(widget: EdgeExplorer) -> None:
    """What the script reads has neither tuples nor NaN."""
    network = widget.get_state()["network"]
    assert network == json.loads(json.dumps(network, allow_nan=False))
    assert {*network} >= {"seeds", "papers", "citations", "weights", "neighbours"}
    assert re.search(r"export\s*\{", widget.get_state()["_esm"])
