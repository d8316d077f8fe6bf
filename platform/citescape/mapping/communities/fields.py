"""Fields of papers, and the main field of each community."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from citescape.core.errors import invalid_choice
from citescape.core.pairs import find_rows
from citescape.mapping.communities.criteria import CRITERIA, LABELS, read_label_pairs
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

FIELDS: Mapping[str, str] = {name: CRITERIA[name].meaning for name in ("subjects", "venue", LABELS)}
"""Kind of fields -> meaning."""
_ARTICLE_TYPE = re.compile(
    r"[\d\W]+|(?:abstract|access|addendum|and|article|author|brief|case|clinical|commentary|"
    "communication|contribution|correction|correspondence|corrigenda|corrigendum|data|database|editor|editorial|empirical|erratum|feature|full|guideline|hypothesis|image|interview|invited|issue|length|letter|method|methodology|mini|mini-?review|new|note|of|online|open|opinion|original|paper|perspective|primary|proceeding|protocol|publisher|rapid|regular|report|research|resource|retraction|review|scientific|short|special|studie|study|supplement|systematic|technical|the|theory|to|view)s?"
)
"""Words of headings that name the type of an article, not its subject."""


@dataclass(frozen=True)
class Fields:
    """Fields of each paper."""

    names: tuple[str, ...]
    """(fields,) ascending."""
    shares: csr_array
    """(papers, fields) float64: 1 / m for each of the m fields of a paper; rows may be empty."""
    unknown: int = 0
    """Number of lines of the label file that match no paper of the store."""

    @property
    def without(self) -> int:
        """Number of papers without a field."""
        return int((np.diff(self.shares.indptr) == 0).sum())

    def fingerprint(self) -> str:
        """SHA-256 of names and shares."""
        digest = hashlib.sha256("\n".join(self.names).encode())
        for part in (self.shares.indptr.astype(np.int64), self.shares.indices.astype(np.int64)):
            digest.update(part.tobytes())
        return digest.hexdigest()


def read_fields(
    store: GraphStore,
    kind: str,
    works: pa.Table,
    *,
    ids: pa.StringArray,
    labels: Sequence[tuple[str, str]] = (),
) -> Fields:
    """Reads the fields of some papers.

    Headings that name a type of article (`Original Research`) are not subjects.

    Args:
        store: store to read.
        kind: a key of `FIELDS`.
        works: `id` and `venue` of papers.
        ids: (papers,) ascending.
        labels: identifier and field, for the kind `labels`; several fields are separated by `;`.

    Raises:
        ConfigError: no such fields.
    """
    if kind not in FIELDS:
        raise invalid_choice("fields", kind, FIELDS)
    if kind == "venue":
        pairs = zip(works["id"].to_pylist(), works["venue"].to_pylist(), strict=True)
        return build_fields(ids, ((paper, venue or "") for paper, venue in pairs))
    if kind == LABELS:
        papers, fields, unknown = read_label_pairs(store, labels)
        return replace(build_fields(ids, zip(papers, fields, strict=True)), unknown=unknown)
    rows = store.read(query("communities/subject_texts"))
    pairs = zip(rows["paper"].to_pylist(), rows["term"].to_pylist(), strict=True)
    return build_fields(
        ids, ((paper, text or "") for paper, text in pairs if not is_article_type(text))
    )


def is_article_type(heading: str | None) -> bool:
    """Whether a heading names a type of article, such as `Short Communications`."""
    return all(map(_ARTICLE_TYPE.fullmatch, (heading or "").casefold().split()))


def build_fields(ids: pa.StringArray, pairs: Iterable[tuple[str, str]]) -> Fields:
    """Builds fields from papers and names, in any order.

    Names that differ only in capitals, full stops or spaces are one field, shown in its most
    frequent form (ties: the lowest). A paper counts 1 / m for each of its m fields.

    `ids` (papers,) ascend. Other papers and empty names are skipped.
    """
    plain = [(paper, " ".join(name.split())) for paper, name in pairs]
    rows = find_rows(pa.array([paper for paper, _ in plain], pa.string()), ids)
    known = [(row, name) for row, (_, name) in zip(rows, plain, strict=True) if row >= 0 and name]
    shown: dict[str, str] = {}  # folded name -> displayed form
    frequencies = Counter(name for _, name in known)
    for name, _ in sorted(frequencies.items(), key=lambda item: (-item[1], item[0])):
        shown.setdefault(fold_name(name), name)
    names = sorted(set(shown.values()))
    places = {name: place for place, name in enumerate(names)}
    pairs_of_codes = {(int(row), places[shown[fold_name(name)]]) for row, name in known}
    ends = np.array(sorted(pairs_of_codes), np.int64).reshape(-1, 2)
    several = np.bincount(ends[:, 0], minlength=len(ids)).astype(np.float64)
    shares = (1 / several[ends[:, 0]], (ends[:, 0], ends[:, 1]))
    return Fields(tuple(names), csr_array(shares, shape=(len(ids), len(names))))


def fold_name(name: str) -> str:
    """Folds capitals, full stops and extra spaces, so that spellings of a name are equal."""
    return " ".join(name.casefold().replace(".", " ").split())


def find_main_fields(fields: Fields, members: csr_array) -> list[str | None]:
    """Finds the most frequent field of each community; ties: the lowest name.

    A paper counts 1 for each of its fields: otherwise journals with twenty subjects per paper would
    have less weight than journals with one.

    `members` (communities, papers), see `labels.build_members`.

    Returns:
        (communities,) None if no paper has a field.
    """
    shares = fields.shares
    has_field = csr_array((np.ones(shares.nnz), shares.indices, shares.indptr), shape=shares.shape)
    counts = (members @ has_field).tocsr()
    counts.sort_indices()
    main: list[str | None] = []
    for first, last in zip(counts.indptr, counts.indptr[1:], strict=False):
        best = counts.indices[first + counts.data[first:last].argmax()] if last > first else -1
        main.append(fields.names[best] if best >= 0 else None)
    return main
