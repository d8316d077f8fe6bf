"""Signatures, the names on by-lines, as arrays.

A *signature* is one name on one paper, a *block* all signatures of one surname and first initial.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.hashing import Hashes, hash_texts
from citescape.ingest.names import (
    Bools,
    GivenNames,
    Ints,
    block_names,
    code_texts,
    read_given_names,
    split_given,
)

_CAPITALS = re.compile(r"^[A-Z]{3,4}\b")


@dataclass(frozen=True)
class Signatures:
    """Arrays over signatures, sorted by paper; n signatures."""

    paper: Ints
    """Row of the paper, (n,)."""
    position: Ints
    """Position on the by-line from 0, (n,)."""
    block: Ints
    """Code of surname + first initial, (n,); each group has its own block."""
    surname: Ints
    """Code of the surname, (n,)."""
    given: Ints
    """Row of the given names in `names`, (n,)."""
    names: GivenNames
    """The distinct given names."""
    orcid: Ints
    """Code of the ORCID or -1, (n,)."""
    is_group: Bools
    """(n,)."""
    venue: Ints
    """Code of the venue of each paper or -1, (papers,)."""
    year: Ints
    """Year of each paper or 0, (papers,)."""
    sizes: Ints
    """Number of signatures of the whole store in each block, (blocks,)."""
    active: Bools
    """Whether a signature is resolved, (n,); the others are only names beside these."""

    @property
    def papers(self) -> int:
        """Number of papers."""
        return len(self.venue)


def flatten(papers: pa.Table) -> pa.Table:
    """One row per signature: `row` (of the paper), `paper`, `position`, names, role, `orcid`.

    An ORCID beside the name of a group is that of a person, and left out.
    """
    lengths = pc.fill_null(pc.list_value_length(papers["surnames"]), 0).to_numpy()
    rows = np.repeat(np.arange(papers.num_rows), lengths)
    starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
    listed = pc.if_else(pc.is_valid(papers["orcids"]), True, False).to_numpy()
    orcids = np.full(len(rows), None, dtype=object)
    has_orcids = listed[rows]
    orcids[has_orcids] = pc.list_flatten(papers["orcids"]).to_numpy(zero_copy_only=False)
    role = pc.list_flatten(papers["roles"])
    orcid = pa.array(orcids, pa.string())
    unknown = pc.or_(pc.equal(orcid, ""), pc.equal(role, "group"))
    return pa.table(
        {
            "row": rows,
            "paper": papers["id"].take(pa.array(rows)),
            "position": np.arange(len(rows)) - starts,
            "surname": pc.list_flatten(papers["surnames"]),
            "given": pc.list_flatten(papers["givens"]),
            "role": role,
            "orcid": pc.if_else(unknown, pa.scalar(None, pa.string()), orcid),
        }
    )


def spell_names(flat: pa.Table) -> pa.Table:
    """The names of signatures in the form in which they are compared.

    Returns:
        `surname` (folded), `initials`, `full` and `first` (given names in full, perhaps empty),
        `group` (whether it is one), of each row of `flatten`.
    """
    surnames = flat["surname"].combine_chunks().dictionary_encode()
    givens = flat["given"].combine_chunks().dictionary_encode()
    split = [split_given(given) for given in givens.dictionary.to_pylist()]
    columns = {
        "initials": [initials for initials, _ in split],
        "full": ["".join(parts) for _, parts in split],
        "first": [parts[0] if parts else "" for _, parts in split],
    }
    folded = pa.array(block_names(surnames.dictionary.to_pylist()), pa.string())
    return pa.table(
        {
            "surname": pa.chunked_array([folded.take(surnames.indices)]),
            **{
                name: pa.chunked_array([pa.array(texts, pa.string()).take(givens.indices)])
                for name, texts in columns.items()
            },
            "group": pc.equal(flat["role"], "group"),
        }
    )


def name_capitals(flat: pa.Table) -> pa.Table:
    """The signatures with given names in capitals (`JAM`) as names (`Jam`), see `_read_given`."""
    givens = flat["given"].combine_chunks().dictionary_encode()
    texts = [_as_name(text) if text else text for text in givens.dictionary.to_pylist()]
    named = pa.chunked_array([pa.array(texts, pa.string()).take(givens.indices)])
    return flat.set_column(flat.schema.get_field_index("given"), "given", named)


def _as_name(given: str) -> str:
    return _CAPITALS.sub(lambda match: match[0].title(), given)


def hash_blocks(names: pa.Table) -> Hashes:
    """Hash of the block of each signature, from the result of `spell_names`."""
    initial = pc.utf8_slice_codeunits(names["initials"], 0, 1)
    group = pc.if_else(names["group"], "group", "person")
    return hash_texts(pc.binary_join_element_wise(names["surname"], initial, group, "|"))


def read_signatures(
    flat: pa.Table,
    papers: pa.Table,
    *,
    active: Bools | None = None,
    sizes: Ints | None = None,
) -> Signatures:
    """Arrays of the signatures of `flatten`, which has at least one row.

    Args:
        flat: result of `flatten`.
        papers: the papers.
        active: (n,) which signatures are resolved; by default all.
        sizes: (n,) number of signatures in the block of each; by default of those given.
    """
    surnames = flat["surname"].combine_chunks().dictionary_encode()
    givens = flat["given"].combine_chunks().dictionary_encode()
    blocks = block_names(surnames.dictionary.to_pylist())
    surname = code_texts(blocks)[surnames.indices.to_numpy()]
    given, names = _read_given(surname, givens)
    first = np.unique(names.initials[:, 0], return_inverse=True)[1]
    is_group = pc.equal(flat["role"], "group").to_numpy()
    block = 2 * (surname * np.int64(first.max() + 1) + first[given]) + is_group
    block = np.unique(block, return_inverse=True)[1]
    in_block = np.bincount(block)
    if sizes is not None:
        in_block[block] = sizes
    has_year = "year" in papers.column_names
    years = pc.fill_null(papers["year"], 0).to_numpy() if has_year else np.zeros(papers.num_rows)
    return Signatures(
        paper=flat["row"].to_numpy(),
        position=flat["position"].to_numpy(),
        block=block,
        surname=surname,
        given=given,
        names=names,
        orcid=_codes(flat["orcid"]),
        is_group=is_group,
        venue=_codes(papers["venue"]),
        year=np.asarray(years, dtype=np.int64),
        sizes=in_block,
        active=np.ones(len(block), np.bool_) if active is None else active,
    )


def _read_given(surname: Ints, givens: pa.DictionaryArray) -> tuple[Ints, GivenNames]:
    """Row of the given names of each signature, and the distinct given names.

    Three or four capitals are initials (`JAM`) or a name (`ANNA`): a name if another signature with
    the surname has it as first name.
    """
    texts, given = givens.dictionary.to_pylist(), givens.indices.to_numpy().astype(np.int64)
    capitals = [row for row, text in enumerate(texts) if _CAPITALS.match(text)]
    spelled = [_as_name(texts[row]) for row in capitals]
    names = read_given_names([*texts, *spelled])
    as_name = np.arange(len(texts))
    as_name[capitals] = len(texts) + np.arange(len(spelled))
    key = surname * np.int64(names.first.max() + 1)
    full = names.parts[given] > 0
    known = np.isin(key + names.first[as_name[given]], (key + names.first[given])[full])
    return np.where(known, as_name[given], given), names


def _codes(column: pa.ChunkedArray) -> Ints:
    """Code of each value, -1 if missing."""
    encoded = column.combine_chunks().dictionary_encode()
    return np.asarray(pc.fill_null(encoded.indices, -1).to_numpy(), dtype=np.int64)
