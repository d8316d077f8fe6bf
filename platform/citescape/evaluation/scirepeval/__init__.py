"""SciRepEval (Singh et al. 2023): classification, regression, proximity and search of papers."""

from citescape.evaluation.scirepeval.evaluate import SciRepEvalResult, evaluate_scirepeval
from citescape.evaluation.scirepeval.summary import COLUMNS, FORMATS, Summary, summarise
from citescape.evaluation.scirepeval.tasks import TYPES, FewShot, Task, choose_tasks, read_tasks

__all__ = [
    "COLUMNS",
    "FORMATS",
    "TYPES",
    "FewShot",
    "SciRepEvalResult",
    "Summary",
    "Task",
    "choose_tasks",
    "evaluate_scirepeval",
    "read_tasks",
    "summarise",
]
