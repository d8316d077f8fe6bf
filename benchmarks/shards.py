"""Ingest into shards, their scores and intents, by stage, for corpora of several sizes; and on Ray.

    python benchmarks/shards.py                          1,000 and 10,000 full texts; half an hour
    python benchmarks/shards.py --sizes 1000 10000 100000 --folder scratch
                                                         an hour; full texts are kept in scratch/
    python benchmarks/shards.py --quick                  200 full texts, results not kept

The same for the crops archive, whose rates are carried to corpora of millions of full texts. The
curves are drawn into docs/shards.svg.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import tarfile
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import measure

from citescape.core.progress import Progress, silent

DATA = Path(os.environ.get("CITESCAPE_DATA") or Path(__file__).parents[2] / "shared" / "data")
CROPS = "crops archive"
COLUMNS = {
    "corpus": "corpus",
    "papers": "papers",
    "place": "tasks run",
    "stage": "stage",
    "cpu_seconds": "CPU s",
    "ms_a_paper": "CPU ms a paper",
    "wall_seconds": "wall s",
    "peak_mb": "peak MB",
    "bytes_a_paper": "bytes a paper",
}
WORLD = 10_000
"""Full texts of a generated world: the time to generate one grows with its square."""
CORPORA = {"PubMed Central": 7_000_000, "S2ORC": 16_000_000, "OpenAlex TEI": 43_000_000}
"""Corpus -> number of its full texts, as its providers state it."""
CARRIED = {
    "corpus": "corpus",
    "papers": "full texts",
    "core_hours": "core hours",
    "records_tb": "records TB",
    "graph_tb": "graph, scores, intents TB",
    "gpu_hours": "GPU hours, at most",
}
CARRIED_NOTES = (
    "Carried in proportion from the crops archive (`benchmarks/shards.py`: CPU seconds and bytes a "
    "full text, all stages from reading to intents, one core); stages grow in proportion within "
    "the sizes measured above, larger ones were not tried. GPU hours: one pass over titles and "
    "abstracts of the full texts, of as many tokens as those of the training benchmark, at its "
    "measured rate on an H100 (`train_cuda.json`, a SciBERT-size model, forward and backward: "
    "encoding takes less). Numbers of full texts are those that the providers state."
)
STAGES = {
    "reading": ("reading sources",),
    "records": (
        "splitting",
        "choosing",
        "grouping records",
        "joining records",
        "moving",
        "merging",
    ),
    "works": (
        *("grouping references", "matching references", "comparing works"),
        *("joining works", "following", "finding works:", "building"),
    ),
    "authors": ("disambiguating",),
    "writing": ("naming works", "finding works of", "matching notices", "writing shards"),
    "scores": ("reading authors", "finding authors", "counting mentions", "writing scores"),
    "intents": ("labelling intents",),
}
"""Stage of the table -> how its messages begin."""
NOTES = (
    "Full texts are those of generated worlds, as in `platform demo`, of at most 10,000 papers "
    "each (seed 0, 1, ...). CPU seconds of all processes, without the compilation of functions. "
    "`in this process`: one task after the other, peak memory is that of the process so far; "
    "`raylets`: three Ray nodes of one core each on this machine, of which each first starts its "
    "workers. Intents are labelled by rules. Bytes are those of the records, of the graph, of the "
    "scores, and of the labels."
)


def child(place: str, folder: Path) -> None:
    """All stages for one corpus; prints a line of JSON with a row for each."""
    from citescape.distributed.cluster import open_cluster
    from citescape.distributed.storage import Storage
    from citescape.importance.config import Weighting
    from citescape.importance.shards import score_shards
    from citescape.ingest.shards.ingest import ingest_shards

    warm_up(folder)
    stages, runs = _Stages(), folder / f"{place}-runs"
    cluster: Any
    if place == "raylets":
        import ray
        from ray.cluster_utils import Cluster

        nodes = Cluster(
            initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False}
        )
        for _ in range(3):
            nodes.add_node(num_cpus=1)
        cluster = open_cluster(nodes.address)
    else:
        cluster = open_cluster(workers=2 if place == "two processes" else 1)
    storage = Storage(str(folder / place))
    with cluster as opened:
        stages.begin()
        graph = ingest_shards(storage, opened, [folder / "texts"], progress=stages.report).graph
        assert graph is not None
        score_shards(graph, opened, Weighting(), runs=runs, progress=stages.report)
        label_intents(graph, opened, runs, stages.report)
        stages.end()
    if place == "raylets":
        ray.shutdown()
        nodes.shutdown()  # type: ignore[no-untyped-call]
    sizes = storage.sizes()
    stored = {
        "reading": sum(n for name, n in sizes.items() if name.startswith("records/")),
        "writing": sum(n for name, n in sizes.items() if name.startswith("graph/")),
        "scores": sum(n for name, n in sizes.items() if name.startswith("scores/")),
        "intents": sum(n for name, n in sizes.items() if name.startswith("labels/")),
    }
    print(json.dumps({"rows": stages.rows, "stored": stored, "parts": graph.parts}), flush=True)


def warm_up(folder: Path) -> None:
    """Compiles what is compiled when it is first called."""
    from citescape.distributed.cluster import open_cluster
    from citescape.distributed.storage import Storage
    from citescape.importance.config import Weighting
    from citescape.importance.shards import score_shards
    from citescape.ingest.shards.ingest import ingest_shards

    with tempfile.TemporaryDirectory(dir=folder) as other, open_cluster(workers=1) as cluster:
        files = sorted((folder / "texts").iterdir())[:40]
        graph = ingest_shards(Storage(f"{other}/shards"), cluster, files, parts=2).graph
        assert graph is not None
        score_shards(graph, cluster, Weighting(), runs=Path(other) / "runs")
        label_intents(graph, cluster, Path(other) / "runs", silent)


def label_intents(graph: Any, cluster: Any, runs: Path, progress: Progress) -> None:
    """Labels citation intents by rules."""
    from citescape.text.intents.model import resolve_model
    from citescape.text.intents.steps import THRESHOLD
    from citescape.text.labeller import RULES
    from citescape.text.shard_labellers import INTENTS
    from citescape.text.shards import ModelReference, label_shards

    run = resolve_model(runs, RULES).record.id
    model = ModelReference.resolved(runs, RULES, run)
    label_shards(INTENTS, graph, cluster, model, threshold=THRESHOLD, progress=progress)


class _Stages:
    """Costs of stages, which are named when they begin."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, float]] = {}
        self._stage = "reading"
        self._cpu = self._wall = 0.0

    def begin(self) -> None:
        """Begins to measure."""
        self._cpu, self._wall = _cpu_seconds(), time.perf_counter()

    def report(self, text: str) -> None:
        """Progress: the stage that begins or goes on."""
        found = [name for name, starts in STAGES.items() if text.startswith(starts)]
        if found and found[0] != self._stage:
            self.end()
            self._stage = found[0]

    def end(self) -> None:
        """Adds what was used since the last stage began."""
        cpu, wall = _cpu_seconds(), time.perf_counter()
        row = self.rows.setdefault(self._stage, {"cpu_seconds": 0.0, "wall_seconds": 0.0})
        row["cpu_seconds"] = round(row["cpu_seconds"] + cpu - self._cpu, 3)
        row["wall_seconds"] = round(row["wall_seconds"] + wall - self._wall, 3)
        row["peak_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)
        self._cpu, self._wall = cpu, wall


def _cpu_seconds() -> float:
    """Of this process and its descendants, also of those that still run."""
    import psutil

    own = psutil.Process()
    total = 0.0
    for process in (own, *own.children(recursive=True)):
        try:
            times = process.cpu_times()
        except psutil.Error:  # it has ended
            continue
        total += times.user + times.system
        if process == own:
            total += times.children_user + times.children_system
    return total


def write_generated(papers: int, texts: Path) -> None:
    """Full texts of generated worlds, each with ids of its own; the folder is whole or absent."""
    from citescape.demo.jats_writer import write_corpus
    from citescape.demo.world import generate_world

    aside = texts.with_name(f"{texts.name}.part")
    shutil.rmtree(aside, ignore_errors=True)
    for seed, start in enumerate(range(0, papers, WORLD)):
        world = generate_world(papers=min(WORLD, papers - start), seed=seed)
        for path in write_corpus(world, aside / "world"):
            renumbered = renumber(path.read_bytes(), seed)
            aside.joinpath(f"{seed}-{path.name}").write_bytes(renumbered)
            path.unlink()
    aside.joinpath("world").rmdir()
    aside.rename(texts)


def renumber(text: bytes, world: int) -> bytes:
    """A full text with the ids of another world, up to the tenth, of papers and of people."""
    from citescape.demo.people import orcid

    if not world:
        return text
    text = re.sub(
        rb"\b(\d{4})-(\d{4})-(\d{4})-(\d{3})[\dX]\b",
        lambda found: orcid(int(b"".join(found.groups())) + 10**9 * world).encode(),
        text,
    )
    text = re.sub(rb"(?i)(10\.5555/demo)\.", rb"\g<1>%d." % world, text)
    return re.sub(
        rb"(?<!\d)(90|99)(\d{6})(?!\d)",
        lambda found: b"%b%06d" % (found[1], int(found[2]) + 100_000 * world),
        text,
    )


def unpack(archive: Path, folder: Path) -> int:
    """Writes the members of an archive as files; returns their number."""
    (folder / "texts").mkdir()
    count = 0
    with tarfile.open(archive) as members:
        for member in members:
            if member.name.endswith("xml") and (content := members.extractfile(member)):
                (folder / "texts" / f"{count:05}.xml").write_bytes(content.read())
                count += 1
    return count


def measure_corpus(
    corpus: str, papers: int, places: Sequence[str], folder: Path
) -> list[measure.Row]:
    """Rows of one corpus."""
    rows = []
    for place in places:
        found = measure.run_alone(__file__, "--child", place, folder)
        for stage, costs in found["rows"].items():
            row = {"corpus": corpus, "papers": papers, "place": place, "stage": stage, **costs}
            row["ms_a_paper"] = round(1000 * costs["cpu_seconds"] / papers, 3)
            if place != "in this process":
                row.pop("peak_mb")
            if stage in found["stored"]:
                row["bytes_a_paper"] = round(found["stored"][stage] / papers)
            rows.append(row)
            print({key: row.get(key) for key in COLUMNS}, flush=True)
    return rows


def draw(rows: Sequence[measure.Row], path: Path) -> None:
    """Curves of CPU time over papers, by stage, on logarithmic axes."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "shards"
    from matplotlib import pyplot as plt

    alone = [row for row in rows if row["place"] == "in this process" and row["corpus"] != CROPS]
    sizes = sorted({row["papers"] for row in alone})
    figure, axes = plt.subplots(figsize=(6.4, 4.2))
    for stage in STAGES:
        costs = [
            row["cpu_seconds"]
            for size in sizes
            for row in alone
            if (row["papers"], row["stage"]) == (size, stage)
        ]
        axes.loglog(sizes, costs, marker="o", markersize=4, label=stage)
    total = [sum(row["cpu_seconds"] for row in alone if row["papers"] == n) for n in sizes]
    axes.loglog(sizes, total, color="black", marker="o", markersize=4, label="all")
    axes.loglog(
        sizes,
        [total[0] * n / sizes[0] for n in sizes],
        color="black",
        linestyle=":",
        linewidth=1,
        label="proportional",
    )
    axes.set_xlabel("full texts")
    axes.set_ylabel("CPU seconds")
    axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def carry(rows: Sequence[measure.Row]) -> list[measure.Row]:
    """Costs of corpora of millions of full texts at the rates of the crops archive."""
    crops = [row for row in rows if row["corpus"] == CROPS and row["place"] == "in this process"]
    seconds = sum(row["cpu_seconds"] for row in crops) / crops[0]["papers"]
    stored = {row["stage"]: row.get("bytes_a_paper", 0) for row in crops}
    kept = sum(stored[stage] for stage in ("writing", "scores", "intents"))
    trained = json.loads((measure.RESULTS / "train_cuda.json").read_text(encoding="utf-8"))["rows"]
    gpu = next(
        row for row in trained if (row["model"], row["peer"]) == ("SciBERT-size", "citescape")
    )
    return [
        {
            "corpus": corpus,
            "papers": papers,
            "core_hours": round(seconds * papers / 3600),
            "records_tb": round(stored["reading"] * papers / 1e12, 2),
            "graph_tb": round(kept * papers / 1e12, 2),
            "gpu_hours": round(papers * gpu["mean_tokens"] / gpu["tokens_rate"] / 3600, 1),
        }
        for corpus, papers in CORPORA.items()
    ]


def main() -> None:
    """Runs all sizes, prints the table, writes the results and the curves."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="200 full texts only")
    parser.add_argument("--sizes", type=int, nargs="*", default=[1_000, 10_000])
    parser.add_argument("--archive", type=Path, default=DATA / "oa_crops.tar.xz")
    parser.add_argument("--folder", type=Path, help="where to write, and to keep full texts")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if options.child:
        return child(options.child[0], Path(options.child[1]))
    rows = []
    sizes = [200] if options.quick else options.sizes
    for papers in sizes:
        places = ["in this process"]
        if papers == sizes[0]:
            places += ["two processes", "raylets"]
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            texts = Path(options.folder or folder, f"texts-{papers}").absolute()
            if not texts.exists():
                write_generated(papers, texts)
            Path(folder, "texts").symlink_to(texts)
            rows += measure_corpus("generated", papers, places, Path(folder))
    if not options.quick:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            papers = unpack(options.archive, Path(folder))
            places = ["in this process", "two processes"]
            rows += measure_corpus(CROPS, papers, places, Path(folder))
    measure.print_table(rows, COLUMNS)
    if not options.quick:
        libraries = ("pyarrow", "numpy", "ray")
        path = measure.write_results(
            "shards", rows, libraries=libraries, notes=NOTES, columns=COLUMNS
        )
        carried = carry(rows)
        measure.print_table(carried, CARRIED)
        measure.write_results(
            "shards_carried", carried, libraries=("pyarrow",), notes=CARRIED_NOTES, columns=CARRIED
        )
        draw(rows, Path(__file__).parents[1] / "docs" / "shards.svg")
        print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
