"""Which citations and papers are looked at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Annotated, Literal

from citescape.core.types import Facet, SectionType
from citescape.networks.config import parse_years
from citescape.runs.step import Setting, Settings

if TYPE_CHECKING:
    import pyarrow as pa

AnyFacet = Literal["", Facet]
AnySection = Literal["", SectionType]
Direction = Literal["both", "references", "citing"]
SelfCitations = Literal["include", "exclude", "only"]


@dataclass(frozen=True, kw_only=True)
class CitationFilters(Settings):
    """Filters of citations, and of the papers at their other end."""

    min_importance: Annotated[float, Setting(least=0)] = 0.0
    """Minimum importance; 0 includes citations without a score."""
    facet: Annotated[AnyFacet, Setting(default="any")] = ""
    """Only citations with this intent (`platform text intents label`)."""
    section: Annotated[AnySection, Setting(default="any")] = ""
    """Only citations mentioned in a section of this type."""
    self_citations: SelfCitations = "include"
    """Citations between papers that share an author."""
    years: Annotated[str, Setting(metavar="FIRST-LAST", default="all years")] = ""
    """Years of the papers around: 2018, 2015-2019, 2015- or -2019."""
    types: Annotated[tuple[str, ...], Setting(metavar="TYPE", default="any")] = ()
    """Types of the papers around, such as review-article."""

    def __post_init__(self) -> None:
        super().__post_init__()
        parse_years(self.years)

    def select_papers(self, papers: pa.Table) -> pa.Table:
        """The papers with a year and a type that pass."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if self.years:
            first, last = parse_years(self.years)
            year = papers["year"]
            papers = papers.filter(
                pc.and_kleene(pc.greater_equal(year, first), pc.less_equal(year, last))
            )
        if self.types:
            papers = papers.filter(pc.is_in(papers["type"], value_set=pa.array(self.types)))
        return papers


@dataclass(frozen=True, kw_only=True)
class Filters(CitationFilters):
    """Filters of citations around papers."""

    direction: Direction = "both"
    """References of the papers, the papers that cite them, or both."""

    def select_citations(self, edges: pa.Table) -> pa.Table:
        """The citations that pass, whatever their direction."""
        import pyarrow.compute as pc

        tests = []
        if self.min_importance > 0:
            tests.append(pc.greater_equal(edges["importance"], self.min_importance))
        if self.facet:
            tests.append(pc.greater(edges[f"n_{self.facet}"], 0))
        if self.section:
            tests.append(pc.greater(edges[f"f_{self.section}"], 0))
        if self.self_citations != "include":
            tests.append(pc.equal(edges["self"], int(self.self_citations == "only")))
        return edges.filter(reduce(pc.and_kleene, tests)) if tests else edges
