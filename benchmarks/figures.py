"""Results on the crops archive before and after a change of the code, step by step.

    python benchmarks/figures.py record BEFORE.json --program old/.venv/bin/platform
    python benchmarks/figures.py record AFTER.json
    python benchmarks/figures.py compare BEFORE.json AFTER.json

`record` runs the commands of `STEPS` on new stores: the whole archive, and a sample of it for steps
that encode texts. It saves all values of their JSON output, and a hash of each file of their runs
and of each table of the graph in `ROWS`. `compare` prints differences and exits with 1 if there are
any. The last digits may depend on the processor, so record both on the same machine. Takes about
ten minutes on two cores.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import resource
import shlex
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any

import measure

DATA = Path(os.environ.get("CITESCAPE_DATA") or Path(__file__).parents[2] / "shared" / "data")
STEPS = {
    "archive/ingest": "ingest {archive}",
    "archive/status": "status",
    "archive/sections": "text sections label --model rules",
    "archive/intents": "text intents label --model rules",
    "archive/abstracts": "text abstracts label --model rules",
    "archive/abstracts-train": "text abstracts train",
    "archive/abstracts-model": "text abstracts label",
    "archive/weights": "evaluate weights",
    "archive/weights-uniform": "evaluate weights --weights uniform --combined both "
    "--features I,M,R,D,S",
    "archive/score": "score",
    "archive/explain": "explain 10.1186/s12284-018-0256-8 pmid:22876203",
    "archive/citation": "network build citation --papers all",
    "archive/co-citation": "network build co-citation --papers all --top 1",
    "archive/extended": "network build extended",
    "archive/importance": "network build importance --papers all",
    "archive/method": "network build method --papers all",
    "archive/coupling": "network build coupling --write",
    "archive/bm25": "network build bm25",
    "archive/report": "network report bm25 coupling",
    "archive/overlap": "network overlap bm25 coupling",
    "archive/sweep": "cluster --network coupling --size 50 --seeds 3 --no-write",
    "archive/cluster": "cluster --network bm25",
    "archive/topics": "topics",
    "archive/accuracy": "evaluate accuracy bm25 coupling --resolutions 6 --seeds 1",
    "archive/sample-importance": "sample importance",
    "archive/sample-specter": "sample specter",
    "archive/benchmark-mdcr": "benchmark mdcr bm25 lsa --most-fields 4 --min-abstract 0 "
    "--min-citations 1",
    "archive/evaluate-mdcr": "evaluate mdcr bm25 lsa tfidf",
    "archive/evaluate-pool": "evaluate pool bm25 tfidf --samples 1",
    "archive/export": "export csv --network bm25 --out out/crops",
    "sample/ingest": "ingest {papers}",
    "sample/sections-train": "text sections train --no-body --epochs 2 --fewest-steps 1",
    "sample/sections": "text sections label",
    "sample/sections-evaluate": "text sections evaluate --method rules --method words --seeds 1",
    "sample/intents-train": "text intents train {data}/scicite/dev.jsonl",
    "sample/intents-evaluate": "text intents evaluate {data}/scicite/dev.jsonl --model rules",
    "sample/intents": "text intents label",
    "sample/abstracts": "text abstracts label --model rules",
    "sample/score": "score --features I,M,R,D,other,S,T",
    "sample/embed": "embed --max-tokens 64 --threads 1",
    "sample/similar": "similar 10.1006/meth.2001.1262",
    "sample/knn": "network build knn --write",
    "sample/cluster": "cluster",
    "sample/topics": "topics",
    "sample/map": "map --overlay year --dpi 50",
    "sample/graph-embed": "train graph --dimensions 32 --epochs 2 --threads 1",
    "sample/neighbourhood": "sample neighbourhood",
    "sample/facet-background": "train graph --weight background --dimensions 16 --threads 1",
    "sample/facet-method": "train graph --weight method --dimensions 16 --threads 1",
    "sample/facet-result": "train graph --weight result --dimensions 16 --threads 1",
    "sample/facet": "sample facet",
    "sample/importance": "sample importance",
    "sample/train": "train --tune adapter --triplets {sample/importance} --max-tokens 64 "
    "--threads 1",
    "sample/train-bias": "train --tune bias --triplets {sample/importance} --max-tokens 32 "
    "--epochs 1 --threads 1",
    "sample/benchmark-mdcr": "benchmark mdcr bm25 minilm --fields subjects --fewest 2 "
    "--validation 0 --min-abstract 0 --min-citations 1 --max-tokens 64",
    "sample/evaluate-mdcr": "evaluate mdcr bm25 minilm --max-tokens 64",
    "sample/benchmark-lcr": "benchmark lcr",
    "sample/evaluate-lcr": "evaluate lcr --max-tokens 64 --k 100",
    "sample/rerank-train": "train reranker --max-tokens 64 --epochs 1",
    "sample/recommend": "recommend --context 'Roots limit the uptake of nitrogen in rice [?].' "
    "--max-tokens 64",
    "sample/recommend-draft": "recommend {draft} --before 2018 --max-tokens 64",
}
"""Key, which starts with the store, and arguments. Keys stay when commands are renamed."""
ROWS = {
    "papers": "MATCH (p:Paper) RETURN p.id, p.pmid, p.title, p.abstract, p.year, p.venue",
    "split": "MATCH (p:Paper) WHERE p.split_source IS NOT NULL RETURN p.id, p.split_source, "
    "p.abstract_ends, p.abstract_facets",
    "authors": "MATCH (a:Author)-[w:WROTE]->(p:Paper) RETURN a.id, p.id, w.position, w.evidence",
    "sections": "MATCH (p:Paper)-[:HAS_SECTION]->(s:Section) RETURN p.id, s.ordinal, s.title, "
    "s.type, s.type_source, s.type_probability",
    "occurrences": "MATCH (s:Section)-[:CONTAINS]->(o:Occurrence)-[:REFERS_TO]->(p:Paper) "
    "RETURN s.id, o.id, o.context, o.intents, o.intent_method, p.id",
    "references": "MATCH (r:Reference)-[m:MATCHES]->(p:Paper) RETURN r.id, m.matched_by, p.id",
    "citations": "MATCH (a:Paper)-[c:CITES]->(b:Paper) RETURN a.id, b.id, c.mentions, c.f_I, "
    "c.f_M, c.f_R, c.f_D, c.f_other, c.self, c.n_background, c.n_method, c.n_result",
    "importance": "MATCH (a:Paper)-[c:CITES]->(b:Paper) RETURN a.id, b.id, c.importance, "
    "c.title_similarity",
    "related": "MATCH (a:Paper)-[r:RELATED]->(b:Paper) RETURN a.id, b.id, r.kind, r.weight",
    "memberships": "MATCH (p:Paper)-[:IN_COMMUNITY]->(c:Community) RETURN p.id, c.level, c.name",
    "communities": "MATCH (c:Community) RETURN c.level, c.name, c.size, c.resolution, c.label, "
    "c.terms, c.field, c.diversity, c.mean_year, c.importance, c.x, c.y",
    "embeddings": "MATCH (p:Paper)-[:HAS_EMBEDDING]->(e:Embedding) RETURN p.id, e.text, e.vector",
}
"""Tables of the graph, read from each store after all steps."""
ROW_WORDS = ("cypher", "--timeout", "0", "--output", "json")
DRAFT = """# Nitrogen and salt in rice

