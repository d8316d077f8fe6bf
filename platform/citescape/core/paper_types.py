"""Types of papers: research, review and other, as `article-type` of JATS and other sources say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from citescape.core.errors import ConfigError, list_some

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

UNKNOWN = "unknown"
"""Group of papers without a type: tables, and works known from reference lists only."""
GROUPS = {
    "research": (
        "research-article",
        "brief-report",
        "rapid-communication",
        "case-report",
        "methods-article",
        "data-paper",
        "clinical-trial",
    ),
    "review": ("review-article", "systematic-review"),
    UNKNOWN: ("",),
}
"""Name -> types. All other types (editorials, letters, corrections, ...) are named themselves."""
RESEARCH = ("research", UNKNOWN)
"""Papers whose citations give the weights of importance by default."""
ALL = "all"


def expand_types(chosen: Sequence[str]) -> tuple[str, ...]:
    """The types of groups and types by name; empty for all types."""
    if ALL in chosen:
        return ()
    return tuple(dict.fromkeys(type_ for name in chosen for type_ in GROUPS.get(name, (name,))))


def select_types(
    types: pa.ChunkedArray, chosen: Sequence[str], *, known: pa.ChunkedArray | None = None
) -> npt.NDArray[np.bool_]:
    """Whether each paper has one of the chosen types (n,).

    Args:
        types: (n,) type of each paper; null or empty if unknown.
        chosen: types and groups of types, or `all`.
        known: types of all papers of the store; by default those of `types`.

    Raises:
        ConfigError: a chosen type is neither a group nor the type of a paper.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    types = pc.fill_null(types.cast(pa.string()), "")
    known = types if known is None else known
    names = {*GROUPS, ALL, *known.unique().to_pylist()}
    strange = [name for name in chosen if name not in names]
    if strange:
        raise ConfigError(
            f"no paper has the type {strange[0]!r}; expected {ALL}, {', '.join(GROUPS)}, or one of "
            f"the types in the store: {_list_types(known)}"
        )
    expanded = expand_types(chosen)
    if not expanded:
        return np.ones(len(types), bool)
    mask = pc.is_in(types, value_set=pa.array(expanded, pa.string()))
    return np.asarray(mask.to_numpy(), bool)


def explain_no_papers(papers: str, chosen: Sequence[str], types: pa.ChunkedArray) -> ConfigError:
    """The error if no paper that could be used has one of the chosen types.

    Args:
        papers: number and kind of the papers, such as `12 papers with references`.
        chosen: types and groups of types.
        types: types of these papers.
    """
    return ConfigError(
        f"none of {papers} has one of the types {', '.join(chosen)}; found "
        f"{_list_types(types)}: give --types"
    )


def _list_types(types: pa.ChunkedArray) -> str:
    return list_some(sorted({name or UNKNOWN for name in types.unique().to_pylist()}), 20)
