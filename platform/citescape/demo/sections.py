"""What the demo adds to the page about its corpus: what was planted, and what was found."""

from __future__ import annotations

from collections.abc import Sequence

from citescape.demo.mapped import RecoveredTopics
from citescape.demo.pictures import draw_comparisons, draw_recovery
from citescape.demo.proof import Proof
from citescape.demo.recommended import LEAKED, PLANTED, RELINKED, SHUFFLED, Recommended
from citescape.demo.recovery import Check, Recovery
from citescape.networks.kinds import KINDS
from citescape.recommend.lcr.measure import ALL, COLD, WARM
from citescape.recommend.retriever import SYSTEMS
from citescape.reports.content import Cell, Part, Picture, Section, Table, Terms, Verdict

_PICTURED = ((PLANTED, WARM), (PLANTED, COLD), (SHUFFLED, WARM), (RELINKED, WARM))
_COLUMNS = {
    "Known works": (PLANTED, WARM),
    "New works": (PLANTED, COLD),
    "All works": (PLANTED, ALL),
    "All works, leaked": (LEAKED, ALL),
}


def show_verdict(what: str, checks: Sequence[Check]) -> Verdict:
    """A line at the top of the page for one kind of comparison.

    Args:
        what: the comparisons, in the plural.
        checks: one or more.
    """
    failed = sum(not check.passed for check in checks)
    if failed:
        return Verdict(f"{failed} of {len(checks)} {what} fail.", False)
    return Verdict(f"All {len(checks)} {what} hold.", True)


def _show_checks(caption: str, checks: Sequence[Check]) -> Table:
    rows = [
        (
            check.what,
            Cell(check.tell_found()),
            Cell(check.tell_expected()),
            Verdict("yes" if check.passed else "NO", check.passed),
        )
        for check in checks
    ]
    return Table(caption, ("Compared", "Found", "Expected", "Holds"), rows)


def show_recovery(recovery: Recovery) -> Section:
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
    return Section("recovery", "What was planted, and what was found", parts)


def show_proof(proof: Proof) -> Section:
    """Ways to learn beside each other."""
    seeds = len(next(iter(proof.comparisons[0].values.values())))
    rows = [
        (one.figure, way, Cell(f"{one.mean(way):.3f}"), Cell(f"{one.deviation(way):.3f}"))
        for one in proof.comparisons
        for way in one.values
    ]
    title = "Ways to learn beside each other"
    return Section(
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


def show_mapping(mapped: RecoveredTopics) -> Section:
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
    return Section(
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


def show_recommended(made: Recommended) -> Section:
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
    return Section(
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
