"""Runs in the format of the commands, written directly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from citescape.mapping.communities.clustering import Clustering, write_papers
from citescape.networks.files import write_network
from citescape.networks.network import Network
from citescape.runs.directory import RunRecord, open_run

_TOPICS = pa.schema(
    {
        "name": pa.string(),
        "label": pa.string(),
        "mean_year": pa.float64(),
        "field": pa.string(),
        "diversity": pa.float64(),
        "importance": pa.float64(),
    }
)


@dataclass(frozen=True)
class Runs:
    """A folder of run directories."""

    path: Path

    def network(self, digits: str, network: Network, kind: str = "knn") -> str:
        """A run of `platform network build`."""
        record = self._record("network", digits, {}, {"kind": kind})
        with open_run(self.path, record.id) as directory:
            write_network(directory.path, network)
            directory.complete(record)
        return record.id

    def clustering(
        self,
        digits: str,
        network: str,
        levels: dict[str, Clustering],
        parents: dict[str, list[str]],
    ) -> str:
        """A run of `platform cluster`; communities of a level are named LEVEL-0, LEVEL-1, ..."""
        record = self._record("cluster", digits, {"network": network}, {})
        rows = [
            {
                "level": level,
                "label": k,
                "name": f"{level}-{k}",
                "size": int(size),
                "parent": parents[level][k] if level in parents else None,
            }
            for level, clustering in levels.items()
            for k, size in enumerate(clustering.sizes)
        ]
        with open_run(self.path, record.id) as directory:
            write_papers(
                directory.path,
                {
                    level: (members, [f"{level}-{k}" for k in range(len(members.sizes))])
                    for level, members in levels.items()
                },
            )
            pq.write_table(_table(rows), directory.path / "communities.parquet")
            pq.write_table(pa.table({"level": list(levels)}), directory.path / "levels.parquet")
            directory.complete(record)
        return record.id

    def topics(
        self,
        digits: str,
        clustering: str,
        rows: Sequence[dict[str, object]],
        *,
        level: str = "fine",
        weight: str = "importance",
    ) -> str:
        """A run of `platform topics`; missing values of rows are null."""
        record = self._record("topics", digits, {"clustering": clustering}, {"level": level})
        record = replace(record, counts={"weight": weight})
        table = pa.Table.from_pylist(list(rows), _TOPICS)
        return self._tables(record, {"topics.parquet": table})

    def map(
        self,
        digits: str,
        clustering: str,
        papers: Sequence[dict[str, object]],
        topics: Sequence[dict[str, object]] = (),
        *,
        level: str = "fine",
    ) -> str:
        """A run of `platform map`."""
        record = self._record("map", digits, {"clustering": clustering}, {"level": level})
        files = {"papers.parquet": _table(papers)}
        return self._tables(record, files | ({"topics.parquet": _table(topics)} if topics else {}))

    def _tables(self, record: RunRecord, files: dict[str, pa.Table]) -> str:
        with open_run(self.path, record.id) as directory:
            for name, table in files.items():
                pq.write_table(table, directory.path / name)
            directory.complete(record)
        return record.id

    def _record(
        self, command: str, digits: str, inputs: dict[str, str], config: dict[str, str]
    ) -> RunRecord:
        """A record; larger digits mean a later time."""
        started = f"2020-01-01T00:00:{int(digits):02d}+00:00"
        id_ = f"{command}-{digits.rjust(12, '0')}"
        return RunRecord(id_, command, config=config, inputs=inputs, started=started)


def _table(rows: Sequence[dict[str, object]]) -> pa.Table:
    return pa.Table.from_pylist(list(rows))


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    """An empty folder of run directories."""
    folder = tmp_path / "runs"
    folder.mkdir()
    return Runs(folder)