Salt stress lowers the yield of rice [?]. Genome-wide association studies found loci of grain size
[CITE], and root depth limits the uptake of nitrogen [?, ?].
"""
IGNORED = re.compile(
    r"run|path|store|started|device|threads|versions?|timings|profiling|throughput|share_of_peak"
    r"|(.*_)?seconds|.*_per_second|.*memory.*"
)
"""Keys and columns that depend on the program, the machine or the date."""
HASHED = {".csv", ".json", ".jsonl", ".npy", ".parquet", ".safetensors"}
RUN_ID = r"[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*-[0-9a-f]{12}(?![0-9a-zA-Z])"
CHANGING = {
    "RUN": re.compile(rf"(?<![\w-])(?:[\w.+-]*/)*{RUN_ID}(?:/[\w.+-]+)*"),
    "PATH": re.compile(r"(?<![\w:/.])(?:/[\w.+-]+){2,}"),
    "TIME": re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?"),
}
COLUMNS = {"figure": "figure", "before": "before", "after": "after"}
Figures = dict[str, Any]


def normalise(value: Any) -> Any:
    """A value without parts that differ between two runs of the same computation."""
    if isinstance(value, str):
        for name, pattern in CHANGING.items():
            value = pattern.sub(name, value)
        return value
    if isinstance(value, list):
        return [normalise(item) for item in value]
    if isinstance(value, dict):
        return {
            normalise(key): normalise(item)
            for key, item in value.items()
            if not IGNORED.fullmatch(key)
        }
    return value


def flatten(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Each value with its path, such as `weights.I`; empty lists and objects are values."""
    if isinstance(value, dict | list) and value:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for name, item in items:
            yield from flatten(item, f"{key}.{name}" if key else str(name))
    else:
        yield key, value


