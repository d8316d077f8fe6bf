"""`platform demo`."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citescape.cli.options import command_line, output_options, usable_cores
from citescape.cli.output import echo_json, number, plural, ticking
from citescape.errors import CitescapeError, ConfigError

if TYPE_CHECKING:
    from citescape.api import Corpus
    from citescape.demo.recovery import Recovery
    from citescape.features.score import ScoreResult
    from citescape.graph.ingest import IngestResult

Say = Callable[[str], None]
_MARK = ".citescape-demo"


@click.command()
@click.option("--papers", default=300, show_default=True, type=click.IntRange(50), help="Papers.")
@click.option(
    "--seed",
    default=0,
    show_default=True,
    type=click.IntRange(0),
    help="Seed of the generated world.",
)
@click.option(
    "--folder",
    default="demo-citescape",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Where papers, store, runs and report go; an earlier demo there is replaced.",
)
@output_options
def demo(papers: int, seed: int, folder: Path, as_json: bool) -> None:
    """Run the whole chain on a generated corpus; ends with a report page.

    A small scholarly world is made up, with a known importance behind every citation, and printed
    as full-text articles of varied markup. They are ingested and scored like real ones, and what
    comes out is compared with what was planted.
    """
    from citescape.api import open_corpus
    from citescape.demo.jats_writer import write_corpus
    from citescape.demo.recovery import check_recovery
    from citescape.demo.report import write_report
    from citescape.demo.world import generate_world

    _refuse_other_files(folder)
    world = generate_world(papers=papers, seed=seed)
    _empty(folder)
    say = _quiet if as_json else click.echo
    files = write_corpus(world, folder / "papers")
    say(f"1  wrote {number(len(files))} articles to {folder / 'papers'}")
    with open_corpus(folder / "demo.lbug") as corpus:
        loaded = _ingest(corpus, folder, say)
        scored = _score(corpus, folder, say)
        recovery = check_recovery(corpus.store, world, seed=seed)
        say("4  compared with what was planted:")
        _print(recovery, say)
        page = write_report(corpus.store, folder, recovery=recovery, statistics=scored.statistics)
    say(f"5  report: {page.resolve().as_uri()}")
    say(f"   ask on: {command_line('cypher', str(folder / 'demo.lbug'))}")
    if as_json:
        echo_json(_as_json(recovery, page=page, papers=loaded.papers, pairs=scored.pairs))
    if not recovery.passed:
        raise CitescapeError("the planted truth was not recovered; see the lines marked 'no' above")


def _ingest(corpus: Corpus, folder: Path, say: Say) -> IngestResult:
    from citescape.graph.ingest import IngestConfig

    with ticking() as ticker:
        loaded = corpus.ingest(
            folder / "papers",
            config=IngestConfig(workers=usable_cores()),
            progress=lambda p: ticker.tell(f"{p.step}: {plural(p.documents, 'document')}"),
        )
    say(
        f"2  ingested them in {loaded.seconds:.1f} s: {number(loaded.papers)} papers, "
        f"{number(loaded.occurrences)} citations in the text"
    )
    return loaded


def _score(corpus: Corpus, folder: Path, say: Say) -> ScoreResult:
    with ticking() as ticker:
        scored = corpus.score(runs=folder / "runs", progress=ticker.tell)
    weights = ", ".join(f"{row.component} {row.weight:.2f}" for row in scored.statistics)
    say(f"3  scored {number(scored.pairs)} citing-cited pairs; weights {weights}")
    return scored


def _refuse_other_files(folder: Path) -> None:
    """Only an earlier demo is replaced."""
    if folder.exists() and any(folder.iterdir()) and not (folder / _MARK).exists():
        raise ConfigError(f"{folder} holds other files; name an empty or new folder with --folder")


def _empty(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / _MARK).touch()


def _quiet(_: str) -> None:
    pass


def _print(recovery: Recovery, say: Say) -> None:
    width = max(len(check.what) for check in recovery.checks)
    for check in recovery.checks:
        answer = "ok" if check.passed else "no"
        found = f"{_figure(check.found)} {check.relation} {_figure(check.expected)}"
        if check.by_chance:
            found += f" - {_figure(check.chance)} (chance)"
        say(f"   {answer}  {check.what.ljust(width)}  {found}")


def _figure(value: float) -> str:
    """Counts with thousands separated, shares to four digits."""
    return number(int(value)) if float(value).is_integer() else f"{value:.4f}"


def _as_json(recovery: Recovery, *, page: Path, papers: int, pairs: int) -> dict[str, object]:
    return {
        "passed": recovery.passed,
        "papers": papers,
        "pairs": pairs,
        "checks": [{**asdict(check), "passed": check.passed} for check in recovery.checks],
        "report": str(page),
    }
