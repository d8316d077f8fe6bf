"""SciDocs (Cohan et al. 2020): classes, reading, citations and recommendations of papers."""

from citescape.evaluation.scidocs.evaluate import (
    COLUMNS,
    GROUPS,
    SPLITS,
    SciDocsResult,
    evaluate_scidocs,
    read_groups,
)
from citescape.evaluation.scidocs.recommendation import RANKERS

__all__ = [
    "COLUMNS",
    "GROUPS",
    "RANKERS",
    "SPLITS",
    "SciDocsResult",
    "evaluate_scidocs",
    "read_groups",
]
