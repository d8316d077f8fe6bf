"""Titles and abstracts in files of benchmarks."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from citescape.core.types import Document
from citescape.papers.documents import DocumentCorpus, make_corpus


def gather(rows: Iterable[tuple[str, object, object]]) -> DocumentCorpus:
    """A corpus from ids, titles and abstracts in any order.

    The first text of an id is used. Papers without title and abstract are left out and counted.
    """
    texts: dict[str, Document] = {}
    for id_, title, abstract in rows:
        texts.setdefault(id_, Document(_strip(title), _strip(abstract)))
    kept = {id_: texts[id_] for id_ in sorted(texts) if texts[id_].title or texts[id_].abstract}
    left_out = len(texts) - len(kept)
    return make_corpus(pa.array(list(kept), pa.string()), list(kept.values()), left_out=left_out)


def _strip(text: object) -> str:
    return " ".join(str(text or "").split())
