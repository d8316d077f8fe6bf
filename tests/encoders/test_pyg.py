"""Graphs for PyTorch Geometric, and neighbour sampling."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torch_geometric")

from torch_geometric.data import Data, HeteroData  # noqa: E402
from torch_geometric.sampler import NodeSamplerInput  # noqa: E402

from citescape.core.errors import ConfigError, StoreError  # noqa: E402
from citescape.encoders import pyg  # noqa: E402
from citescape.encoders.pyg_sampler import KeyedSampler  # noqa: E402
from citescape.networks.citations import Citations, build_citations  # noqa: E402
from citescape.networks.network import build_network  # noqa: E402
from citescape.store.graph_store import Change, GraphStore  # noqa: E402
from citescape.store.schema import NODE, REL  # noqa: E402
from tests.core.test_draws import plain_draw  # noqa: E402


@pytest.fixture
def citations() -> Citations:
    rows = [("b", "a", 1.0), ("c", "a", 2.0), ("c", "b", 3.0), ("d", "c", 4.0)]
    columns = dict(zip(("citing", "cited", "weight"), zip(*rows, strict=True), strict=True))
    return build_citations(pa.table({name: list(values) for name, values in columns.items()}))


def test_citations_are_directed(citations: Citations) -> None:
    data = pyg.citation_data(citations)
    data.validate()
    assert data.ids.to_pylist() == ["a", "b", "c", "d"]
    assert data.edge_index.tolist() == [[1, 2, 2, 3], [0, 0, 1, 2]]
    assert data.edge_weight.tolist() == [1, 2, 3, 4]
    assert data.num_nodes == 4


def test_networks_have_edges_in_both_directions(citations: Citations) -> None:
    ends = (citations.citing, citations.cited)
    network = build_network(citations.ids, ends, citations.weights)
    data = pyg.network_data(network)
    assert data.is_undirected()
    assert data.num_edges == 2 * network.edges


def fill(store: GraphStore) -> None:
    nodes = {
        "Paper": ["p2", "p0", "p1"],
        "Author": ["x", "y"],
        "Venue": ["v"],
        "Institution": ["i"],
    }
    links = {
        "CITES": ([("p2", "p0"), ("p1", "p0"), ("p2", "p1")], {"importance": [0.5, 0.25, 1.0]}),
        "WROTE": ([("x", "p0"), ("y", "p2"), ("x", "p1")], {}),
        "PUBLISHED_IN": ([("p1", "v")], {}),
        "AFFILIATED_WITH": ([("p0", "i"), ("p2", "i")], {}),
        "VERSION_OF": ([("p1", "p0")], {}),
    }
    changes = []
    for name, ids in nodes.items():
        changes.append(insertion(name, {"id": ids}, NODE[name].arrow))
    for name, (pairs, more) in links.items():
        ends = {"from": [a for a, _ in pairs], "to": [b for _, b in pairs]}
        changes.append(insertion(name, {**ends, **more}, REL[name].arrow))
    store.apply(changes)


def insertion(name: str, columns: dict[str, list[object]], schema: pa.Schema) -> Change:
    rows = len(next(iter(columns.values())))
    whole = {field: columns.get(field, pa.nulls(rows)) for field in schema.names}
    return Change("insert", name, pa.table(whole).cast(schema))


def test_a_store_becomes_a_heterogeneous_graph(store: GraphStore) -> None:
    fill(store)
    data = pyg.hetero_data(store)
    data.validate()
    assert data["Paper"].ids.to_pylist() == ["p0", "p1", "p2"]
    assert set(data.node_types) == {"Paper", "Author", "Venue", "Institution"}
    cites = data["Paper", "CITES", "Paper"]
    assert cites.edge_index.tolist() == [[1, 2, 2], [0, 0, 1]]
    assert cites.edge_weight.tolist() == [0.25, 0.5, 1.0]
    assert data["Author", "WROTE", "Paper"].edge_index.tolist() == [[0, 0, 1], [0, 1, 2]]
    assert data["Paper", "PUBLISHED_IN", "Venue"].edge_index.tolist() == [[1], [0]]
    assert data["Paper", "AFFILIATED_WITH", "Institution"].edge_index.tolist() == [[0, 2], [0, 0]]
    assert data["Paper", "VERSION_OF", "Paper"].edge_index.tolist() == [[1], [0]]
    batch = next(iter(pyg.neighbor_loader(data, [-1], input_nodes="Paper", batch_size=3)))
    assert batch["Paper"].n_id.tolist() == [0, 1, 2]
    assert batch["Author", "WROTE", "Paper"].edge_index.shape[1] == 3
    with pytest.raises(ConfigError, match="no relationship LIKES"):
        pyg.hetero_data(store, relations=["LIKES"])
    with pytest.raises(StoreError, match="holds no HAS_MESH"):
        pyg.hetero_data(store, relations=["HAS_MESH"])


class IncompleteStore:
    """A store that misses one paper among its nodes, as if added later."""

    def __init__(self, store: GraphStore) -> None:
        self.store, self.location = store, store.location

    def read(self, query: Any, **params: object) -> pa.Table:
        rows = self.store.read(query, **params)
        if "from" in rows.column_names or "p1" not in rows["id"].to_pylist():
            return rows
        return rows.filter(pc.not_equal(rows["id"], "p1"))


def test_edges_to_missing_nodes_are_refused(store: GraphStore) -> None:
    """p1 has one citation in each direction and one author."""
    fill(store)
    with pytest.raises(StoreError, match=r"1 times 'from' of CITES is not a node .* such as p1"):
        pyg.hetero_data(IncompleteStore(store), relations=["CITES"])  # type: ignore[arg-type]
    with pytest.raises(StoreError, match=r"1 times 'to' of WROTE"):
        pyg.hetero_data(IncompleteStore(store), relations=["WROTE"])  # type: ignore[arg-type]


def random_data(nodes: int = 200, edges: int = 3000, seed: int = 0) -> Data:
    chance = np.random.default_rng(seed)
    pairs = np.unique(chance.integers(0, nodes, (edges, 2)), axis=0)
    return Data(edge_index=torch.from_numpy(pairs.T.copy()), num_nodes=nodes)


def sample_with_sets(
    data: Data, seeds: list[int], fanouts: list[int], sampler: KeyedSampler
) -> list[Counter]:
    """Edges of each hop, computed with sets and Python integers."""
    (kind,) = sampler.incoming
    key, reached, frontier, hops = int(sampler.key(kind)), set(seeds), list(seeds), []
    pairs = sorted(zip(*reversed(data.edge_index.tolist()), strict=True))
    for fanout in fanouts:
        taken: list[tuple[int, int]] = []
        for node in frontier:
            sources = [source for target, source in pairs if target == node]
            chosen = set(range(len(sources)))
            if 0 <= fanout < len(sources):
                chosen = set()
                for last in range(len(sources) - fanout, len(sources)):
                    number = (plain_draw(key, node, last) >> 32) * (last + 1) >> 32
                    chosen.add(last if number in chosen else number)
            taken += [(sources[k], node) for k in chosen]
        frontier = sorted({source for source, _ in taken} - reached)
        reached |= set(frontier)
        hops.append(Counter(taken))
    return hops


@pytest.mark.parametrize("fanouts", [[5], [4, 3], [2, -1, 2], [-1, -1], [0]])
def test_sampling_equals_an_implementation_with_sets(fanouts: list[int]) -> None:
    data = random_data()
    sampler = KeyedSampler(data, fanouts, seed=3)
    seeds = [7, 3, 150]
    result = sampler.sample_from_nodes(NodeSamplerInput(None, torch.tensor(seeds)))
    assert result.node[:3].tolist() == seeds
    assert len(set(result.node.tolist())) == len(result.node)
    pairs = list(
        zip(result.node[result.row].tolist(), result.node[result.col].tolist(), strict=True)
    )
    assert pairs == list(zip(*data.edge_index[:, result.edge].tolist(), strict=True))
    ends = np.cumsum([0, *result.num_sampled_edges])
    hops = [Counter(pairs[a:b]) for a, b in pairwise(ends)]
    assert hops == sample_with_sets(data, seeds, fanouts, sampler)
    assert sum(result.num_sampled_nodes) == len(result.node)


def list_neighbours(sampler: KeyedSampler, data: Data, seeds: list[int]) -> dict[int, set[int]]:
    """Sampled neighbours of each seed in one hop."""
    result = sampler.sample_from_nodes(NodeSamplerInput(None, torch.tensor(seeds)))
    given: dict[int, set[int]] = {seed: set() for seed in seeds}
    for source, target in data.edge_index[:, result.edge].T.tolist():
        given[target].add(source)
    return given


def test_neighbours_depend_on_seed_epoch_and_node_only() -> None:
    data = random_data()
    sampler = KeyedSampler(data, [3], seed=1)
    whole = list_neighbours(sampler, data, list(range(200)))
    assert list_neighbours(sampler, data, [9, 5]) == {9: whole[9], 5: whole[5]}
    order = torch.randperm(data.num_edges, generator=torch.Generator().manual_seed(0))
    shuffled = Data(edge_index=data.edge_index[:, order], num_nodes=200)
    assert list_neighbours(KeyedSampler(shuffled, [3], seed=1), shuffled, list(range(200))) == whole
    sampler.epoch = 1
    assert list_neighbours(sampler, data, list(range(200))) != whole
    assert list_neighbours(KeyedSampler(data, [3], seed=2), data, list(range(200))) != whole


def test_neighbours_are_equally_likely() -> None:
    data = Data(edge_index=torch.tensor([list(range(1, 11)), [0] * 10]), num_nodes=11)
    counts: Counter[int] = Counter()
    for seed in range(2000):
        counts.update(list_neighbours(KeyedSampler(data, [3], seed=seed), data, [0])[0])
    expected = 2000 * 3 / 10
    square = sum((counts[k] - expected) ** 2 for k in range(1, 11)) / expected
    assert square < 27.9  # chi-square, 9 degrees of freedom, one in a thousand


@pytest.mark.parametrize("workers", [0, 2])
def test_the_loader_yields_correct_subgraphs(workers: int) -> None:
    data = random_data()
    data.x = torch.arange(200).float().unsqueeze(1)
    data.edge_weight = torch.arange(data.num_edges).float()
    data.ids = pa.array([f"p{k}" for k in range(200)])
    loader = pyg.neighbor_loader(data, [4, 2], seed=5, batch_size=64, num_workers=workers)
    seen = []
    for batch in loader:
        assert torch.equal(batch.x[:, 0].long(), batch.n_id)
        assert torch.equal(batch.edge_weight.long(), batch.e_id)
        assert torch.equal(batch.n_id[batch.edge_index], data.edge_index[:, batch.e_id])
        assert batch.num_sampled_nodes[0] == batch.batch_size
        assert batch.ids.take(batch.n_id.numpy())[0].as_py() == f"p{batch.n_id[0]}"
        incoming = torch.bincount(batch.edge_index[1])
        assert incoming.max() <= 4
        seen += batch.n_id[: batch.batch_size].tolist()
    assert sorted(seen) == list(range(200))


def test_shuffled_batches_follow_the_generator() -> None:
    data, orders = random_data(), []
    for seed in (1, 1, 2):
        chance = torch.Generator().manual_seed(seed)
        options = {"batch_size": 50, "shuffle": True, "generator": chance}
        loader = pyg.neighbor_loader(data, [2], input_nodes=torch.arange(100), **options)
        orders.append([k for batch in loader for k in batch.n_id[: batch.batch_size].tolist()])
    assert sorted(orders[0]) == list(range(100))
    assert orders[0] == orders[1] != orders[2]
    with pytest.raises(TypeError, match="neighbour_sampler"):
        pyg.neighbor_loader(data, [2], neighbour_sampler=None)  # type: ignore[call-arg]


def test_hetero_fanouts_hold_for_each_relation() -> None:
    data = HeteroData()
    data["Paper"].num_nodes, data["Author"].num_nodes = 50, 30
    chance = torch.Generator().manual_seed(0)
    for kind, size in ((("Paper", "CITES", "Paper"), 50), (("Author", "WROTE", "Paper"), 30)):
        sources = torch.randint(0, size, (600,), generator=chance)
        targets = torch.randint(0, 50, (600,), generator=chance)
        data[kind].edge_index = torch.stack([sources, targets])
    loader = pyg.neighbor_loader(data, [3, 2], input_nodes="Paper", batch_size=10)
    for batch in loader:
        for kind in data.edge_types:
            edges = batch[kind]
            ends = torch.stack(
                [batch[kind[0]].n_id[edges.edge_index[0]], batch[kind[2]].n_id[edges.edge_index[1]]]
            )
            assert torch.equal(ends, data[kind].edge_index[:, edges.e_id])
            assert torch.bincount(edges.edge_index[1], minlength=10)[:10].max() == 3


def test_invalid_fanouts_are_refused() -> None:
    for fanouts in ([], [-2]):
        with pytest.raises(ConfigError, match="a number for each hop"):
            KeyedSampler(random_data(), fanouts)


def test_a_missing_library_is_reported(
    monkeypatch: pytest.MonkeyPatch, citations: Citations
) -> None:
    monkeypatch.setattr("citescape.core.extras.find_spec", lambda _: None)
    with pytest.raises(ConfigError, match=r"'citescape\[learn,pyg\]'"):
        pyg.citation_data(citations)
