"""The demo from the first article to the page: the steps of a user, and what must come out."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citescape.core.errors import CitescapeError, ConfigError
from citescape.core.progress import ticking
from citescape.corpus import Corpus, open_corpus
from citescape.corpus_report.build import CorpusReport, build_report
from citescape.demo.jats_writer import write_corpus
from citescape.demo.optional import find_skipped
from citescape.demo.recovery import Check, check_recovery
from citescape.demo.text import capitalise
from citescape.demo.world import World, generate_world
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.reports.content import Section

REPORT, STORE = "report.html", "demo.lbug"
_MARK = ".citescape-demo"
_ORIGIN = "A generated corpus: no such paper, person or journal exists."
_NO_EVIDENCE = "this verifies the code and is no evidence about science:"
Say = Callable[[str], None]


@dataclass(frozen=True)
class Shown:
    """One part of the demo: lines for the terminal, what must hold, and sections of the page."""

    lines: Sequence[str]
    compared: str = ""
    """What the checks compare, in the plural."""
    checks: Sequence[Check] = ()
    sections: Sequence[Section] = ()
    remarks: Sequence[str] = ()
    """Lines after the checks."""


@dataclass(frozen=True)
class Demonstrated:
    """What the demo made and found."""

    page: CorpusReport
    checks: tuple[Check, ...]
    papers: int
    pairs: int
    skipped: tuple[str, ...]

    @property
    def failure(self) -> CitescapeError | None:
        """Why the demo fails, if it does."""
        if all(check.passed for check in self.checks):
            return None
        return CitescapeError(
            "the planted truth was not recovered; see the lines marked 'no' above"
        )

    @property
    def figures(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "passed": self.failure is None,
            "papers": self.papers,
            "pairs": self.pairs,
            "checks": [{**asdict(check), "passed": check.passed} for check in self.checks],
            "report": str(self.page.path),
            "skipped": list(self.skipped),
        }


def run_demo(
    folder: Path,
    *,
    papers: int = 300,
    seed: int = 0,
    learn: bool = True,
    program: str = "platform",
    say: Say = lambda line: None,
) -> Demonstrated:
    """Writes a generated corpus, works on it as a user does, and compares with what was planted.

    Args:
        folder: for articles, store, runs and page; an earlier demo there is replaced.
        papers: full texts to generate.
        seed: seed of the generated world.
        learn: train, cluster, map and recommend too.
        program: name of the command line, for the commands on the page.
        say: takes each line of what was done.

    Raises:
        ConfigError: the folder holds other files.
    """
    _empty(folder)
    world = generate_world(papers=papers, seed=seed)
    files = write_corpus(world, folder / "papers")
    say(f"1  wrote {plural(len(files), 'article')} to {folder / 'papers'}")
    with open_corpus(folder / STORE, runs=folder / "runs", create=True) as corpus:
        loaded = corpus.ingest(folder / "papers")
        say(
            f"2  ingested them in {loaded.seconds:.1f} s: {plural(loaded.papers, 'paper')}, "
            f"{plural(loaded.occurrences, 'citation')} in the text"
        )
        scored = corpus.score()
        weights = ", ".join(f"{row.component} {row.weight:.2f}" for row in scored.statistics)
        say(f"3  scored {plural(scored.pairs, 'citing-cited pair')}; weights {weights}")
        skipped = find_skipped() if learn else {}
        parts = []
        for number, part in enumerate(_work(corpus, world, skipped, learn=learn), 4):
            _tell(number, part, say)
            parts.append(part)
        page = _report(corpus, folder, parts, skipped=list(skipped.values()), program=program)
    say(f"{4 + len(parts)}  report: {page.path.resolve().as_uri()}")
    checks = tuple(check for part in parts for check in part.checks)
    return Demonstrated(page, checks, loaded.papers, scored.pairs, tuple(skipped.values()))


def _work(corpus: Corpus, world: World, skipped: dict[str, str], *, learn: bool) -> Iterator[Shown]:
    """The parts one after the other; libraries of extras are imported where they are there."""
    from citescape.demo import sections

    recovery = check_recovery(corpus.store, world, seed=world.seed)
    yield Shown(
        ["compared with what was planted:"],
        "comparisons with the planted truth",
        recovery.checks,
        [sections.show_recovery(recovery)],
    )
    if not learn:
        return
    if "learned" in skipped:
        yield Shown([skipped["learned"]])
    else:
        from citescape.demo.learn import learn as learn_from

        yield Shown(learn_from(corpus).tell())
    if "proof" in skipped:
        yield Shown([skipped["proof"]])
    else:
        from citescape.demo.proof import SEEDS, prove_learning

        with ticking() as ticker:
            proof = prove_learning(corpus.store, world, progress=ticker.tell)
        yield Shown(
            [f"learned from planted vectors, {SEEDS} seeds; {_NO_EVIDENCE}"],
            "comparisons of ways to learn",
            proof.checks,
            [sections.show_proof(proof)],
            proof.remarks,
        )
    if "mapped" in skipped:
        yield Shown([skipped["mapped"]])
    else:
        from citescape.demo.mapped import KINDS, VECTORS, recover_topics

        kinds = [kind for kind in KINDS if kind != VECTORS or "learned" not in skipped]
        mapped = recover_topics(corpus, world, kinds=kinds)
        yield Shown(
            mapped.tell(),
            "comparisons of networks",
            mapped.checks,
            [sections.show_mapping(mapped)],
            [f"a map of them: {mapped.map.page.resolve().as_uri()}"] if mapped.map else [],
        )
    if "recommended" in skipped:
        yield Shown([skipped["recommended"]])
    else:
        from citescape.demo.recommended import prove_recommending

        with ticking() as ticker:
            made = prove_recommending(progress=ticker.tell)
        yield Shown(
            [
                f"recommended citations in planted literatures, {made.seeds} seeds; {_NO_EVIDENCE}",
            ],
            "comparisons of recommendations",
            made.checks,
            [sections.show_recommended(made)],
            made.remarks,
        )


def _report(
    corpus: Corpus, folder: Path, parts: Sequence[Shown], *, skipped: Sequence[str], program: str
) -> CorpusReport:
    from citescape.demo.sections import show_verdict

    return build_report(
        corpus.context,
        folder / REPORT,
        further=[section for part in parts for section in part.sections],
        verdicts=[show_verdict(part.compared, part.checks) for part in parts if part.checks],
        notes=[capitalise(line) for line in skipped],
        origin=_ORIGIN,
        program=program,
    )


def _tell(number: int, part: Shown, say: Say) -> None:
    first, *others = part.lines
    say(f"{number}  {first}")
    width = max((len(check.what) for check in part.checks), default=0)
    checks = [
        f"{'ok' if check.passed else 'no'}  {check.what.ljust(width)}  "
        f"{check.tell_found()} {check.tell_expected()}"
        for check in part.checks
    ]
    for line in (*others, *checks, *part.remarks):
        say(f"   {line}")


def _empty(folder: Path) -> None:
    """Only an earlier demo is replaced."""
    if folder.exists() and any(folder.iterdir()) and not (folder / _MARK).exists():
        raise ConfigError(f"{folder} holds other files; name an empty or new folder with --folder")
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / _MARK).touch()
