"""The demo maps: communities of networks beside the planted topics, named and drawn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from lxml import html

from citescape.demo.mapped import (
    KINDS,
    Charted,
    Recovered,
    RecoveredTopics,
    check_topics,
    recover_topics,
)
from citescape.demo.planted import plant_vectors
from citescape.demo.recovery import Check, works_by_node
from citescape.demo.report import write_report
from citescape.demo.world import World
from citescape.runs.directory import RunRecord
from citescape.search.graph_vectors import write_embeddings
from citescape.search.vectors import Vectors
from citescape.store.graph_store import GraphStore

Plant = Callable[..., GraphStore]


def embed(store: GraphStore, world: World) -> None:
    """Vectors in the graph that tell the topic of a paper, and little else."""
    nodes = sorted((str(node), work) for node, work in works_by_node(store, world).items())
    topics = np.array([world.works[work].topic for _, work in nodes])
    values = plant_vectors(
        {"topic": (topics, 1.0)}, noise=0.3, dimensions=16, rng=np.random.default_rng(0)
    )
    ids = pa.array([node for node, _ in nodes])
    papers = pa.table({"id": ids, "text": pa.repeat("title", len(ids))})
    write_embeddings(store, Vectors(papers, values), RunRecord("embed-1", "embed", {}, {}))


def test_without_vectors_a_network_of_texts_is_drawn(
    plant: Plant, world: World, tmp_path: Path
) -> None:
    found = recover_topics(plant(), world, tmp_path / "runs", kinds=("bm25", "citation"), seeds=2)
    assert [network.kind for network in found.networks] == ["bm25", "citation"]
    assert len(found.checks) == 1
    assert found.chart is not None
    assert found.chart.kind == "bm25"
    page = write_report(plant(), tmp_path, mapped=found, skipped=["skipped: a; install 'b'"])
    text = html.fromstring(page.read_text()).text_content()
    assert "Placed by the edges of the network" in text
    assert "Skipped: a; install 'b'" in text


def test_topics_are_found_named_and_drawn(plant: Plant, world: World, tmp_path: Path) -> None:
    store = plant()
    embed(store, world)
    told: list[str] = []
    found = recover_topics(store, world, tmp_path / "runs", seeds=2, progress=told.append)
    planted = {world.works[paper].topic for paper in range(world.papers)}
    assert found.topics == len(planted)
    assert tuple(one.kind for one in found.networks) == KINDS
    knn, bm25 = found.networks[:2]
    assert knn.mean > 0.85, "vectors tell nothing but the topic"
    assert bm25.mean > 0.3, "titles alone tell less"
    assert all(-1 <= value <= 1 for one in found.networks for value in one.agreement)
    assert [check.found for check in found.checks] == [knn.mean, bm25.mean], "60 are too few papers"
    assert "drawing a map" in told
    assert found.chart is not None
    assert len(found.chart.labels) == len(set(found.chart.labels))
    assert found.topics - 1 <= len(found.chart.labels) <= found.topics, (
        "a topic of one has no terms"
    )
    assert found.chart.picture.read_bytes().startswith(b"\x89PNG")
    assert found.chart.page.is_file()
    rows = store.read("MATCH (c:Community) RETURN c.label AS label, c.x AS x")
    assert sorted(filter(None, rows["label"].to_pylist())) == sorted(found.chart.labels)
    assert rows["x"].null_count == 0


@pytest.mark.parametrize("papers", [299, 300])
@pytest.mark.parametrize("importance", [(0.7, 0.75), (0.5, 0.55)])
def test_what_must_hold(papers: int, importance: tuple[float, ...]) -> None:
    """Importance beside citations is checked where a world is large enough, by means."""
    planted = {"knn": (0.9, 1.0), "bm25": (0.8, 0.8), "citation": (0.6, 0.6)}
    found = [Recovered(kind, 7, one) for kind, one in {**planted, "importance": importance}.items()]
    checks = list(check_topics(found, papers))
    assert [check.passed for check in checks[:2]] == [True, False]
    if papers < 300:
        assert len(checks) == 2
        return
    (check,) = checks[2:]
    assert (check.found, check.expected) == (pytest.approx(sum(importance) / 2), 0.6)
    assert check.passed == (importance[0] > 0.6)


def test_the_report_shows_networks_and_map(plant: Plant, tmp_path: Path) -> None:
    picture = tmp_path / "map.png"
    picture.write_bytes(b"\x89PNG")
    networks = (
        Recovered("knn", 1234, (0.9, 1.0)),
        Recovered("citation", 56, (0.5, 0.5)),
    )
    checks = (Check("planted <topics>", 0.95, "≥", 0.85), Check("lead", -0.5, "≥", 0.0))
    drawn = tmp_path / "out" / "runs" / "map 1" / "map.html"
    chart = Charted("knn", ("salt & stress", "<rust>"), picture, drawn)
    mapped = RecoveredTopics(12, networks, checks, chart)
    page = html.fromstring(write_report(plant(), tmp_path / "out", mapped=mapped).read_text())
    (table,) = page.xpath(".//table[caption[starts-with(., 'Communities beside')]]")
    rows = [[cell.text_content() for cell in row] for row in table.xpath("./tbody/tr")]
    deviation = (2 * 0.05**2) ** 0.5  # of two seeds .05 to either side of their mean
    assert rows == [
        ["knn", "nearest papers by their vectors", "1,234", f"0.950 ± {deviation:.3f}"],
        ["citation", "one cites the other (DC)", "56", "0.500 ± 0.000"],
    ]
    text = " ".join(page.text_content().split())
    assert "as topics were planted, 12, which is all it was told" in text
    assert "1 of 2 comparisons of networks fail." in text
    links = {link.get("href"): link.text for link in page.xpath(".//figcaption//a")}
    assert links == {"runs/map%201/map.html": "to zoom and search"}
    (image,) = page.iter("img")
    assert image.get("src").startswith("data:image/png;base64,")
    assert image.get("alt") == "Map of topics: salt & stress, <rust>"


def test_without_networks_nothing_is_said_of_them(plant: Plant, tmp_path: Path) -> None:
    text = write_report(plant(), tmp_path).read_text(encoding="utf-8")
    assert "What the field looks like" not in text
    assert "<img" not in text
