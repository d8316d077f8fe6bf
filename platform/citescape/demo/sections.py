"""What the demo adds to the page about its corpus: what was planted, and what was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from citescape.demo.learn import Learned
from citescape.demo.mapped import RecoveredTopics
from citescape.demo.pictures import draw_comparisons, draw_recovery
from citescape.demo.proof import Proof
from citescape.demo.recommended import LEAKED, PLANTED, RELINKED, SHUFFLED, Recommended
from citescape.demo.recovery import Check, Recovery
from citescape.networks.kinds import KINDS
from citescape.recommend.lcr.measure import ALL, COLD, WARM
from citescape.recommend.retriever import SYSTEMS
from citescape.reports.content import Cell, Part, Picture, Section, Table, Terms, Verdict
from citescape.runs.result import plural

_PICTURED = ((PLANTED, WARM), (PLANTED, COLD), (SHUFFLED, WARM), (RELINKED, WARM))
_COLUMNS = {
    "Known works": (PLANTED, WARM),
    "New works": (PLANTED, COLD),
    "All works": (PLANTED, ALL),
    "All works, leaked": (LEAKED, ALL),
}


_NO_EVIDENCE = "this verifies the code and is no evidence about science:"


@dataclass(frozen=True)
class Shown:
    """One part of the demo: lines for the terminal, what must hold, a section of the page."""

    lines: Sequence[str]
    compared: str = ""
    """What the checks compare, in the plural."""
    checks: Sequence[Check] = ()
    section: Section | None = None
    remarks: Sequence[str] = ()
    """Lines after the checks."""

    @property
    def verdict(self) -> Verdict:
        """A line at the top of the page."""
        failed, of = sum(not check.passed for check in self.checks), len(self.checks)
        if failed:
            return Verdict(f"{failed} of {of} {self.compared} fail.", False)
        return Verdict(f"All {of} {self.compared} hold.", True)


def _show_checks(caption: str, checks: Sequence[Check]) -> Table:
    rows = [
        (
            check.what,
            Cell(check.format_found()),
            Cell(check.format_expected()),
            Verdict("yes" if check.passed else "NO", check.passed),
        )
        for check in checks
    ]
    return Table(caption, ("Compared", "Found", "Expected", "Holds"), rows)


def show_recovery(recovery: Recovery) -> Shown:
    """What the graph holds beside what was planted in the articles."""
    failed = [check.what for check in recovery.checks if not check.passed]
    parts: list[Part] = [
        "The corpus was written to order: every citation has a planted importance that decides how "
        "often, where and how it is made. The platform sees only the articles."
        + (f" Not as planted: {'; '.join(failed)}." if failed else ""),
        _show_checks("What the graph holds beside what was planted", recovery.checks),
        "The rank correlation must reach 95% of what the exact counts would give: the rest of the "
        "planted importance leaves no trace in the articles. A share may miss its bound by three "
        "standard errors, which are large where few authors share a name: the bound then says how "
        "much. Shuffling the planted importance must destroy the agreement: that is the control, "
        "bounded by four standard errors.",
    ]
    if recovery.bins:
        title, caption = "Score by planted importance", "Mean of each tenth of the citations."
        parts.append(Picture("recovery-curve", title, caption, draw_recovery(recovery.bins)))
    section = Section("recovery", "What was planted, and what was found", parts)
    return Shown(
        ["compared with what was planted:"],
        "comparisons with the planted truth",
        recovery.checks,
        section,
    )


def show_learned(made: Learned) -> Shown:
    """An encoder of the corpus; the page about the corpus shows what lies near."""
    triplets = made.sampled.files["triplets.parquet"]["triplets"]
    base = Path(made.trained.record.config["base"]).name
    before, after = made.trained.before["accuracy"], made.trained.after["accuracy"]
    first = (
        f"sampled {triplets:,} triplets by importance, trained an adapter over {base} "
        f"({before:.1%} of held-out triplets ordered rightly before, {after:.1%} after), embedded "
        f"{made.papers:,} papers; nearest to {made.example.paper}:"
    )
    near = (
        f"{one.similarity:.3f}  {one.title} ({'cited, ' if one.cites else ''}{one.year})"
        for one in made.example.papers
    )
    return Shown([first, *near])


def show_proof(proof: Proof) -> Shown:
    """Ways to learn beside each other."""
    seeds = len(next(iter(proof.comparisons[0].values.values())))
    rows = [
        (one.figure, way, Cell(f"{one.mean(way):.3f}"), Cell(f"{one.deviation(way):.3f}"))
        for one in proof.comparisons
        for way in one.values
    ]
    title = "Ways to learn beside each other"
    section = Section(
        "learning",
        "Does learning find what is there?",
        [
            "Papers get vectors in which their topic is drowned by their venue, and a linear map "
            "over these learns from triplets of the corpus above: with importance, with random "
            "references instead (uniform), and with importance dealt out anew within each "
            "reference list (shuffled). Facet encoders learn from a smaller world in which papers "
            "cite for background, method and result separately, each from the citations of its own "
            f"facet; one encoder learns from all three. {seeds} seeds each, with their own "
            "vectors, triplets and splits.",
            Picture(
                "learning-ways",
                "Every seed is a dot, the bar is the mean",
                "P@10: share of the ten nearest papers that share the label. MAP: important "
                "references ranked above the others of the same list, for papers not learned from.",
                draw_comparisons(proof.comparisons, name="learning-ways", title=title),
            ),
            Table("The same in figures", ("Measured", "Learned from", "Mean", "Deviation"), rows),
            _show_checks(
                "What must hold: each mean lead, seed by seed, is two standard errors or more. "
                "Found is by how much more.",
                proof.checks,
            ),
            *proof.remarks,
            "These worlds are made so that there is something to find. They verify the code and "
            "are no evidence about science: whether importance helps on real papers is a question "
            "for real papers.",
        ],
    )
    return Shown(
        [f"learned from planted vectors, {seeds} seeds; {_NO_EVIDENCE}"],
        "comparisons of ways to learn",
        proof.checks,
        section,
        proof.remarks,
    )


def show_mapping(mapped: RecoveredTopics) -> Shown:
    """Networks and their agreement with the planted topics."""
    rows = [
        (
            one.kind,
            KINDS[one.kind].meaning,
            Cell(f"{one.edges:,}"),
            Cell(f"{one.mean:.3f} ± {one.deviation:.3f}"),
        )
        for one in mapped.networks
    ]
    header = ("Network", "An edge says", "Edges", "Agreement")
    section = Section(
        "mapping",
        "Which networks find the planted topics?",
        [
            "Which papers belong together can be told in many ways. Each of these networks was "
            f"clustered into as many communities as topics were planted, {mapped.topics}, which is "
            "all it was told of them. Agreement is the adjusted Rand index between communities and "
            "topics, 1 if they are the same and 0 for chance: mean and deviation over "
            f"{len(mapped.networks[0].agreement)} seeds.",
            Table("Communities beside the planted topics", header, rows),
            _show_checks("What must hold", mapped.checks),
            "Generated texts tell their topic in nearly every sentence, and three of five "
            "citations follow the venue, so networks of texts do well here by design. On real "
            "papers, ask platform evaluate accuracy.",
        ],
    )
    lines = [
        f"clustered networks of the full texts into {mapped.topics} communities, as many as topics "
        "were planted; adjusted Rand index with these, "
        f"{len(mapped.networks[0].agreement)} seeds:",
        *(
            f"{one.kind:12}  {plural(one.edges, 'edge'):>12}  {one.mean:6.3f} ± {one.deviation:.3f}"
            for one in mapped.networks
        ),
    ]
    remarks = [f"a map of them: {mapped.map.page.resolve().as_uri()}"] if mapped.map else []
    return Shown(lines, "comparisons of networks", mapped.checks, section, remarks)


def show_recommended(made: Recommended) -> Shown:
    """Systems that recommend citations, with and without what was planted."""
    columns = [made.found[key] for key in _COLUMNS.values()]
    rows: list[list[str | Cell]] = [
        [
            system,
            *(Cell(f"{one.mean(system):.3f} ± {one.deviation(system):.3f}") for one in columns),
        ]
        for system in SYSTEMS
    ]
    title = "Ways to find what a sentence cites beside each other"
    pictured = [made.found[key] for key in _PICTURED]
    section = Section(
        "recommended",
        "Does it help to know how a work is cited?",
        [
            "In a literature made for this, titles tell the topic of a work, and only the "
            "sentences that cite it tell what it is used for. Sentences of later papers, worded "
            "otherwise, ask which work belongs into them. Own texts are found by words (bm25) or "
            "vectors (dense); profiles add what earlier sentences said of a work, to its words "
            "(bm25-profile) or its vector (profiler); the calibrated ones measure works that "
            "nothing cites yet by a scale of their own, and the fused ones join vectors and words. "
            "As controls, the sentences are dealt out anew among the citations (words shuffled), "
            f"or the cited works are (citations relinked). {made.seeds} seeds, each with its own "
            "literature.",
            Picture(
                "recommended-ways",
                "Every seed is a dot, the bar is the mean",
                "MRR: mean of 1 over the rank of the work that a sentence cites. Known works are "
                "cited by the papers that profiles are made of, new works are not.",
                draw_comparisons(pictured, name="recommended-ways", title=title),
            ),
            Table(
                "MRR as planted, mean and deviation, and what it would look like if the sentences "
                "that ask were left among those that profiles are made of",
                ("System", *_COLUMNS),
                rows,
            ),
            _show_checks(
                "What must hold: leads, seed by seed, are two standard errors or more, and found "
                "is by how much more. Leads of controls and losses of calibration, with two "
                "standard errors, stay below a tenth: of the planted lead, and of own text's "
                "figure.",
                made.checks,
            ),
            Terms([(system, what) for system, (_, what) in SYSTEMS.items()]),
            *made.remarks,
            "This literature is made so that there is something to find. It verifies the code and "
            "is no evidence about science: on real papers, ask platform benchmark lcr and platform "
            "evaluate lcr.",
        ],
    )
    return Shown(
        [f"recommended citations in planted literatures, {made.seeds} seeds; {_NO_EVIDENCE}"],
        "comparisons of recommendations",
        made.checks,
        section,
        made.remarks,
    )
