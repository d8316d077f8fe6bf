"""Scores of citations beside a graph of shards.

scores.json                 the run whose scores are complete; written last
scores/RUN/run.json         record of the run
scores/RUN/00003.parquet    scores of part 3, in the order of graph/CITES/00003.parquet
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from citescape.core.errors import StoreError
from citescape.distributed.storage import Storage
from citescape.ingest.shards.graph import ShardedGraph
from citescape.ingest.shards.labels import replace_columns
from citescape.runs.directory import RECORD, RunRecord
from citescape.runs.record import check_record

COMPLETE = "scores.json"
"""Names the run whose scores are complete, and the state of the graph; written last."""
FOLDER = "scores"
SCORED = (
    *("mentions", "f_I", "f_M", "f_R", "f_D", "f_other"),
    *("self", "importance", "run"),
)
"""Columns of the files beside `from` and `to`."""
_AGAIN = "score the shards again"


@dataclass(frozen=True)
class Scores:
    """The scores of all citations of a graph of shards."""

    storage: Storage
    run: str

    @classmethod
    def find(cls, graph: ShardedGraph) -> Scores | None:
        """The scores of a graph; None without any.

        Raises:
            StoreError: they are of another graph, or their record is missing or damaged.
        """
        storage = graph.storage
        if COMPLETE not in storage.sizes():
            return None
        found = storage.read_json(COMPLETE)
        try:
            scores, state = cls(storage, found["run"]), found["graph"]
        except (KeyError, TypeError) as error:
            raise StoreError(
                f"{storage.address}/{COMPLETE} is damaged: expected a run and the state of its "
                f"graph; {_AGAIN}"
            ) from error
        if state != graph.state:
            raise StoreError(
                f"{storage.address}/{COMPLETE} is of another graph, or of other types of its "
                f"sections; {_AGAIN}"
            )
        scores.record()
        return scores

    def record(self) -> RunRecord:
        """The record of the run.

        Raises:
            StoreError: it is missing, or none.
        """
        name = f"{FOLDER}/{self.run}/{RECORD}"
        try:
            record = RunRecord(**check_record(self.storage.read_json(name)))
        except ValueError as error:
            raise StoreError(f"{self.storage.address}/{name} is damaged: {error}") from error
        if record.id != self.run:
            raise StoreError(
                f"{self.storage.address}/{name} is the record of {record.id}, not of {self.run}; "
                f"{_AGAIN}"
            )
        return record

    def add(self, cites: pa.Table, part: int) -> pa.Table:
        """The rows of CITES of a part, with scores in the columns that they have.

        Raises:
            StoreError: the scores are those of other citations.
        """
        if not cites.num_rows:
            return cites
        name = name_scores(f"{FOLDER}/{self.run}", part)
        columns = [column for column in SCORED if column in cites.column_names]
        scored = self.storage.read_table(name, ["from", "to", *columns])
        rows, found = replace_columns(cites, "CITES", scored, columns)
        if not found == scored.num_rows == cites.num_rows:
            raise StoreError(
                f"{self.storage.address}/{name} has the scores of other citations than the graph; "
                f"{_AGAIN}"
            )
        return rows


def name_scores(folder: str, part: int) -> str:
    """Name of the file with the scores of a part."""
    return f"{folder}/{part:05}.parquet"
