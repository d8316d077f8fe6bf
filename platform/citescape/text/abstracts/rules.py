"""Facets by cue words and position, without a model: the baseline that always works.

Each sentence scores points for cues of each facet and for its position; the labels are those of the
best path, in which going back (result to method, method to background) costs points.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from citescape.core.types import FACETS
from citescape.runs.directory import RunRecord
from citescape.text.abstracts.abstract import SENTENCES_VERSION
from citescape.text.abstracts.facets import FACET_INDEX, FacetLabels, Sentences
from citescape.text.abstracts.headings import HEADINGS_VERSION

_VERSION = 1
"""Version of the tables below; part of the run id."""
_BACK = -3.0
"""Points for each facet that a path goes back."""

_CUES: tuple[tuple[str, float, str], ...] = (
    ("background", 2.0, r"\b(?:remains?|is|are|still) (?:largely |still |poorly |yet )*(?:unknown"
     r"|unclear|elusive|limited|scarce|lacking|understood|debated|controversial)"),
    ("background", 2.0, r"\b(?:little|not much) (?:is|was) known|\bhowever, (?:little|few|no|the)\b"
     r"|\bit is (?:well )?known|\bhas been (?:reported|shown|suggested|implicated)"),
    ("background", 2.0, r"\b(?:is|are) (?:one of the|an? (?:major|important|key|serious|widespread"
     r"|common|essential|significant|promising))\b|\bworldwide\b|\bplays? an? (?:\w+ )?role"),
    ("background", 2.5, r"\b(?:aim|objective|purpose|goal)s? (?:of (?:this|the|our) (?:present |"
     r"current )?(?:study|work|research|paper|review|trial) )?(?:was|were|is|are)\b"
     r"|\b(?:this|our) (?:study|work|paper|review) (?:aim|sought|seek)(?:s|ed)?\b"
     r"|\bwe (?:aim|aimed|sought|hypothesi[sz]ed?|wanted)\b|^(?:in order )?to (?:evaluate|assess"
     r"|determine|investigate|examine|compare|explore|identify)\b"),
    ("method", 2.0, r"\b(?:was|were) (?:then |also |further )?(?:performed|conducted|measured"
     r"|collected|used|carried out|analy[sz]ed|assessed|evaluated|determined|recruited|included"
     r"|randomi[sz]ed|randomly|extracted|sequenced|grown|treated|obtained|assigned|searched"
     r"|selected|sampled|estimated|administered|fed|interviewed|tested|calculated|divided)\b"),
    ("method", 2.0, r"\bwe (?:used?|developed?|performed|conducted|collected|measured|applied|apply"
     r"|recruited|analy[sz]ed|investigated|examined|sequenced|propose|present|employed|carried"
     r"|compared|searched|tested|generated|constructed)\b"),
    ("method", 1.5, r"\b(?:using|by means of|based on|via|questionnaire|samples? (?:was|were)"
     r"|randomi[sz]ed|double-blind|cross-sectional|regression|ANOVA|PCR|in this study)\b"),
    ("result", 2.5, r"\b(?:results?|findings|data|analys[ie]s|study|it) "
     r"(?:also |further |clearly )?(?:show(?:s|ed)?|suggest(?:s|ed)?|indicate(?:s|d)?"
     r"|reveal(?:s|ed)?|demonstrate(?:s|d)?|provides?|confirm(?:s|ed)?|highlights?|support(?:s|ed)?)\b"),
    ("result", 2.0, r"\bwe (?:found|find|observed|show(?:ed)?|identified|demonstrated?|conclude"
     r"|detected|report|discovered|confirmed)\b|\bin (?:conclusion|summary)\b|\btaken together"
     r"|\boverall\b|\bthus\b|\btherefore\b|\bconclu(?:de|sion)"),
    ("result", 2.0, r"\b(?:significant(?:ly)?|higher|lower|increas(?:ed|es)|decreas(?:ed|es)"
     r"|reduced|correlated|associated with|compared (?:to|with)|respectively|P ?[<=>])"),
    ("result", 1.5, r"\d ?%|\bp ?[<=]|\b(?:may|could|will|should|can) (?:be|help|provide|contribute"
     r"|serve|facilitate)\b|\b(?:further|future) (?:research|studies|work)\b"),
)  # fmt: skip
"""Facet, points, pattern; a cue counts once per sentence."""

_COMPILED = [
    (FACET_INDEX[facet], points, re.compile(text, re.IGNORECASE)) for facet, points, text in _CUES
]


class RuleSplitter:
    """A splitter that applies the rules."""

    def __init__(self) -> None:
        config = {
            "model": "rules",
            "version": _VERSION,
            "headings": HEADINGS_VERSION,
            "sentences": SENTENCES_VERSION,
        }
        self.record = RunRecord.create("split-rules", config, {}, libraries=("citescape",))

    def __call__(self, abstracts: Sequence[Sentences]) -> list[FacetLabels]:
        """Labels of each abstract."""
        run = self.record.id
        return [FacetLabels(label_by_rules(sentences), "rules", run) for sentences in abstracts]


def compute_points(sentences: Sentences) -> npt.NDArray[np.float64]:
    """Points (n, 3) of each sentence, for its cues and its position."""
    cues = np.zeros((len(sentences), len(FACETS)))
    for row, text in zip(cues, sentences, strict=True):
        for facet, points, pattern in _COMPILED:
            row[facet] += points * bool(pattern.search(text))
    # by position, background falls, result rises and method is highest in between
    position = (np.arange(len(sentences)) + 0.5) / len(sentences)
    method = 1.0 - 4.0 * np.abs(position - 0.4)
    return np.stack([2.0 - 6.0 * position, method, 6.0 * position - 3.0], 1) + cues


def label_by_rules(sentences: Sentences) -> tuple[str, ...]:
    """The facets of the best path through the points of each sentence."""
    if not sentences:
        return ()
    points = compute_points(sentences)
    step = np.array([[min(0, to - at) * -_BACK for to in range(3)] for at in range(3)])
    best, back = points[0], []
    for row in points[1:]:
        paths = best[:, None] + step  # (from, to)
        back.append(paths.argmax(0))
        best = paths.max(0) + row
    path = [int(best.argmax())]
    for sources in reversed(back):
        path.append(int(sources[path[-1]]))
    return tuple(FACETS[k] for k in reversed(path))
