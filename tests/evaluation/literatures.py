"""Small literatures, given or random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from citescape.core import csr
from citescape.core.types import Document
from citescape.evaluation.literature import Adjacency, Literature
from citescape.mapping.communities.fields import Fields
from citescape.papers.documents import make_corpus

ABSTRACT = "An abstract of thirty characters and more."


def build(
    cites: Mapping[int, Sequence[int]],
    size: int,
    *,
    years: Mapping[int, int] | None = None,
    fields: Mapping[str, Sequence[int]] | None = None,
    documents: Sequence[Document] | None = None,
    types: Mapping[int, str] | None = None,
) -> Literature:
    """Papers 0 to size - 1; by default from 2019, of unknown type and of the field `F`."""
    pairs = [(citing, cited) for citing, found in cites.items() for cited in found]
    citing, cited = (np.array(end, np.int32) for end in zip(*pairs, strict=True))
    members = fields or {"F": range(size)}
    shares = np.zeros((size, len(members)))
    for code, papers in enumerate(members.values()):
        shares[list(papers), code] = 1.0
    ids = pa.array([f"p{paper:03}" for paper in range(size)])
    texts = documents or [Document(f"Title {paper}", ABSTRACT) for paper in range(size)]
    return Literature(
        make_corpus(ids, texts),
        np.array([(years or {}).get(paper, 2019) for paper in range(size)], np.int32),
        pa.array([(types or {}).get(paper, "") for paper in range(size)]),
        Adjacency(*csr.group(citing, cited, size)),
        Fields(tuple(members), csr_array(shares)),
    )


def draw(
    size: int = 400,
    *,
    seed: int = 0,
    fields: int = 3,
    references: int = 12,
    types: Mapping[int, str] | None = None,
) -> Literature:
    """Papers of several years and fields that mostly cite older papers of their own field."""
    chance = np.random.default_rng(seed)
    field = chance.integers(fields, size=size)
    years = np.sort(chance.integers(2010, 2020, size=size))
    words = [[f"word{k}x{n}" for n in range(30)] for k in range(fields)]
    cites = {}
    for paper in range(20, size):
        own = np.flatnonzero((field == field[paper]) & (np.arange(size) < paper))
        others = chance.choice(paper, 3, replace=False)
        count = min(references, len(own))
        cites[paper] = sorted({*chance.choice(own, count, replace=False), *others} - {paper})
    texts = [Document(" ".join(chance.choice(words[field[p]], 5)), ABSTRACT) for p in range(size)]
    members = {f"field {k}": np.flatnonzero(field == k).tolist() for k in range(fields)}
    dated = dict(enumerate(years.tolist()))
    return build(cites, size, years=dated, fields=members, documents=texts, types=types)
