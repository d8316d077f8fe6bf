"""Small files of Semantic Scholar's bulk data sets for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

ORCID = "0000-0002-1825-0097"


def s2ag_paper(id_: int, **fields: object) -> dict[str, Any]:
    """A record of `papers`."""
    return {
        "corpusid": id_,
        "externalids": {"DOI": f"10.1000/{id_}", "CorpusId": str(id_)},
        "title": f"On {id_}",
        "authors": [{"authorId": "77", "name": "George H. Shull"}],
        "year": 2001,
        **fields,
    }


def s2ag_citation(
    citing: object, cited: object, *contexts: str, intents: object = None, influential: object = 0
) -> dict[str, Any]:
    """A record of `citations`."""
    return {
        "citationid": 5,
        "citingcorpusid": citing,
        "citedcorpusid": cited,
        "isinfluential": influential,
        "contexts": list(contexts) or None,
        "intents": intents,
    }


def write_lines(path: Path, records: Sequence[Mapping[str, Any] | bytes]) -> Path:
    """JSON Lines; bytes are written as they are."""
    lines = [record if isinstance(record, bytes) else orjson.dumps(record) for record in records]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path
