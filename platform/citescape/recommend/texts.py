"""Texts of contexts and papers for encoders, BM25 and rerankers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.types import Document
from citescape.recommend.contexts import TEXT, Contexts
from citescape.recommend.masking.mask import strip_placeholders


def read_texts(contexts: Contexts) -> tuple[pa.StringArray, list[str]]:
    """Ids of contexts with words, ascending, and their texts without placeholders of citations.

    Rows of one context differ in the placeholders only.
    """
    columns = {"id": contexts.pairs["context"], "text": strip_placeholders(contexts.pairs[TEXT])}
    rows = pa.table(columns).sort_by([("id", "ascending"), ("text", "ascending")])
    ids = rows["id"].combine_chunks()
    first = np.ones(len(ids), np.bool_)
    first[1:] = pc.not_equal(ids[1:], ids[:-1]).to_numpy(zero_copy_only=False)
    kept = pc.and_(pa.array(first), pc.not_equal(rows["text"], ""))
    return ids.filter(kept.combine_chunks()), rows["text"].filter(kept).to_pylist()


def list_sentences(contexts: Contexts) -> pa.Table:
    """`words`, `citing`, `context` of all rows with a letter or a digit."""
    pairs, words = contexts.pairs, strip_placeholders(contexts.pairs[TEXT])
    table = pa.table({"words": words, "citing": pairs["citing"], "context": pairs["context"]})
    return table.filter(pc.match_substring_regex(words, r"[\pL\pN]"))


def join_sentences(contexts: Contexts) -> Contexts:
    """Joins the contexts of one paper with the same words into one context.

    Files in the format of HAtten have a context for each work that a sentence cites. In separate
    contexts the other works would count as wrong.
    """
    pairs, plain = contexts.pairs, strip_placeholders(contexts.pairs[TEXT])
    keys = pa.table({"citing": pairs["citing"], "plain": plain, "context": pairs["context"]})
    first = keys.group_by(["citing", "plain"]).aggregate([("context", "min")])
    named = keys.append_column("row", pa.array(np.arange(len(keys)))).join(
        first, ["citing", "plain"]
    )
    ids = named.sort_by("row")["context_min"]
    place = pairs.column_names.index("context")
    return Contexts(pairs.set_column(place, "context", ids))


def read_queries(
    texts: Sequence[str], documents: Sequence[Document], *, abstracts: bool = False
) -> list[str]:
    """(q,) queries as rerankers read them.

    Args:
        texts: (q,) contexts.
        documents: (q,) the citing papers, whose titles are added.
        abstracts: whether their abstracts are added too.
    """
    parts = (
        (text, document.title, document.abstract if abstracts else "")
        for text, document in zip(texts, documents, strict=True)
    )
    return [" ".join(filter(None, part)) for part in parts]


def read_candidates(documents: Sequence[Document]) -> list[str]:
    """(papers,) as rerankers read them: title and abstract."""
    return [f"{document.title} {document.abstract}".strip() for document in documents]
