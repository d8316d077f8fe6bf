"""Sections of the demo for the report page: comparisons with the ground truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from citescape.demo.learn import LearningResult
from citescape.demo.mapped import TopicRecovery
from citescape.demo.pictures import draw_comparisons, draw_recovery
from citescape.demo.proof import Proof
from citescape.demo.recommended import LEAKED, PLANTED, RELINKED, SHUFFLED, RecommendationProof
from citescape.demo.recovery import Check, Recovery
from citescape.networks.kinds import KINDS
from citescape.recommend.lcr.measure import ALL, COLD, WARM
from citescape.recommend.retriever import SYSTEMS
from citescape.reports.content import (
    Cell,
    DefinitionList,
    Picture,
    ReportBlock,
    ReportSection,
    ReportTable,
    Verdict,
)
from citescape.runs.result import plural

_PICTURED = ((PLANTED, WARM), (PLANTED, COLD), (SHUFFLED, WARM), (RELINKED, WARM))
_COLUMNS = {
    "Known works": (PLANTED, WARM),
    "New works": (PLANTED, COLD),
    "All works": (PLANTED, ALL),
    "All works, leaked": (LEAKED, ALL),
}
_NO_EVIDENCE = "verifies the code, no evidence about science:"


@dataclass(frozen=True)
class DemoPart:
    """One part of the demo: lines for the terminal, checks, and a section of the page."""

    lines: Sequence[str]
    compared: str = ""
    """What the checks compare, a plural phrase."""
    checks: Sequence[Check] = ()
    section: ReportSection | None = None
    remarks: Sequence[str] = ()
    """Lines after the checks."""

    @property
    def verdict(self) -> Verdict:
        """A line at the top of the page."""
        failed, total = sum(not check.passed for check in self.checks), len(self.checks)
        if failed:
            return Verdict(f"{failed} of {total} {self.compared} fail.", False)
        return Verdict(f"All {total} {self.compared} hold.", True)


def _show_checks(caption: str, checks: Sequence[Check]) -> ReportTable:
    rows = [
        (
            check.name,
            Cell(check.format_found()),
            Cell(check.format_expected()),
            Verdict("yes" if check.passed else "NO", check.passed),
        )
        for check in checks
    ]
    return ReportTable(caption, ("Compared", "Found", "Expected", "Holds"), rows)


def show_recovery(recovery: Recovery) -> DemoPart:
    """Values of the graph beside the ground truth of the articles."""
    failed = [check.name for check in recovery.checks if not check.passed]
    parts: list[ReportBlock] = [
        "The corpus is generated: each citation has a planted importance that decides number, "
        "sections and wording of its mentions. The platform reads only the articles."
        + (f" Not as planted: {'; '.join(failed)}." if failed else ""),
        _show_checks("Graph and ground truth", recovery.checks),
        "The rank correlation must reach 95% of that of exact counts: the remaining variation of "
        "planted importance is not observable in the articles. A share may be below its bound by "
        "three standard errors, shown as chance. As a control, the correlation with shuffled "
        "importance must be below four standard errors.",
    ]
    if recovery.bins:
        title, caption = "Score by planted importance", "Mean of each tenth of the citations."
        parts.append(Picture("recovery-curve", title, caption, draw_recovery(recovery.bins)))
    section = ReportSection("recovery", "Recovery of the ground truth", parts)
    return DemoPart(
        ["compared with the ground truth:"],
        "comparisons with the ground truth",
        recovery.checks,
        section,
    )


def show_learned(result: LearningResult) -> DemoPart:
    """Lines on an encoder of the corpus; `platform report` shows its nearest papers."""
    triplets = result.sampled.files["triplets.parquet"]["triplets"]
    base = Path(result.trained.record.config["base"]).name
    before, after = result.trained.before["accuracy"], result.trained.after["accuracy"]
    first = (
        f"sampled {triplets:,} triplets by importance, trained an adapter over {base} "
        f"({before:.1%} of held-out triplets ordered correctly before, {after:.1%} after), "
        f"embedded {result.papers:,} papers; nearest to {result.example.paper}:"
    )
    near = (
        f"{paper.similarity:.3f}  {paper.title} ({'cited, ' if paper.cites else ''}{paper.year})"
        for paper in result.example.papers
    )
    return DemoPart([first, *near])


def show_proof(proof: Proof) -> DemoPart:
    """Methods of learning beside each other."""
    seeds = len(next(iter(proof.comparisons[0].values.values())))
    rows = [
        (
            comparison.measure,
            method,
            Cell(f"{comparison.mean(method):.3f}"),
            Cell(f"{comparison.deviation(method):.3f}"),
        )
        for comparison in proof.comparisons
        for method in comparison.values
    ]
    title = "Methods of learning beside each other"
    section = ReportSection(
        "learning",
        "Does learning recover planted factors?",
        [
            "Papers have vectors in which the venue is stronger than the topic. A linear map "
            "over these vectors learns from triplets of the corpus: by importance, by random "
            "references (uniform), and by importance permuted within each reference list "
            "(shuffled). Facet encoders learn from a smaller world with separate citations for "
            "background, method and result, each from the citations of its facet; one encoder "
            f"learns from all three. {seeds} seeds each, with their own vectors, triplets and "
            "splits.",
            Picture(
                "learning-ways",
                "Every seed is a dot, the bar is the mean",
                "P@10: share of the ten nearest papers that share the label. MAP: mean average "
                "precision of important references within reference lists, held-out papers.",
                draw_comparisons(proof.comparisons, name="learning-ways", title=title),
            ),
            ReportTable("Values", ("Measure", "Method", "Mean", "Deviation"), rows),
            _show_checks(
                "Checks: each mean lead over paired seeds is at least two standard errors. Found "
                "is the lead minus two standard errors.",
                proof.checks,
            ),
            *proof.remarks,
            "These worlds are generated with factors that learning can recover. They verify the "
            "code and are no evidence about science: whether importance helps on real papers "
            "must be evaluated on real papers.",
        ],
    )
    return DemoPart(
        [f"compared samplers on planted vectors, {seeds} seeds; {_NO_EVIDENCE}"],
        "comparisons of learning methods",
        proof.checks,
        section,
        proof.remarks,
    )


def show_mapping(mapped: TopicRecovery) -> DemoPart:
    """Networks and their agreement with the planted topics."""
    rows = [
        (
            network.kind,
            KINDS[network.kind].meaning,
            Cell(f"{network.edges:,}"),
            Cell(f"{network.mean:.3f} ± {network.deviation:.3f}"),
        )
        for network in mapped.networks
    ]
    header = ("Network", "An edge means", "Edges", "Agreement")
    section = ReportSection(
        "mapping",
        "Which networks recover the planted topics?",
        [
            "Each of these networks was clustered into as many communities as planted topics, "
            f"{mapped.topics}; the ground truth was not used otherwise. Agreement is the adjusted "
            "Rand index between communities and topics, 1 if they are equal and 0 by chance: mean "
            "and standard deviation over "
            f"{len(mapped.networks[0].agreement)} seeds.",
            ReportTable("Agreement of communities and planted topics", header, rows),
            _show_checks("Checks", mapped.checks),
            "Generated texts name their topic in nearly every sentence, and three of five "
            "citations follow the venue, so text networks have an advantage by design. For real "
            "papers, run platform evaluate accuracy.",
        ],
    )
    lines = [
        f"clustered networks of the full texts into {mapped.topics} communities, the number of "
        "planted topics; adjusted Rand index, "
        f"{len(mapped.networks[0].agreement)} seeds:",
        *(
            f"{network.kind:12}  {plural(network.edges, 'edge'):>12}  "
            f"{network.mean:6.3f} ± {network.deviation:.3f}"
            for network in mapped.networks
        ),
    ]
    remarks = [f"map: {mapped.map.page.resolve().as_uri()}"] if mapped.map else []
    return DemoPart(lines, "comparisons of networks", mapped.checks, section, remarks)


def show_recommended(proof: RecommendationProof) -> DemoPart:
    """Systems that recommend citations, with and without planted uses."""
    columns = [proof.comparisons[key] for key in _COLUMNS.values()]
    rows: list[list[str | Cell]] = [
        [
            system,
            *(
                Cell(f"{column.mean(system):.3f} ± {column.deviation(system):.3f}")
                for column in columns
            ),
        ]
        for system in SYSTEMS
    ]
    title = "Systems that recommend the cited work of a sentence"
    pictured = [proof.comparisons[key] for key in _PICTURED]
    section = ReportSection(
        "recommended",
        "Do citing sentences help to recommend a work?",
        [
            "In a generated literature, the title of a work names its topic, and only citing "
            "sentences name its use. Sentences of later papers, with other wording, are the "
            "queries. Texts of works are matched by words (bm25) or vectors (dense). Profiles "
            "add earlier citing sentences to the words (bm25-profile) or the vector (profiler) "
            "of a work. Calibrated profiles have a separate scale for works without citations, "
            "and fused ones combine vectors and words. As controls, sentences are permuted among "
            "the citations (words shuffled), or cited works are (citations relinked). "
            f"{proof.seeds} seeds, each with its own literature.",
            Picture(
                "recommended-ways",
                "Every seed is a dot, the bar is the mean",
                "MRR: mean of 1 over the rank of the work that a sentence cites. Known works are "
                "cited by the training papers of the profiles, new works are not.",
                draw_comparisons(pictured, name="recommended-ways", title=title),
            ),
            ReportTable(
                "MRR, mean and standard deviation, as planted and with the query sentences "
                "leaked into the training sentences",
                ("System", *_COLUMNS),
                rows,
            ),
            _show_checks(
                "Checks: mean leads over paired seeds are at least two standard errors; found is "
                "the lead minus two standard errors. Leads of controls and losses of "
                "calibration, plus two standard errors, are below a tenth of the planted lead, "
                "or of the value of dense.",
                proof.checks,
            ),
            DefinitionList([(system, meaning) for system, (_, meaning) in SYSTEMS.items()]),
            *proof.remarks,
            "This literature is generated with uses that profiles can recover. It verifies the "
            "code and is no evidence about science: for real papers, run platform benchmark lcr "
            "and platform evaluate lcr.",
        ],
    )
    return DemoPart(
        [f"recommended citations in generated literatures, {proof.seeds} seeds; {_NO_EVIDENCE}"],
        "comparisons of recommendations",
        proof.checks,
        section,
        proof.remarks,
    )
