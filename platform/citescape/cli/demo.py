"""`platform demo`."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citescape.cli.options import SEED, command_line, output_options, program
from citescape.cli.output import echo_json, number
from citescape.core.errors import CitescapeError, ConfigError
from citescape.core.progress import ticking
from citescape.core.terminal import echo
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.corpus import Corpus
    from citescape.demo.learn import Learned
    from citescape.demo.mapped import RecoveredTopics
    from citescape.demo.proof import Proof
    from citescape.demo.recommended import Recommended
    from citescape.demo.recovery import Check, Recovery
    from citescape.demo.world import World
    from citescape.importance.score import ScoreResult
    from citescape.ingest.ingest import IngestResult

Say = Callable[[str], None]
_MARK = ".citescape-demo"


@click.command()
@click.option("--papers", default=300, show_default=True, type=click.IntRange(50), help="Papers.")
@click.option(
    "--seed",
    default=0,
    show_default=True,
    type=SEED,
    help="Seed of the generated world.",
)
@click.option(
    "--folder",
    default="demo-citescape",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Where papers, store, runs and report go; an earlier demo there is replaced.",
)
@click.option(
    "--learn/--no-learn",
    default=True,
    show_default=True,
    help="Train an encoder, prove over eight seeds that learning finds what was planted, map the "
    "papers by its vectors, and prove over five that profiles find what works are cited for.",
)
@output_options
def demo(papers: int, seed: int, folder: Path, learn: bool, as_json: bool) -> None:
    """Run the whole chain on a generated corpus; ends with a report page.

    A small scholarly world is made up, with a known importance behind every citation, and printed
    as full-text articles of varied markup. They are ingested and scored like real ones, and what
    comes out is compared with what was planted. Then an encoder learns from the most important
    citations, samplers are compared with their controls on planted vectors, and communities of
    several networks with the planted topics; a map shows them. Last, citations are recommended in
    literatures of which it is known what each work is cited for.
    """
    from citescape.corpus import open_corpus
    from citescape.demo.jats_writer import write_corpus
    from citescape.demo.optional import find_skipped
    from citescape.demo.report import write_report
    from citescape.demo.world import generate_world

    _refuse_other_files(folder)
    world = generate_world(papers=papers, seed=seed)
    _empty(folder)
    say = _quiet if as_json else echo
    files = write_corpus(world, folder / "papers")
    say(f"1  wrote {plural(len(files), 'article')} to {folder / 'papers'}")
    with open_corpus(folder / "demo.lbug", runs=folder / "runs", create=True) as corpus:
        loaded = _ingest(corpus, folder, say)
        scored = _score(corpus, folder, say)
        recovery = _recover(corpus, world, say)
        parts: dict[str, Any] = {"recovery": recovery}
        skipped = find_skipped() if learn else {}
        map_ = partial(_map, vectors="learned" not in skipped)
        works: dict[str, Callable[..., Any]] = {
            "learned": _learn,
            "proof": _prove,
            "mapped": map_,
            "recommended": _recommend,
        }
        for step, (part, work) in enumerate(works.items() if learn else (), 5):
            if part in skipped:
                say(f"{step}  {skipped[part]}")
            else:
                parts[part] = work(corpus, world, folder, say=say)
        shown: dict[str, Any] = {**parts, "statistics": scored.statistics, "program": program()}
        page = write_report(corpus.store, folder, skipped=skipped.values(), **shown)
    checks = [check for name, part in parts.items() if name != "learned" for check in part.checks]
    say(f"{9 if learn else 5}  report: {page.resolve().as_uri()}")
    say(f"   ask on: {command_line('cypher', str(folder / 'demo.lbug'))}")
    if as_json:
        figures = _as_json(checks, page=page, papers=loaded.papers, pairs=scored.pairs)
        echo_json({**figures, "skipped": list(skipped.values())})
    if not all(check.passed for check in checks):
        raise CitescapeError("the planted truth was not recovered; see the lines marked 'no' above")


def _ingest(corpus: Corpus, folder: Path, say: Say) -> IngestResult:
    loaded = corpus.ingest(folder / "papers")
    say(
        f"2  ingested them in {loaded.seconds:.1f} s: {plural(loaded.papers, 'paper')}, "
        f"{plural(loaded.occurrences, 'citation')} in the text"
    )
    return loaded


def _score(corpus: Corpus, folder: Path, say: Say) -> ScoreResult:
    scored = corpus.score()
    weights = ", ".join(f"{row.component} {row.weight:.2f}" for row in scored.statistics)
    say(f"3  scored {plural(scored.pairs, 'citing-cited pair')}; weights {weights}")
    return scored


def _recover(corpus: Corpus, world: World, say: Say) -> Recovery:
    from citescape.demo.recovery import check_recovery

    recovery = check_recovery(corpus.store, world, seed=world.seed)
    say("4  compared with what was planted:")
    _print(recovery.checks, say)
    return recovery


def _learn(corpus: Corpus, world: World, folder: Path, *, say: Say) -> Learned:
    """Learns from the citations of the corpus."""
    from citescape.demo.learn import learn

    with ticking() as ticker:
        made = learn(corpus.store, folder / "runs", progress=ticker.tell)
    _print_learned(made, say)
    return made


def _prove(corpus: Corpus, world: World, folder: Path, *, say: Say) -> Proof:
    """Proves the code on planted vectors."""
    from citescape.demo.proof import SEEDS, prove_learning

    with ticking() as ticker:
        proof = prove_learning(corpus.store, world, progress=ticker.tell)
    say(
        f"6  learned from planted vectors, {SEEDS} seeds; this verifies the code and is no "
        "evidence about science:"
    )
    _print(proof.checks, say)
    for text in proof.remarks:
        say(f"   {text}")
    return proof


def _map(corpus: Corpus, world: World, folder: Path, *, say: Say, vectors: bool) -> RecoveredTopics:
    """Clusters networks of the corpus, and draws the one of its vectors, if there are any."""
    from citescape.demo.mapped import KINDS, VECTORS, recover_topics

    kinds = [kind for kind in KINDS if vectors or kind != VECTORS]
    with ticking() as ticker:
        mapped = recover_topics(
            corpus.store, world, folder / "runs", kinds=kinds, progress=ticker.tell
        )
    say(
        f"7  clustered networks of the full texts into {mapped.topics} communities, as many as "
        f"topics were planted; adjusted Rand index with these, {len(mapped.networks[0].agreement)} "
        "seeds:"
    )
    for one in mapped.networks:
        edges = plural(one.edges, "edge")
        say(f"   {one.kind:12}  {edges:>12}  {one.mean:6.3f} ± {one.deviation:.3f}")
    _print(mapped.checks, say)
    if mapped.chart:
        say(f"   a map of them: {mapped.chart.page.resolve().as_uri()}")
    return mapped


def _recommend(corpus: Corpus, world: World, folder: Path, *, say: Say) -> Recommended:
    """Proves on literatures of its own that profiles find what others say of works."""
    from citescape.demo.recommended import SEEDS, prove_recommending

    with ticking() as ticker:
        made = prove_recommending(progress=ticker.tell)
    say(
        f"8  recommended citations in planted literatures, {SEEDS} seeds; this verifies the "
        "code and is no evidence about science:"
    )
    _print(made.checks, say)
    for text in made.remarks:
        say(f"   {text}")
    return made


def _print_learned(made: Learned, say: Say) -> None:
    figures = made.sampled.files["triplets.parquet"]
    before, after = made.trained.before["accuracy"], made.trained.after["accuracy"]
    say(
        f"5  sampled {plural(figures['triplets'], 'triplet')} by importance, trained an adapter "
        f"over {made.base} ({before:.1%} of held-out triplets ordered rightly before, {after:.1%} "
        f"after), embedded {plural(made.papers, 'paper')}; nearest to {made.example.paper}:"
    )
    for paper in made.example.papers:
        cited = "cited, " if paper.cites else ""
        say(f"   {paper.similarity:.3f}  {paper.title} ({cited}{paper.year})")


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


def _print(checks: Sequence[Check], say: Say) -> None:
    width = max(len(check.what) for check in checks)
    for check in checks:
        answer = "ok" if check.passed else "no"
        found = f"{_figure(check.found)} {check.relation} {_figure(check.expected)}"
        if check.by_chance:
            found += f" - {_figure(check.chance)} (chance)"
        say(f"   {answer}  {check.what.ljust(width)}  {found}")


def _figure(value: float) -> str:
    """Counts with thousands separated, shares to four digits."""
    return number(int(value)) if float(value).is_integer() else f"{value:.4f}"


def _as_json(checks: Sequence[Check], *, page: Path, papers: int, pairs: int) -> dict[str, object]:
    return {
        "passed": all(check.passed for check in checks),
        "papers": papers,
        "pairs": pairs,
        "checks": [{**asdict(check), "passed": check.passed} for check in checks],
        "report": str(page),
    }
