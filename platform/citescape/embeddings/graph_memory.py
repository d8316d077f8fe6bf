"""Embeds citations in memory, without a run directory."""

from __future__ import annotations

import numpy as np

from citescape.embeddings.graph_compose import compose_vectors, paper_table
from citescape.encoders.graph_config import WAYS, GraphConfig
from citescape.networks.citations import Citations
from citescape.search.vectors import Vectors


def embed_citations(citations: Citations, config: GraphConfig | None = None) -> Vectors:
    """Vectors of all papers of a graph, as in `platform train graph`.

    Args:
        citations: weighted citations; each paper cites or is cited.
        config: settings of the embedding.
    """
    from citescape.encoders.graph import fit
    from citescape.encoders.graph_edges import make_edges

    config = config or GraphConfig()
    ends = (citations.citing, citations.cited)
    edges = make_edges(*ends, citations.weights, nodes=len(citations.ids))
    fitted = fit(edges, config)
    papers = paper_table(citations)
    tables = (np.asarray(fitted.sources), np.asarray(fitted.targets))
    return Vectors(papers, compose_vectors(papers, tables, way=WAYS[0], graph=config))