def hash_rows(rows: Iterable[Mapping[str, Any]]) -> str:
    """SHA-256 over the rows in sorted order, without columns that `normalise` leaves out."""
    lines = (
        json.dumps([row[name] for name in row if not IGNORED.fullmatch(name)], default=str)
        for row in rows
    )
    text = "\n".join(sorted(normalise("\n".join(lines)).split("\n")))
    return hashlib.sha256(text.encode()).hexdigest()


def hash_file(path: Path) -> str:
    """SHA-256 of a file of a run: of rows of Parquet, values of JSON, or the bytes."""
    if path.suffix == ".parquet":
        from pyarrow import parquet

        return hash_rows(parquet.read_table(path).to_pylist())
    content = path.read_bytes()
    if path.suffix == ".json":
        content = json.dumps(normalise(json.loads(content)), sort_keys=True).encode()
    return hashlib.sha256(content).hexdigest()


def hash_files(places: Iterable[Path]) -> Figures:
    """Hashes of files and of files in folders of runs, by name."""
    hashes: dict[str, list[str]] = {}
    for place in places:
        for path in [place] if place.is_file() else place.rglob("*"):
            if path.suffix in HASHED and path.name != "run.json":
                name = place.name if place == path else path.relative_to(place).as_posix()
                hashes.setdefault(name, []).append(hash_file(path))
    return {name: sorted(found) for name, found in hashes.items()}


@dataclass
class Recorder:
    """Runs commands on stores in a work folder, and reads their results."""

    program: list[str]
    work: Path
    names: dict[str, str]
    """Values for `{NAME}` in arguments; each step adds its run under its key."""

    def run(self, corpus: str, words: Iterable[str]) -> Any:
        """JSON output of a command.

        Raises:
            subprocess.CalledProcessError: the command failed.
        """
        folder = self.work / corpus
        environment = {k: v for k, v in os.environ.items() if not k.startswith("CITESCAPE_")}
        environment |= {
            "CITESCAPE_STORE": str(folder / "corpus.lbug"),
            "CITESCAPE_RUNS": str(folder / "runs"),
            "HF_HUB_OFFLINE": "1",
            "OMP_NUM_THREADS": "1",  # the order of sums depends on it
        }
        done = subprocess.run(
            [*self.program, *words],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
        )
        return json.loads(done.stdout.splitlines()[-1])

    def step(self, key: str, words: str) -> Figures:
        """Results of a command, and hashes of its files."""
        corpus = key.partition("/")[0]
        folders = [self.work / corpus / name for name in ("runs", "out")]
        for folder in folders:
            folder.mkdir(parents=True, exist_ok=True)
        before = {path for folder in folders for path in folder.iterdir()}
        filled = [
            re.sub(r"{(.+?)}", lambda match: self.names.get(match[1], match[0]), word)
            for word in shlex.split(words)
        ]
        found = self.run(corpus, [*filled, "--json"])
        self.names[key] = found.get("run") or ""
        new_paths = {path for folder in folders for path in folder.iterdir()} - before
        return dict(flatten({"json": normalise(found), "files": hash_files(new_paths)}))

    def rows(self, corpus: str, query: str) -> Figures:
        """Number and hash of the rows of a query."""
        found = self.run(corpus, [*ROW_WORDS, query])
        return {"rows": len(found), "sha256": hash_rows(found)}


