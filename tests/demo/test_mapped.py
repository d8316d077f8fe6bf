"""The demo draws maps: communities of networks compared with planted topics."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from lxml import html

from citescape.corpus_report.build import build_report
from citescape.demo.mapped import (
    KINDS,
    NetworkRecovery,
    TopicRecovery,
    check_topics,
    recover_topics,
)
from citescape.demo.planted import plant_vectors
from citescape.demo.recovery import Check, works_by_node
from citescape.demo.sections import show_mapping
from citescape.demo.world import World
from citescape.reports.content import ReportContent, Verdict
from citescape.reports.page import write_page
from citescape.runs.directory import RunRecord
from citescape.search.graph_vectors import write_embeddings
from citescape.search.vectors import Vectors
from citescape.store.graph_store import GraphStore
from tests.demo.conftest import corpus_of

Plant = Callable[..., GraphStore]


def embed(store: GraphStore, world: World) -> None:
    """Writes vectors that depend mainly on the topic of a paper."""
    nodes = sorted((str(node), work) for node, work in works_by_node(store, world).items())
    topics = np.array([world.works[work].topic for _, work in nodes])
    values = plant_vectors(
        {"topic": (topics, 1.0)}, noise=0.3, dimensions=16, rng=np.random.default_rng(0)
    )
    ids = pa.array([node for node, _ in nodes])
    papers = pa.table({"id": ids, "text": pa.repeat("title", len(ids))})
    write_embeddings(store, Vectors(papers, values), RunRecord("embed-1", "embed", {}, {}))


def test_without_vectors_a_text_network_is_drawn(
    plant: Plant, world: World, tmp_path: Path
) -> None:
    corpus = corpus_of(plant(), tmp_path)
    recovered = recover_topics(corpus, world, kinds=("bm25", "citation"), seeds=2)
    assert [network.kind for network in recovered.networks] == ["bm25", "citation"]
    assert len(recovered.checks) == 1
    page = html.fromstring(build_report(corpus.context, tmp_path / "page.html").path.read_text())
    assert "Papers with strong links are close together" in page.text_content()


def test_topics_are_recovered_labelled_and_drawn(
    plant: Plant, world: World, tmp_path: Path
) -> None:
    store = plant()
    embed(store, world)
    corpus = corpus_of(store, tmp_path)
    recovered = recover_topics(corpus, world, seeds=2)
    planted = {world.works[paper].topic for paper in range(world.papers)}
    assert recovered.topics == len(planted)
    assert tuple(network.kind for network in recovered.networks) == KINDS
    knn, bm25 = recovered.networks[:2]
    assert knn.mean > 0.85, "vectors depend on the topic only"
    assert bm25.mean > 0.3, "titles alone hold less"
    assert all(-1 <= value <= 1 for network in recovered.networks for value in network.agreement)
    assert [check.found for check in recovered.checks] == [knn.mean, bm25.mean], (
        "60 are too few papers"
    )
    rows = store.read("MATCH (c:Community) RETURN c.label AS label, c.x AS x")
    labels = list(filter(None, rows["label"].to_pylist()))
    assert len(labels) == len(set(labels))
    assert recovered.topics - 1 <= len(labels) <= recovered.topics, "a topic of one has no terms"
    assert rows["x"].null_count == 0
    page = html.fromstring(build_report(corpus.context, tmp_path / "page.html").path.read_text())
    (image,) = page.iter("img")
    assert image.get("src").startswith("data:image/png;base64,")
    shown = image.get("alt").removeprefix("Map of topics: ").split(", ")
    assert sorted(shown) == sorted(labels)
    links = [link.get("href") for link in page.xpath(".//figcaption//a")]
    assert [(tmp_path / link).is_file() for link in links] == [True]
    (table,) = page.xpath(".//section[@aria-labelledby='nearest']//table")
    assert len(table.findall(".//tbody/tr")) == 5


@pytest.mark.parametrize("papers", [299, 300])
@pytest.mark.parametrize("importance", [(0.7, 0.75), (0.5, 0.55)])
def test_checks_of_topics(papers: int, importance: tuple[float, ...]) -> None:
    """Importance is compared with citations, by means, if the world is large enough."""
    planted = {"knn": (0.9, 1.0), "bm25": (0.8, 0.8), "citation": (0.6, 0.6)}
    result = [
        NetworkRecovery(kind, 7, figures_)
        for kind, figures_ in {**planted, "importance": importance}.items()
    ]
    checks = list(check_topics(result, papers))
    assert [check.passed for check in checks[:2]] == [True, False]
    if papers < 300:
        assert len(checks) == 2
        return
    (check,) = checks[2:]
    assert (check.found, check.expected) == (pytest.approx(sum(importance) / 2), 0.6)
    assert check.passed == (importance[0] > 0.6)


def test_the_report_shows_networks() -> None:
    networks = (
        NetworkRecovery("knn", 1234, (0.9, 1.0)),
        NetworkRecovery("citation", 56, (0.5, 0.5)),
    )
    checks = (Check("planted <topics>", 0.95, "≥", 0.85), Check("lead", -0.5, "≥", 0.0))
    shown = show_mapping(TopicRecovery(12, networks, checks))
    assert shown.section
    page = html.fromstring(write_page(ReportContent("", "", "", "", [], [shown.section], "")))
    (table,) = page.xpath(".//table[caption[starts-with(., 'Agreement of')]]")
    rows = [[cell.text_content() for cell in row] for row in table.xpath("./tbody/tr")]
    deviation = (2 * 0.05**2) ** 0.5  # of two seeds .05 above and below their mean
    assert rows == [
        ["knn", "nearest papers by their vectors", "1,234", f"0.950 ± {deviation:.3f}"],
        ["citation", "one cites the other (DC)", "56", "0.500 ± 0.000"],
    ]
    text = " ".join(page.text_content().split())
    assert "as many communities as planted topics, 12" in text
    assert "planted <topics>" in text
    assert shown.verdict == Verdict("1 of 2 comparisons of networks fail.", False)
    assert len(shown.lines) == 3
