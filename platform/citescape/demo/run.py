"""Runs the demo: the steps of a user on a generated corpus, compared with the ground truth."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from citescape.core.errors import CitescapeError, ConfigError
from citescape.core.progress import Progress, ticking
from citescape.corpus import open_corpus
from citescape.corpus_report.build import CorpusReport, build_report
from citescape.demo.jats_writer import write_corpus
from citescape.demo.learn import learn as learn_from
from citescape.demo.mapped import KINDS, VECTORS, recover_topics
from citescape.demo.notices import write_notices
from citescape.demo.optional import find_skipped
from citescape.demo.proof import prove_learning
from citescape.demo.recommended import prove_recommending
from citescape.demo.recovery import Check, check_notices, check_recovery
from citescape.demo.sections import (
    DemoPart,
    show_learned,
    show_mapping,
    show_proof,
    show_recommended,
    show_recovery,
)
from citescape.demo.text import capitalise
from citescape.demo.world import generate_world
from citescape.runs.result import plural

REPORT, STORE = "report.html", "demo.lbug"
_MARK = ".citescape-demo"


@dataclass(frozen=True)
class DemoResult:
    """Report page and checks of a demo."""

    page: CorpusReport
    checks: tuple[Check, ...]
    papers: int
    pairs: int
    skipped: tuple[str, ...]

    @property
    def failure(self) -> CitescapeError | None:
        """Error if a check fails, else None."""
        if all(check.passed for check in self.checks):
            return None
        return CitescapeError("the ground truth was not recovered; see the lines marked 'no' above")

    @property
    def figures(self) -> dict[str, Any]:
        """Output of `--json`."""
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
    report: Callable[[str], None] = lambda line: None,
) -> DemoResult:
    """Writes a generated corpus, runs the steps of a user, and compares with the ground truth.

    Args:
        folder: folder of articles, store, runs and page; an earlier demo in it is replaced.
        papers: number of full texts to generate.
        seed: random seed of the generated world.
        learn: also train, cluster, map and recommend.
        program: name of the command line, for the commands on the page.
        report: receives each line of output.

    Raises:
        ConfigError: the folder contains files other than those of a demo.
    """
    _prepare_folder(folder)
    world = generate_world(papers=papers, seed=seed)
    files = write_corpus(world, folder / "papers")
    report(f"1  wrote {plural(len(files), 'article')} to {folder / 'papers'}")
    with open_corpus(folder / STORE, runs=folder / "runs", create=True) as corpus:
        table = write_notices(world, folder / "notices.csv")
        loaded = corpus.ingest([folder / "papers", table])
        report(
            f"2  ingested them in {loaded.seconds:.1f} s: {plural(loaded.papers, 'paper')}, "
            f"{plural(loaded.occurrences, 'citation')} in the text"
        )
        scored = corpus.score()
        weights = ", ".join(f"{row.component} {row.weight:.2f}" for row in scored.statistics)
        report(f"3  scored {plural(scored.pairs, 'citing-cited pair')}; weights {weights}")
        skipped = find_skipped() if learn else {}
        recovery = check_recovery(corpus.store, world, seed=seed)
        checks = (*recovery.checks, *check_notices(corpus.store, world))
        parts = [show_recovery(replace(recovery, checks=checks))]
        _print_part(4, parts[0], report)

        # parts that need extras, by their names in `optional.PARTS`
        kinds = [kind for kind in KINDS if "learned" not in skipped or kind != VECTORS]
        works: dict[str, Callable[[Progress], DemoPart]] = {
            "learned": lambda _: show_learned(learn_from(corpus)),
            "proof": lambda show: show_proof(prove_learning(corpus.store, world, progress=show)),
            "mapped": lambda _: show_mapping(recover_topics(corpus, world, kinds=kinds)),
            "recommended": lambda show: show_recommended(prove_recommending(progress=show)),
        }
        for number, (name, work) in enumerate(works.items() if learn else (), 5):
            with ticking() as ticker:
                part = DemoPart([skipped[name]]) if name in skipped else work(ticker.report)
            _print_part(number, part, report)
            parts.append(part)
        page = build_report(
            corpus.context,
            folder / REPORT,
            further=[part.section for part in parts if part.section],
            verdicts=[part.verdict for part in parts if part.checks],
            notes=[capitalise(line) for line in skipped.values()],
            origin="A generated corpus: no such paper, person or journal exists.",
            program=program,
        )
    report(f"{4 + len(parts)}  report: {page.path.resolve().as_uri()}")
    every = tuple(check for part in parts for check in part.checks)
    return DemoResult(page, every, loaded.papers, scored.pairs, tuple(skipped.values()))


def _print_part(number: int, part: DemoPart, report: Callable[[str], None]) -> None:
    first, *others = part.lines
    report(f"{number}  {first}")
    width = max((len(check.name) for check in part.checks), default=0)
    checks = [
        f"{'ok' if check.passed else 'no'}  {check.name.ljust(width)}  "
        f"{check.format_found()} {check.format_expected()}"
        for check in part.checks
    ]
    for line in (*others, *checks, *part.remarks):
        report(f"   {line}")


def _prepare_folder(folder: Path) -> None:
    """Creates an empty folder; only an earlier demo is replaced."""
    if folder.exists() and any(folder.iterdir()) and not (folder / _MARK).exists():
        raise ConfigError(
            f"{folder} contains files other than those of a demo; name an empty or new folder with "
            "--folder"
        )
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / _MARK).touch()