def extract_sample(archive: Path, papers: int, folder: Path) -> None:
    """Extract papers of an archive at regular intervals of their sorted names."""
    folder.mkdir()
    with tarfile.open(archive) as opened:
        members = {member.name: member for member in opened.getmembers() if member.isfile()}
        names, papers = sorted(members), min(papers, len(members))
        for name in (names[k * len(names) // papers] for k in range(papers)):
            content = opened.extractfile(members[name])
            if content:
                (folder / Path(name).name).write_bytes(content.read())


def record(options: argparse.Namespace) -> int:
    """Runs all steps and writes their results; returns the exit status."""
    steps = STEPS | (json.loads(options.words.read_text("utf-8")) if options.words else {})
    archive = options.archive.resolve()
    kept: dict[str, Any] = {"archive": archive.name, "papers": options.papers, "steps": {}}
    with ExitStack() as stack:
        work = options.work or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        work.mkdir(parents=True, exist_ok=True)
        names = {"archive": archive, "data": archive.parent}
        names |= {"papers": work / "papers", "draft": work / "draft.md"}
        extract_sample(archive, options.papers, names["papers"])
        names["draft"].write_text(DRAFT, encoding="utf-8")
        texts = {name: str(path) for name, path in names.items()}
        recorder = Recorder(shlex.split(options.program), work, texts)
        tasks: dict[str, Callable[[], Figures]] = {
            key: partial(recorder.step, key, words) for key, words in steps.items()
        }
        for corpus in dict.fromkeys(key.partition("/")[0] for key in steps):
            for name, query in ROWS.items():
                tasks[f"{corpus}/rows/{name}"] = partial(recorder.rows, corpus, query)
        for key, task in tasks.items():
            words = steps.get(key, "")
            kept["steps"][key] = {"words": words, **attempt(key, task)}
            options.out.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return int(any("failed" in step["figures"] for step in kept["steps"].values()))


def attempt(key: str, task: Callable[[], Figures]) -> Figures:
    """Results and costs of a task, or the exit status if it fails."""
    begun, used = time.perf_counter(), children_seconds()
    try:
        figures = task()
    except subprocess.CalledProcessError as error:
        figures = {"failed": error.returncode}
        print(f"{key}: {error.stderr.decode(errors='replace')[-500:]}", file=sys.stderr)
    cost = {
        "seconds": round(time.perf_counter() - begun, 2),
        "cpu_seconds": round(children_seconds() - used, 2),
    }
    print(f"{key}: {len(figures)} figures, {cost['seconds']} s", flush=True)
    return {**cost, "figures": figures}


def children_seconds() -> float:
    """CPU time of all programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compare(before: Figures, after: Figures, ignored: Iterable[str] = ()) -> list[measure.Row]:
    """A row for each value that differs or is missing on one side.

    Args:
        before: output of `record`.
        after: output of `record` for other code.
        ignored: patterns of values that may differ, such as `*/accuracy json.notes*`.

    Raises:
        ValueError: the records are of different papers.
    """
    for name in ("archive", "papers"):
        if before[name] != after[name]:
            raise ValueError(f"{name}: {before[name]} before, {after[name]} after")
    sides = [
        {
            f"{key} {place}": json.dumps(figure, ensure_ascii=False)
            for key, step in record["steps"].items()
            for place, figure in step["figures"].items()
        }
        for record in (before, after)
    ]
    return [
        {"figure": name, "before": sides[0].get(name, ""), "after": sides[1].get(name, "")}
        for name in {**sides[0], **sides[1]}
        if sides[0].get(name) != sides[1].get(name)
        and not any(fnmatchcase(name, pattern) for pattern in ignored)
    ]


def shorten(cell: str, width: int = 72) -> str:
    """A cell of the table; the middle of long texts is left out."""
    half = (width - 3) // 2
    return cell if len(cell) <= width else f"{cell[:half]}...{cell[-half:]}"


def main(arguments: list[str] | None = None) -> int:
    """Records or compares."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="run the commands and write their figures")
    recording.add_argument("out", type=Path, help="JSON file to write")
    recording.add_argument(
        "--program",
        default=shlex.join([sys.executable, "-m", "citescape.cli.main"]),
        help="the `platform` program (default: %(default)s)",
    )
    recording.add_argument("--archive", type=Path, default=DATA / "oa_crops.tar.xz")
    recording.add_argument(
        "--papers", type=int, default=30, help="papers of the sample (default: %(default)s)"
    )
    recording.add_argument("--work", type=Path, help="new folder of stores and runs, which stays")
    recording.add_argument(
        "--words", type=Path, help="JSON object of keys of STEPS with the words of other releases"
    )
    comparing = commands.add_parser("compare", help="print the figures that differ")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="PATTERN",
        help="figures that may differ, such as '*/accuracy json.notes*'; may be repeated",
    )
    options = parser.parse_args(arguments)
    if options.command == "record":
        return record(options)
    records = [json.loads(path.read_text("utf-8")) for path in (options.before, options.after)]
    rows = compare(records[0], records[1], options.ignore)
    if rows:
        measure.print_table(
            [{name: shorten(cell) for name, cell in row.items()} for row in rows], COLUMNS
        )
    print(f"{len(rows)} figures of {len(records[0]['steps'])} steps differ")
    return int(bool(rows))


if __name__ == "__main__":
    sys.exit(main())
