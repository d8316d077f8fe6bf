"""SGC, compared with PyTorch Geometric and by hand."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from scipy.sparse import csr_array, random_array

from citescape.core.errors import ConfigError
from citescape.encoders.sgc import encode_sgc
from citescape.networks.network import Network


def network(size: int, seed: int) -> Network:
    half = random_array((size, size), density=0.1, rng=np.random.default_rng(seed)).tocsr()
    half.setdiag(0)
    half.eliminate_zeros()
    return Network(pa.array([f"p{k:03}" for k in range(size)]), csr_array(half + half.T))


def test_propagation_between_two_papers_by_hand() -> None:
    pair = Network(pa.array(["a", "b"]), csr_array(np.array([[0.0, 3.0], [3.0, 0.0]])))
    features = np.array([[1.0], [5.0]])
    # Both rows of A + I sum to 4: S = [[1/4, 3/4], [3/4, 1/4]]
    assert encode_sgc(pair, features, steps=1)[:, 0].tolist() == [
        1 / 4 + 5 * 3 / 4,
        3 / 4 + 5 * 1 / 4,
    ]


@pytest.mark.parametrize("steps", [0, 1, 2, 3])
def test_propagation_equals_pytorch_geometric(steps: int) -> None:
    torch = pytest.importorskip("torch")
    nn = pytest.importorskip("torch_geometric.nn")
    from citescape.encoders.pyg import network_data

    graph = network(40, seed=0)
    features = np.random.default_rng(1).random((40, 6), np.float32)
    result = encode_sgc(graph, features, steps=steps)
    data = network_data(graph)
    layer = nn.SGConv(6, 6, K=steps, bias=False)
    with torch.no_grad():
        layer.lin.weight.copy_(torch.eye(6))
        expected = layer(torch.from_numpy(features), data.edge_index, data.edge_weight)
    np.testing.assert_allclose(result, expected.numpy(), rtol=1e-5)


def test_an_isolated_paper_keeps_its_features() -> None:
    weights = np.zeros((3, 3))
    weights[0, 1] = weights[1, 0] = 1
    features = np.eye(3)
    result = encode_sgc(Network(pa.array(["a", "b", "c"]), csr_array(weights)), features)
    assert result[2].tolist() == [0, 0, 1]


def test_invalid_arguments_are_refused() -> None:
    with pytest.raises(ConfigError, match="a row for each"):
        encode_sgc(network(4, seed=0), np.eye(3))
    with pytest.raises(ConfigError, match="0 or more"):
        encode_sgc(network(4, seed=0), np.eye(4), steps=-1)
