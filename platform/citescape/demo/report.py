"""The report page that `platform demo` ends with: one HTML file that needs nothing else."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from citescape.core.config import quote_command
from citescape.core.errors import StoreError
from citescape.core.files import write_files
from citescape.corpus_report.pairs import (
    Example,
    PairTable,
    compute_components,
    passing_citation,
    read_examples,
    read_pairs,
    read_totals,
)
from citescape.corpus_report.pictures import SECTION_NAMES, draw_by_section, draw_distribution
from citescape.demo.proof import Proof
from citescape.demo.recovery import Check, Recovery
from citescape.demo.report_learning import show_learned, show_proof
from citescape.demo.report_mapping import show_mapping
from citescape.demo.report_pictures import draw_recovery
from citescape.demo.report_recommended import show_recommended
from citescape.demo.text import capitalise
from citescape.importance.components import TABLE
from citescape.importance.weights import ComponentStatistics
from citescape.reports.template import Html, Page
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

if TYPE_CHECKING:
    from citescape.demo.learn import Learned
    from citescape.demo.mapped import RecoveredTopics
    from citescape.demo.recommended import Recommended

REPORT_NAME = "report.html"
NEXT_QUERIES: dict[str, dict[str, int]] = {
    "explore/references": {"limit": 10},
    "explore/cited_in_depth": {"limit": 10},
    "explore/cited_in_passing": {"least": 10, "limit": 10},
    "explore/discussed_together": {"limit": 10},
}
"""Questions of the library that the page ends with, and their parameters but for `paper`."""
_EXAMPLES = 10
_QUOTES = 3


def write_report(
    store: GraphStore,
    folder: Path,
    *,
    recovery: Recovery | None = None,
    statistics: Sequence[ComponentStatistics] = (),
    learned: Learned | None = None,
    proof: Proof | None = None,
    mapped: RecoveredTopics | None = None,
    recommended: Recommended | None = None,
    skipped: Iterable[str] = (),
    program: str = "platform",
    origin: str = "A generated corpus: no such paper, person or journal exists.",
) -> Path:
    """Writes `report.html` in `folder` (created if need be) and returns its path.

    Args:
        store: loaded and scored.
        folder: where to; an older report in it is replaced.
        recovery: comparison with planted truth; without it the page leaves that part out.
        statistics: the components the score was made of; default: those of the published score,
            with entropy weights, over the pairs in the store.
        learned: an encoder of the corpus; without it the page leaves that part out.
        proof: ways to learn beside each other, and what must hold of them; likewise.
        mapped: networks beside the planted topics; likewise.
        recommended: profiles beside own texts and controls; likewise.
        skipped: lines on what could not be done and why.
        program: what a shell calls the command line, for the commands at the end.
        origin: one sentence at the foot of the page that says where the data come from.

    Raises:
        StoreError: the store holds no citation.
    """
    pairs = read_pairs(store)
    if not len(pairs):
        raise StoreError(
            f"{store.location} holds no citation, so there is nothing to report; "
            f"load papers with {quote_command('ingest PATH', store.location)} and score them with "
            f"{quote_command('score', store.location)}"
        )
    page = Page(files(__package__).joinpath("report.html").read_text(encoding="utf-8"))
    totals = read_totals(store)
    examples = read_examples(store, pairs, range(min(_EXAMPLES, len(pairs))))
    text = page.fill(
        {
            **_opening(page, totals, pairs),
            **_recovery(page, recovery),
            **_importance(page, pairs, statistics or compute_components(pairs)),
            "examples": _examples(page, examples),
            "contrast_section": _contrast(page, store, pairs),
            "nearest_section": show_learned(page, learned),
            "learning_section": _prove(page, proof),
            "mapping_section": _map(page, mapped, folder),
            "recommended_section": _recommend(page, recommended),
            "verdicts": _verdicts(page, recovery, proof, mapped=mapped, recommended=recommended),
            "skipped": page.rows("skip", ({"text": capitalise(line)} for line in skipped)),
            **_next_steps(page, _Shell(program, store.location, learned), examples[0]),
            "origin": origin,
        }
    )
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / REPORT_NAME
    write_files({path: lambda sink: sink.write(text.encode())})
    return path


def _opening(page: Page, totals: Mapping[str, int], pairs: PairTable) -> dict[str, object]:
    in_depth = float(((pairs.counts[:, 2] + pairs.counts[:, 3]) > 0).mean())
    figures = {
        "full texts read": f"{totals['fulltext_papers']:,}",
        "works, cited ones included": f"{totals['papers']:,}",
        "citations": f"{totals['citations']:,}",
        "in-text citations": f"{totals['occurrences']:,}",
        "authors told apart": f"{totals['authors']:,}",
        "self-citations": f"{pairs.shared.mean():.1%}",
    }
    return {
        "title": "citescape demo report",
        "headline": "Which citations matter",
        "lead": f"Of {len(pairs):,} citations between {totals['papers']:,} works, "
        f"{in_depth:.0%} come back in the results or the discussion of the citing paper. "
        "This page shows which, why, and how far to trust it.",
        "figures": page.rows("figure", ({"name": n, "value": v} for n, v in figures.items())),
        "pairs": f"{len(pairs):,}",
    }


def _verdicts(
    page: Page,
    recovery: Recovery | None,
    proof: Proof | None,
    *,
    mapped: RecoveredTopics | None,
    recommended: Recommended | None,
) -> Html:
    """A line for each kind of comparison that was made."""
    compared = {
        "comparisons with the planted truth": recovery,
        "comparisons of ways to learn": proof,
        "comparisons of networks": mapped,
        "comparisons of recommendations": recommended,
    }
    told = [_verdict(what, made.checks) for what, made in compared.items() if made]
    return page.rows("verdict", [row for row in told if row])


def _verdict(what: str, checks: Sequence[Check]) -> dict[str, str]:
    failed = sum(not check.passed for check in checks)
    if not checks:
        return {}
    if failed:
        return {"text": f"{failed} of {len(checks)} {what} fail.", "style": "no"}
    return {"text": f"All {len(checks)} {what} hold.", "style": "yes"}


def _recovery(page: Page, recovery: Recovery | None) -> dict[str, Html]:
    if recovery is None:
        return {"recovery_section": Html(), "curve_figure": Html()}
    checks = recovery.checks
    failed = [check.what for check in checks if not check.passed]
    detail = f"Not as planted: {'; '.join(failed)}." if failed else "What it found:"
    rows = page.rows("check", map(_check_row, checks))
    curve = Html()
    if recovery.bins:
        curve = page.rows("curve", [{"curve": draw_recovery(recovery.bins)}])
    return {
        "recovery_section": page.rows("recovery", [{"verdict": detail, "checks": rows}]),
        "curve_figure": curve,
    }


def _prove(page: Page, proof: Proof | None) -> Html:
    checks = page.rows("check", map(_check_row, proof.checks)) if proof else Html()
    return show_proof(page, proof, checks)


def _map(page: Page, mapped: RecoveredTopics | None, folder: Path) -> Html:
    checks = page.rows("check", map(_check_row, mapped.checks)) if mapped else Html()
    return show_mapping(page, mapped, checks, folder=folder)


def _recommend(page: Page, made: Recommended | None) -> Html:
    checks = page.rows("check", map(_check_row, made.checks)) if made else Html()
    return show_recommended(page, made, checks)


def _check_row(check: Check) -> dict[str, str]:
    return {
        "what": check.what,
        "found": _figure(check.found),
        "relation": check.relation,
        "expected": _figure(check.expected)
        + (f" − {_figure(check.chance)}" if check.by_chance else ""),
        "style": "yes" if check.passed else "no",
        "holds": "yes" if check.passed else "NO",
    }


def _figure(value: float) -> str:
    """Counts whole, shares and correlations to three places."""
    if math.isnan(value):
        return "none"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"


def _importance(
    page: Page, pairs: PairTable, statistics: Sequence[ComponentStatistics]
) -> dict[str, Html]:
    return {
        "by_section": draw_by_section(pairs),
        "by_section_narrow": draw_by_section(pairs, narrow=True),
        "distribution": draw_distribution(pairs.importance),
        "components": page.rows("component", map(_component_row, statistics)),
    }


def _component_row(component: ComponentStatistics) -> dict[str, str]:
    entry = TABLE[component.component]
    return {
        "name": capitalise(entry.doc),
        "symbol": {"self": "S", "title_similarity": "T"}.get(entry.column, entry.column),
        "mean": f"{component.mean:.3f}",
        "deviation": f"{component.std:.3f}",
        "entropy": "none" if component.entropy is None else f"{component.entropy:.3f}",
        "weight": f"{component.weight:.1%}",
    }


def _examples(page: Page, examples: Iterable[Example]) -> Html:
    return page.rows("example", (_example_row(page, example) for example in examples))


def _example_row(page: Page, example: Example) -> dict[str, object]:
    counts = dict(zip(SECTION_NAMES.values(), example.counts, strict=True))
    shown: dict[str, object] = {name: value for name, value in counts.items() if value}
    if example.shared:
        shown["Shared author"] = "yes"
    return {
        "importance": f"{example.importance:.2f}",
        "cited_title": example.cited_title,
        "cited": example.cited,
        "citing": example.citing,
        "citing_title": example.citing_title,
        "counts": page.rows("count", ({"name": n, "value": v} for n, v in shown.items())),
        "quotes": page.rows("quote", _quotes(example)),
    }


def _quotes(example: Example) -> Iterable[dict[str, str]]:
    """Some of the sentences: the first of each section, results before discussion; then others."""
    order = {"R": 0, "D": 1, "I": 2, "M": 3}
    seen: dict[str, int] = {}
    ranked: list[tuple[int, int, int]] = []
    for at, quote in enumerate(example.sentences):
        turn = seen[quote.section] = seen.get(quote.section, -1) + 1
        ranked.append((turn, order.get(quote.section, 4), at))
    for _, _, at in sorted(ranked)[:_QUOTES]:
        quote = example.sentences[at]
        yield {"text": quote.text, "section": SECTION_NAMES.get(quote.section, quote.section)}


def _contrast(page: Page, store: GraphStore, pairs: PairTable) -> Html:
    row = passing_citation(pairs)
    if row is None:
        return Html()
    shown = _examples(page, read_examples(store, pairs, [row]))
    return page.rows("contrast", [{"examples": shown}])


@dataclass(frozen=True)
class _Shell:
    """What commands are given with."""

    program: str
    location: str
    learned: Learned | None

    def line(self, *words: str) -> str:
        """A command that works when pasted."""
        return shlex.join((self.program, *words, "--store", self.location))


def _next_steps(page: Page, shell: _Shell, example: Example) -> dict[str, object]:
    near = [shell.line("similar", example.citing_id)] if shell.learned else []
    commands = [
        shell.line("status"),
        shell.line("explain", example.citing_id, example.cited_id),
        *near,
        shell.line("cypher"),
    ]
    rows = (_next_row(name, shell, paper=example.citing_id) for name in NEXT_QUERIES)
    return {
        "location": shell.location,
        "commands": "\n".join(commands),
        "list": shlex.join((shell.program, "cypher", "--list")),
        "queries": page.rows("query", rows),
    }


def _next_row(name: str, shell: _Shell, *, paper: str) -> dict[str, str]:
    """A question of the library: what it asks, its Cypher, and the command that asks it."""
    asked = query(name)
    given = {"paper": paper, **NEXT_QUERIES[name]}
    params = [f"{key}={value}" for key, value in given.items() if key in asked.parameters]
    told = [text for param in params for text in ("--param", param)]
    return {
        "question": asked.doc.partition("\n")[0],
        "text": asked.text,
        "command": shell.line("cypher", "--name", name, *told),
    }
