"""What a network promises of its matrix."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from scipy.sparse import coo_array, csr_array

from citescape.errors import ConfigError
from citescape.networks.network import Network

IDS = pa.array(["a", "b", "c"])


def test_each_edge_counts_once_and_stands_twice() -> None:
    network = Network(IDS, csr_array(np.array([[0, 2, 0], [2, 0, 1], [0, 1, 0.0]])))
    assert (network.edges, network.weights.nnz) == (2, 4)


def test_indices_are_sorted() -> None:
    rows, columns = [0, 0, 1, 2], [2, 1, 0, 0]
    given = csr_array(coo_array(([1.0] * 4, (rows, columns)), shape=(3, 3)))
    given.indices[:2], given.has_sorted_indices = [2, 1], False
    assert Network(IDS, given).weights.indices.tolist() == [1, 2, 0, 0]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.zeros((2, 2)), r"3 papers needs weights of shape \(3, 3\); found \(2, 2\)"),
        (np.diag([0, 1.0, 0]), "no self-loops"),
        (np.array([[0, 1, 0], [2, 0, 0], [0, 0, 0.0]]), "symmetric"),
        (np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0.0]]), "symmetric"),
    ],
)
def test_what_is_no_network_is_refused(weights: np.ndarray, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Network(IDS, csr_array(weights))


def test_a_network_may_be_empty() -> None:
    assert Network(IDS, csr_array((3, 3))).edges == 0
