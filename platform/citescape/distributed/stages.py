"""Stages of tasks, each of which writes one file; files that are there are not written again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from citescape.core.errors import StoreError, list_some
from citescape.core.progress import Progress, silent
from citescape.distributed.cluster import Cluster
from citescape.distributed.exchange import expect_files
from citescape.distributed.storage import Storage

DONE = "done"
"""Folder for outputs that say what tasks did, beside the Parquet files that they wrote before."""


@dataclass(frozen=True)
class Stages:
    """Runs stages over the files of a folder."""

    storage: Storage
    cluster: Cluster
    report: Progress = silent

    def run(
        self,
        title: str,
        folder: str,
        function: Callable[..., None],
        tasks: Sequence[tuple[object, ...]],
        *,
        outputs: Sequence[str] = (),
        on_gpu: bool = False,
    ) -> None:
        """Runs `function(storage, output, *task)` for each task whose output is missing.

        Args:
            title: the stage for readers: "matching references".
            folder: folder of the outputs, which are named by the place of their task.
            function: writes the file `output`, which other processes can import.
            tasks: arguments of each task.
            outputs: names of the outputs; by default `name_output` of each task.
            on_gpu: see `Cluster.run`.
        """
        present = self.storage.sizes(folder)
        if not outputs:
            expect_files(self.storage, folder, len(tasks))
        outputs = outputs or [name_output(folder, place) for place in range(len(tasks))]
        left = [
            (self.storage, output, *task)
            for output, task in zip(outputs, tasks, strict=True)
            if output not in present
        ]
        total, done = len(tasks), len(tasks) - len(left)
        self.report(f"{title}: {done:,} of {total:,}")
        for _ in self.cluster.run(function, left, on_gpu=on_gpu):
            done += 1
            self.report(f"{title}: {done:,} of {total:,}")
        if left and (gone := {*outputs} - self.storage.sizes(folder).keys()):
            raise StoreError(
                f"{self.storage.address} lacks {list_some(sorted(gone))}, which tasks have "
                "written; expected a folder that all machines see, and one command at a time: run "
                "it again"
            )


def name_beside(output: str, table: str = "") -> str:
    """Name of the Parquet file of a task, whose output is `FOLDER/done/NAME.json`.

    Args:
        output: name of the output.
        table: a folder below FOLDER.
    """
    folder, _, name = output.removesuffix(".json").rpartition(f"/{DONE}/")
    return f"{folder}/{table}/{name}.parquet" if table else f"{folder}/{name}.parquet"


def name_output(folder: str, place: int) -> str:
    """Name of the file of a task."""
    return f"{folder}/{place:06}"
