"""Generated labelled citations in the format of SciCite: what makes one important is known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from citescape.importance.labelled import LabelledPairs, open_labelled
from citescape.store.graph_store import GraphStore

HEADINGS = ("Introduction", "Methods", "Results", "Discussion", "Appendix")
OWN, OTHER = "We used the method of Lee [{n}].", "He used the method of Lee [{n}]."


@dataclass(frozen=True)
class LabelSettings:
    """A set of labels: log odds = a + b mentions + c share of sentences with "we"."""

    papers: int = 40
    works: int = 8
    """Cited works of each paper."""
    by_mentions: float = 1.0
    by_voice: float = 3.0
    base: float = -3.0
    seed: int = 0


def make_records(settings: LabelSettings | None = None) -> list[dict[str, Any]]:
    """One record a sentence, the sentences of a pair with one label."""
    given = settings or LabelSettings()
    random = np.random.default_rng(given.seed)
    records = []
    for paper in range(given.papers):
        for work in range(given.works):
            mentions = int(random.geometric(0.55))
            own = random.random(mentions) < random.choice([0.1, 0.7])
            log_odds = given.base + given.by_mentions * mentions + given.by_voice * own.mean()
            important = bool(random.random() < 1 / (1 + np.exp(-log_odds)))
            for k in range(mentions):
                text = (OWN if own[k] else OTHER).format(n=work + 1)
                records.append(
                    {
                        "string": text,
                        "citeStart": text.index("["),
                        "citeEnd": text.index("]") + 1,
                        "sectionName": HEADINGS[int(random.integers(len(HEADINGS)))],
                        "label": None,
                        "citingPaperId": f"p{paper:03}",
                        "citedPaperId": f"w{paper:03}-{work}",
                        "isKeyCitation": important,
                        "excerpt_index": k,
                    }
                )
    return records


def write_labels(path: Path, records: Sequence[dict[str, Any]] | None = None) -> Path:
    """JSON Lines."""
    lines = (json.dumps(record) for record in (make_records() if records is None else records))
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def read_pairs(path: Path, store: GraphStore | None = None) -> LabelledPairs:
    """The labelled pairs of a file; closed graphs of sentences keep their features."""

    def no_store() -> GraphStore:
        assert store is not None
        return store

    with open_labelled([path], graph="store" if store else "auto", store=no_store) as labelled:
        return labelled
