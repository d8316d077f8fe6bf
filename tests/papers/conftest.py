"""Random small citation graphs, as the tests of importance load them."""

from tests.importance.conftest import load, make_graph, small_graphs  # noqa: F401
