"""The outputs of commands on pages of the docs, from real data.

    python benchmarks/science/pages.py record [PAGE ...] --work FOLDER
    python benchmarks/science/pages.py render

`record` runs every `console` block of the pages in `PAGES`, in order, in a folder with links to the
data. It keeps the outputs in benchmarks/results/science/pages/, and writes them into the pages.
A line `...` of a page leaves out lines of an output. Pages that continue the store of another page
begin with a copy of its folder, so that FOLDER must hold it. Record on an otherwise idle machine:
two trainings at once slow each other down many times over. All pages take hours.
`render` writes the pages from the kept outputs.

Figures in the text of a page come from the same outputs, or from a file of results that a comment
before the paragraph names: `<!-- figures: importance.json -->`. `tests/benchmarks/test_science.py`
compares both.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
import measure

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
RESULTS = ROOT / "benchmarks" / "results" / "science" / "pages"
DATA = Path(os.environ.get("CITESCAPE_DATA") or ROOT.parent / "shared" / "data")
LINKED = ("oa_crops.tar.xz", "scicite", "aan")
"""Data sets that commands of the pages name."""
LIBRARIES = ("citescape", "ladybug", "numpy", "scikit-learn", "torch", "transformers")
OMITTED = "..."


@dataclass(frozen=True)
class Page:
    """A page whose outputs are recorded."""

    after: str = ""
    """The page whose store and runs it continues; a new folder if empty."""
    before: tuple[str, ...] = ()
    """Commands that its blocks need and that it shows elsewhere or without output."""
    also: tuple[str, ...] = ()
    """Commands whose figures its text quotes, or that draw its pictures."""
    pictures: Mapping[str, str] = field(default_factory=dict)
    """Picture below `docs/` -> pattern of the file below `runs/`; the newest one is copied."""


PAGES: Mapping[str, Page] = {
    "quickstart.md": Page(),
    "guides/ingest.md": Page(also=("platform evaluate authors --initials 0.5",)),
    "concepts/importance.md": Page(after="guides/ingest.md"),
    "guides/importance.md": Page(after="guides/ingest.md"),
    "guides/retractions.md": Page(after="guides/importance.md"),
    "guides/text.md": Page(
        after="guides/ingest.md",
        also=(
            "platform cypher \"MATCH (p:Paper)-[:HAS_SECTION]->(s:Section) WHERE s.type = 'other' "
            'RETURN p.id, count(s) AS sections ORDER BY sections DESC LIMIT 3"',
        ),
    ),
    "guides/learning.md": Page(after="guides/importance.md"),
    "guides/recommending.md": Page(after="guides/importance.md", before=("platform prepare",)),
    "guides/evaluating.md": Page(
        after="guides/importance.md",
        also=(
            *(
                command
                for seed in range(1, 5)
                for command in (
                    "platform benchmark mdcr --fields subjects --most-fields 8 --validation 20 "
                    f"--min-abstract 0 --min-citations 1 --max-tokens 64 --seed {seed}",
                    "platform evaluate mdcr minilm tfidf bm25 sgc --max-tokens 64",
                )
            ),
            "platform evaluate report evaluate-000000000006",  # that of pools
        ),
        pictures={"pool-curves.svg": "evaluate-*/curves.svg"},
    ),
    "guides/networks.md": Page(
        after="guides/importance.md",
        before=(
            "platform embed --papers fulltext --max-tokens 128",
            "platform network build coupling",
            "platform network build citation",
        ),
        pictures={"accuracy.png": "accuracy-*/accuracy.png"},
    ),
    "guides/maps.md": Page(
        after="guides/networks.md",
        before=("platform topics --level micro",),
        pictures={"map-topics.png": "map-*/map-importance.png"},
    ),
}
"""Pages in the order of recording."""


@dataclass(frozen=True)
class Call:
    """A command on a page and the output below it."""

    command: str
    shown: str


_CONSOLE = re.compile(r"(?<=```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_CALL = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
_RUN = re.compile(r"\b([a-z]+(?:-[a-z]+)*)-([0-9a-f]{12})\b")
_NOT_LETTERS = re.compile(r"[^a-z]+", re.IGNORECASE)


def split_calls(page: str) -> Iterator[Call]:
    """Commands of the `console` blocks of a page, in order."""
    for block in _CONSOLE.finditer(page):
        for call in _CALL.finditer(block[0]):
            yield Call(call[1], call[2])


def record(name: str, work: Path) -> dict[str, Any]:
    """Runs the commands of a page and returns them with their outputs.

    An interrupted page continues after the last command that ended, if its commands are unchanged.
    """
    page = PAGES[name]
    folder = _folder(work, name)
    if not folder.exists():
        if page.after:
            shutil.copytree(_folder(work, page.after), folder, symlinks=True)
        else:
            folder.mkdir(parents=True)
            for data in LINKED:
                (folder / data).symlink_to(DATA / data)
    log = folder / "calls.json"
    pages: dict[str, list[dict[str, Any]]] = json.loads(log.read_text()) if log.exists() else {}
    done = pages.pop(name, [])
    earlier = [call for calls in pages.values() for call in calls]
    environment = {key: v for key, v in os.environ.items() if not key.startswith("CITESCAPE_")}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    environment["COLUMNS"] = "100"
    shown = [call.command for call in split_calls((DOCS / name).read_text("utf-8"))]
    calls: list[dict[str, Any]] = []
    for part, commands in (("before", page.before), ("page", shown), ("also", page.also)):
        exported: dict[str, str] = {}
        for command in commands:
            filled = _use_latest_runs(command, [*earlier, *calls])
            if export := re.fullmatch(r"export (\w+)=(\S+)", filled):
                exported[export[1]] = export[2]
            call = {"part": part, "command": filled}
            if [call] == [{key: old[key] for key in call} for old in done[:1]]:
                calls.append(done.pop(0))
                continue
            done = []
            begun = time.perf_counter()
            output = subprocess.run(
                ["bash", "-ec", filled],
                cwd=folder,
                env={**environment, **exported},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            ).stdout
            seconds = round(time.perf_counter() - begun, 1)
            print(f"{name}: {filled} ({seconds} s)", file=sys.stderr, flush=True)
            calls.append(call | {"seconds": seconds, "output": output})
            log.write_text(json.dumps({**pages, name: calls}, indent=1), "utf-8")
    for picture, pattern in page.pictures.items():
        drawn = sorted((folder / "runs").glob(pattern), key=lambda path: path.stat().st_mtime)
        if not drawn:
            raise FileNotFoundError(f"{name}: no {pattern} below {folder / 'runs'} for {picture}")
        shutil.copyfile(drawn[-1], DOCS / picture)
    return {
        "page": name,
        "date": datetime.now(UTC).date().isoformat(),
        "machine": measure.machine(),
        "versions": {library: version(library) for library in LIBRARIES},
        "calls": calls,
    }


def _folder(work: Path, page: str) -> Path:
    """The folder of a page: its store, runs and links to data."""
    return work / short_name(page)


def short_name(page: str) -> str:
    """Name of the folder and of the results of a page."""
    return page.removesuffix(".md").replace("/", "-")


def _use_latest_runs(command: str, calls: Sequence[Mapping[str, Any]]) -> str:
    """A command with the latest run of the kind for each id.

    `KIND-000000000002` stands for the one before.
    """
    runs: dict[str, list[str]] = {}
    for call in calls:
        for found in _RUN.finditer(call["output"]):
            known = runs.setdefault(found[1], [])
            if found[0] in known:
                known.remove(found[0])
            known.append(found[0])

    def use(found: re.Match[str]) -> str:
        known = runs.get(found[1])
        place = int(found[2]) if found[2].startswith("0000000000") else 1
        return known[-place] if known else found[0]

    return _RUN.sub(use, command)


def render(page: str, found: Mapping[str, Any]) -> str:
    """The page with the recorded outputs.

    Raises:
        ValueError: the page has other commands than those recorded, or shows lines that the output
            does not have.
    """
    calls = iter([call for call in found["calls"] if call["part"] == "page"])
    renamed: dict[str, str] = {}

    def fill(match: re.Match[str]) -> str:
        call = next(calls, None)
        if call is None or _RUN.sub(r"\1", match[1]) != _RUN.sub(r"\1", call["command"]):
            raise ValueError(f"not recorded: {match[1]}")
        shown = omit(match[2].splitlines(), call["output"].rstrip("\n").splitlines())
        for old, new in zip(
            _RUN.findall(match[0]), _RUN.findall("\n".join([call["command"], *shown])), strict=False
        ):
            if old[0] == new[0]:
                renamed["-".join(old)] = "-".join(new)
        return "\n".join([f"$ {call['command']}", *shown, ""])

    page = _CONSOLE.sub(lambda block: _CALL.sub(fill, block[0]), page)
    if left := next(calls, None):
        raise ValueError(f"recorded, but not on the page: {left['command']}")
    return _RUN.sub(lambda run: renamed.get(run[0], run[0]), page)


def omit(shown: Sequence[str], output: Sequence[str]) -> list[str]:
    """Lines of an output in place of those shown, leaving out as many where a line is `...`.

    A part after `...` begins at the next line of the output with the same letters as its first one.

    Raises:
        ValueError: the output has no such line.
    """
    if OMITTED not in shown:
        return list(output)
    lines: list[str] = []
    parts = "\n".join(shown).split(f"{OMITTED}\n" if shown[-1] != OMITTED else OMITTED)
    end = 0
    for number, part in enumerate(part.strip("\n").split("\n") for part in parts):
        if number:
            lines.append(OMITTED)
        if part == [""]:
            continue
        start = _find_line(part[0], output, end) if number else 0
        end = len(output) if number == len(parts) - 1 else start + len(part)
        lines += output[start:end]
    return lines


def _find_line(shown: str, output: Sequence[str], start: int) -> int:
    """Place of a line, or of the only line with the same letters, at or after `start`."""
    for same in (str, _letters):
        found = [k for k in range(start, len(output)) if same(output[k]) == same(shown)]
        if len(found) == 1 or (found and same is str):
            return found[0]
    raise ValueError(f"the output has {len(found)} lines like this one: {shown}")


def _letters(line: str) -> str:
    return _NOT_LETTERS.sub("", _RUN.sub(r"\1", line))


def main() -> None:
    """Records or renders."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="Run the commands of pages.")
    recording.add_argument("page", nargs="*", metavar="PAGE", help=f"One of {', '.join(PAGES)}.")
    recording.add_argument("--work", type=Path, required=True, help="Folder for stores and runs.")
    commands.add_parser("render", help="Write the pages from the kept outputs.")
    given = parser.parse_args()
    RESULTS.mkdir(parents=True, exist_ok=True)
    names = given.page if given.command == "record" and given.page else [*PAGES]
    if unknown := [name for name in names if name not in PAGES]:
        parser.error(f"found {', '.join(unknown)}; expected pages among {', '.join(PAGES)}")
    for name in names:
        path = RESULTS / f"{short_name(name)}.json"
        if given.command == "record":
            found = record(name, given.work)
            path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")
        page = (DOCS / name).read_text("utf-8")
        rendered = render(page, json.loads(path.read_text("utf-8")))
        (DOCS / name).write_text(rendered, "utf-8")


if __name__ == "__main__":
    main()
