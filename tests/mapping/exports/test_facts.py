"""Citation data of papers and edges, compared with dictionaries of pairs, on both engines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from citescape.mapping.exports.facts import COUNTED, CitationFacts, read_facts
from citescape.networks.network import Network, build_network
from citescape.store.graph_store import GraphStore
from citescape.store.state import IMPORTANCE_RUN, write_meta
from tests.importance.conftest import insert

NAMES = ("from", "to", "mentions", "importance", "n_background", "n_method", "n_result")


def random_rows(seed: int, papers: int = 12) -> list[dict[str, Any]]:
    """Random citations, some in both directions, and one self-citing paper."""
    chance = np.random.default_rng(seed)
    pairs = {(int(i), int(j)) for i, j in chance.integers(0, papers, (4 * papers, 2))} | {(1, 1)}
    return [
        dict(
            zip(
                NAMES,
                (f"p{i:02d}", f"p{j:02d}", int(chance.integers(0, 9)), float(chance.random()),
                 *map(int, chance.integers(0, 4, 3))),
                strict=True,
            )
        )
        for i, j in sorted(pairs)
    ]  # fmt: skip


def fill(store: GraphStore, rows: list[dict[str, Any]], *, scored: bool = True) -> GraphStore:
    ids = sorted({row[end] for row in rows for end in ("from", "to")})
    insert(store, "Paper", [{"id": id_} for id_ in ids])
    insert(store, "CITES", rows)
    write_meta(store, IMPORTANCE_RUN, "score-1" if scored else "")
    return store


def random_network(seed: int, papers: int = 9) -> Network:
    """Random network with fewer papers than the store, and one that is not in the store."""
    chance = np.random.default_rng(seed + 100)
    ids = pa.array([*(f"p{k:02d}" for k in range(papers)), "zz"])
    first, second = chance.integers(0, papers + 1, (2, 4 * papers))
    tied = build_network(ids, (first, second), np.ones(len(first)))
    tied.weights.data[:] = 1.0
    return tied


def expected(rows: list[dict[str, Any]], network: Network) -> tuple[list[Any], list[Any]]:
    """Sums for each paper and each edge, citation by citation."""
    ids = network.ids.to_pylist()
    kept = [row for row in rows if row["from"] != row["to"]]
    received = [sums([row for row in kept if row["to"] == id_]) for id_ in ids]
    links = []
    for i, j, _ in zip(*network.upper(), strict=True):
        forward = [row for row in kept if (row["from"], row["to"]) == (ids[i], ids[j])]
        back = [row for row in kept if (row["from"], row["to"]) == (ids[j], ids[i])]
        citing = ("both" if back else "source") if forward else ("target" if back else None)
        links.append((citing, sums(forward + back) if citing else (0, *[None] * len(COUNTED))))
    return received, links


def sums(rows: list[dict[str, Any]]) -> tuple[Any, ...]:
    totals = (sum(row[name] for row in rows) for name in NAMES[2:])
    return (len(rows), *totals)


def check(found: CitationFacts, rows: list[dict[str, Any]], network: Network) -> None:
    received, links = expected(rows, network)
    for row, (number, *totals) in zip(found.received.to_pylist(), received, strict=True):
        assert row.pop("citations") == number
        assert row == pytest.approx(dict(zip(COUNTED, totals, strict=True)))
    for row, (citing, (_, *totals)) in zip(found.links.to_pylist(), links, strict=True):
        assert row.pop("citing") == citing
        assert row == pytest.approx(dict(zip(COUNTED, totals, strict=True)))


@pytest.mark.parametrize("seed", [1, 2])
def test_sums_over_citations(store: GraphStore, seed: int) -> None:
    rows, network = random_rows(seed), random_network(seed)
    messages: list[str] = []
    found = read_facts(fill(store, rows), network, progress=messages.append)
    check(found, rows, network)
    assert set(found.links["citing"].to_pylist()) == {None, "source", "target", "both"}
    assert found.missing == ()
    assert messages[-1] == f"reading citations: {len(rows)} of {len(rows)}"


def test_the_order_of_rows_does_not_matter(fresh_store: Callable[[], GraphStore]) -> None:
    rows, network = random_rows(3, papers=30), random_network(3, papers=25)
    first = read_facts(fill(fresh_store(), rows), network)
    second = read_facts(fill(fresh_store(), rows[::-1]), network)
    assert first.received.equals(second.received)
    assert first.links.equals(second.links)


def test_missing_data_is_left_out_and_reported(store: GraphStore) -> None:
    rows = [{**row, **dict.fromkeys(NAMES[3:])} for row in random_rows(0)]
    found = read_facts(fill(store, rows, scored=False), random_network(0))
    assert found.received.column_names == ["citations", "mentions"]
    assert found.links.column_names == ["citing", "mentions"]
    score, label = found.missing
    assert score.startswith("importance is missing: run `platform score")
    assert label.startswith("contexts by intent are missing: run `platform text intents label")


def test_outdated_importance_is_left_out(store: GraphStore) -> None:
    found = read_facts(fill(store, random_rows(0), scored=False), random_network(0))
    assert "importance" not in found.received.column_names
    assert "method" in found.received.column_names


def test_incomplete_intents_are_left_out(store: GraphStore) -> None:
    fill(store, random_rows(0))
    sentences = [
        {"id": "p00#1", "intents": ["method"], "intent_run": "intents-1"},
        {"id": "p01#1", "intents": None, "intent_run": None},
    ]
    insert(store, "Occurrence", sentences)
    found = read_facts(store, random_network(0))
    assert found.received.column_names == ["citations", "mentions", "importance"]
    assert [message[:8] for message in found.missing] == ["contexts"]


def test_a_store_without_citations(store: GraphStore) -> None:
    insert(store, "Paper", [{"id": "p00"}])
    found = read_facts(store, random_network(0))
    assert set(found.received["citations"].to_pylist()) == {0}
    assert found.links["citing"].null_count == random_network(0).edges
    assert found.missing == ()
