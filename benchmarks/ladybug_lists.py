"""What a commit to a relationship table costs in ladybug, by the type of one property.

    python benchmarks/ladybug_lists.py            four commits of 100,000 relationships each
    python benchmarks/ladybug_lists.py --quick    of 10,000, results not kept

A release of ladybug in which lists cost no more than texts needs no `schema.ONCE_LISTS`.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import ladybug
import measure
import numpy as np
import pyarrow as pa

COMMITS, INSTITUTIONS = 4, 5_000
KINDS = {
    "none": ("", None),
    "text": ("STRING", pa.string()),
    "list of integers": ("INT64[]", pa.list_(pa.int64())),
    "list of texts": ("STRING[]", pa.list_(pa.string())),
}
COLUMNS = {
    "property": "property",
    "rows": "rows a commit",
    **{f"commit_{n}": f"commit {n} s" for n in range(1, COMMITS + 1)},
}
NOTES = (
    "Four relationships of each paper, to 5,000 institutions drawn at random (seed 0), by COPY. "
    "Seconds of COMMIT alone."
)


def commit(kind: str, rows: int, folder: Path) -> measure.Row:
    """Seconds of each commit to one table."""
    rng = np.random.default_rng(0)
    database = ladybug.Database(str(folder / "lists.lbug"), buffer_pool_size=1 << 30)
    connection = ladybug.Connection(database)
    name, type_ = KINDS[kind]
    for label, count in (("P", COMMITS * rows // 4), ("I", INSTITUTIONS)):
        connection.execute(f"CREATE NODE TABLE {label}(id STRING PRIMARY KEY)")
        ids = pa.table({"id": [f"{label}{n}" for n in range(count)]})
        connection.execute(f"COPY {label} FROM $rows", {"rows": ids})
    declared = f", x {name}" if name else ""
    connection.execute(f"CREATE REL TABLE A(FROM P TO I{declared})")
    row: measure.Row = {"property": kind, "rows": rows}
    for number in range(COMMITS):
        papers = number * rows // 4 + np.arange(rows) // 4
        columns = {
            "from": [f"P{n}" for n in papers.tolist()],
            "to": [f"I{n}" for n in rng.integers(0, INSTITUTIONS, rows).tolist()],
        }
        if type_ is not None:
            value = pa.scalar(["0"] if pa.types.is_list(type_) else "0").cast(type_)
            columns["x"] = pa.repeat(value, rows)
        connection.execute("BEGIN TRANSACTION")
        connection.execute("COPY A FROM $rows", {"rows": pa.table(columns)})
        start = time.perf_counter()
        connection.execute("COMMIT")
        row[f"commit_{number + 1}"] = round(time.perf_counter() - start, 2)
    connection.close()
    database.close()
    return row


def main() -> None:
    """Measures all types, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="commits of 10,000 relationships")
    quick = parser.parse_args().quick
    rows = []
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(commit(kind, 10_000 if quick else 100_000, Path(folder)))
    measure.print_table(rows, COLUMNS)
    if not quick:
        path = measure.write_results(
            "ladybug_lists", rows, libraries=("ladybug",), notes=NOTES, columns=COLUMNS
        )
        print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
