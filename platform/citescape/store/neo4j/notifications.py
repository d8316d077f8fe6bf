"""What Neo4j remarks on a statement that it runs all the same.

A label, type or property that the graph does not have is no error to it: the answer is empty.
https://neo4j.com/docs/status-codes/current/notifications/
"""

from __future__ import annotations

import re
import warnings

import neo4j

from citescape.store.schema import TABLE

_NAME = re.compile(r"`([^`]+)`")
_PREAMBLE = re.compile(r"^warn: [^.]*\. ")
_ADVICE = " Verify that the spelling is correct."


class UnknownNameWarning(UserWarning):
    """A statement names what the graph does not have, perhaps by a typing error."""


def warn_of_unknown_names(summary: neo4j.ResultSummary) -> None:
    """A Python warning for each such name: ``The label `Papr` does not exist``.

    Names of the schema are right, also while there is nothing of the kind.
    """
    for status in summary.gql_status_objects:
        if status.classification == neo4j.NotificationClassification.UNRECOGNIZED:
            text = _PREAMBLE.sub("", status.status_description).removesuffix(_ADVICE)
            if not _KNOWN.issuperset(_NAME.findall(text)):
                warnings.warn(text.removesuffix("."), UnknownNameWarning, stacklevel=4)


_KNOWN = frozenset(TABLE).union({"id"}, *(table.columns for table in TABLE.values()))
