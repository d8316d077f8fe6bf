"""Steps: find papers, the citations around them, and check reference lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from citescape.core.errors import ConfigError
from citescape.core.paper_types import RESEARCH
from citescape.explore.config import CitationFilters, Filters
from citescape.runs.context import Context
from citescape.runs.step import Count, PaperTypes, Setting, Step

if TYPE_CHECKING:
    from citescape.explore.checked import ReferenceCheck
    from citescape.explore.communities import CommunityDetails, CommunityTable
    from citescape.explore.contexts import CitingSentences
    from citescape.explore.find import FoundPapers
    from citescape.explore.neighbourhood import CitationNeighbourhood
    from citescape.explore.related import RelatedPapers

R = TypeVar("R")


@dataclass(frozen=True)
class Find(Step["FoundPapers"]):
    """Find papers by words of title, authors, journal and year, or by DOI, PMID or PMCID.

    Every word must begin a word of the paper. Titles with the words in this order come first, then
    works by the importance that they receive from research articles; that from reviews and other
    papers is added up apart.
    """

    examples = """
        platform find weedy rice
        platform find Caicedo 2017
        platform find 10.1038/ng.3825
        platform find --notice retracted
    """
    text: Annotated[tuple[str, ...], Setting(argument=True, metavar="[WORD...]")] = ()
    """Words, or an identifier; without any, all papers by the importance that they receive."""
    limit: Count = 20
    """Maximum number of papers."""
    notice: Annotated[
        Literal["", "any", "retracted", "concern", "corrected", "reinstated"],
        Setting(default="all papers"),
    ] = ""
    """Only works that are retracted, corrected, ..., or have any such notice."""
    types: PaperTypes = RESEARCH
    """Types of citing papers whose citations count; those of other papers are added up apart."""

    def compute(self, context: Context) -> FoundPapers:
        from citescape.explore.find import Catalogue, find_by_id

        text, catalogue = " ".join(self.text), context.hold_current(Catalogue)
        id_ = find_by_id(context.store, text) if text.strip() else None
        if id_:
            return catalogue.look_up(id_, text, self.notice, self.types)
        return catalogue.search(text, self.limit, self.notice, self.types)


@dataclass(frozen=True)
class Neighbours(Step["CitationNeighbourhood"], Filters):
    """Show the citations around papers: references and citing papers, the most important first.

    The result has the papers within some citations of the given ones, and the citations between all
    of them, with counts by section, intents and importance. Filters choose which are followed.
    """

    examples = """
        platform neighbours 10.1534/g3.118.200605
        platform neighbours 10.1038/ng.3825 --direction citing --facet method
        platform neighbours 10.1038/ng.3825 --min-importance .5 --save edges.csv
    """
    papers: Annotated[tuple[str, ...], Setting(argument=True, metavar="PAPER...")]
    """Papers in the middle, by any identifier."""
    hops: Count = 1
    """Maximum number of citations between a paper and one in the middle."""
    limit: Count = 300
    """Maximum number of papers around, the most important first."""

    def compute(self, context: Context) -> CitationNeighbourhood:
        from citescape.explore.neighbourhood import find_neighbourhood
        from citescape.runs.step import extract

        found = find_neighbourhood(
            context.store, self.papers, extract(Filters, self), hops=self.hops, limit=self.limit
        )
        return replace(found, context=context)


@dataclass(frozen=True)
class Contexts(Step["CitingSentences"], CitationFilters):
    """Show the sentences that cite a work, the most important citations first.

    Each has its section, its intents (`platform text intents label`), the importance of the
    citation and the citing paper. Filters of section and facet are those of the sentence.
    """

    examples = """
        platform contexts 10.1038/ng.3825
        platform contexts 10.1038/ng.3825 --section R --self-citations exclude
        platform contexts 10.1038/ng.3825 --facet method --save sentences.csv
    """
    paper: Annotated[str, Setting(argument=True, metavar="PAPER")]
    """Cited work, by any identifier."""
    limit: Count = 20
    """Maximum number of sentences."""

    def compute(self, context: Context) -> CitingSentences:
        from citescape.explore.contexts import find_contexts
        from citescape.runs.step import extract

        filters = extract(CitationFilters, self)
        return find_contexts(context.store, self.paper, filters, limit=self.limit)


@dataclass(frozen=True)
class _ReferenceStep(Step[R]):
    """References by identifiers, files, or texts."""

    papers: Annotated[tuple[str, ...], Setting(argument=True, metavar="PAPER|FILE...")] = ()
    """Papers by any identifier, and files: .bib, .ris, .tex, .csv, or .txt with a list."""
    texts: Annotated[Mapping[str, str], Setting(python=True)] = field(default_factory=dict)
    """Names of files -> their content, in place of files; the name decides the format, and is empty
    for a list of identifiers."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.papers and not self.texts:
            raise ConfigError(
                "found no paper and no file; expected DOIs, PMIDs or ids, or a .bib, .ris, .tex, "
                ".csv or .txt file"
            )


@dataclass(frozen=True)
class Related(_ReferenceStep["RelatedPapers"]):
    """Find what several papers build on, and what builds on them, by importance.

    Prior works are cited by several of the given papers (seeds), derivative works cite several of
    them. Both are ranked by the sum of the importance of these citations. The rank by number of
    seeds is beside it, and the difference is positive where importance lifts a work. Citations
    without a score add nothing; if none has one, works are ranked by number of seeds. A single seed
    has its references and citing papers by importance.
    """

    examples = """
        platform related 10.1534/g3.118.200605 10.1186/s12284-018-0201-1
        platform related refs.bib --save related.xlsx
        platform related dois.txt --min-seeds 3
    """
    min_seeds: Annotated[int, Setting(least=0, default="2; 1 for a single seed")] = 0
    """Minimum number of seeds of a work."""
    limit: Count = 50
    """Maximum number of prior works, and of derivative works."""

    def compute(self, context: Context) -> RelatedPapers:
        from citescape.explore.related import find_related
        from citescape.papers.paper_index import PaperIndex
        from citescape.papers.reference_files import read_references

        references = read_references(self.papers, self.texts)
        index = context.hold_current(PaperIndex)
        return find_related(
            context.store, index, references, min_seeds=self.min_seeds, limit=self.limit
        )


@dataclass(frozen=True)
class Check(_ReferenceStep["ReferenceCheck"]):
    r"""Check a reference list: found in the graph, withdrawn, how others cite it, what is missing.

    A reference is found by DOI, PMID, PMCID, or by its title and year. For each the result has the
    citations, importance and mentions by section and intent that it receives, and sentences of
    others. With a manuscript in LaTeX (its .bib file is read too, if it is in the same folder) also
    where it cites each work, keys that are in no list, and entries that it never cites.

    Missing works are those that papers with two or more of these references cite beside them,
    ranked by the sum of the importance of these citations.
    """

    examples = """
        platform check draft.tex
        platform check refs.bib --save check.html
        platform check 10.1038/ng.3825 10.1534/g3.118.200605 --json
    """
    support: Count = 2
    """Minimum number of papers that cite a missing work."""
    limit: Annotated[int, Setting(least=0)] = 20
    """Maximum number of missing works."""
    sentences: Annotated[int, Setting(least=0)] = 2
    """Maximum number of citing sentences per reference, each of another paper."""

    def compute(self, context: Context) -> ReferenceCheck:
        from citescape.explore.check import check_references
        from citescape.papers.paper_index import PaperIndex
        from citescape.papers.reference_files import read_references

        listed = read_references(self.papers, self.texts)
        return check_references(
            context.store,
            context.hold_current(PaperIndex),
            listed,
            support=self.support,
            limit=self.limit,
            sentences=self.sentences,
        )


@dataclass(frozen=True)
class Communities(Step["CommunityTable"]):
    """Show the communities of the graph with their topics and self-citations.

    `self-citations` is their share in the references of the papers of a community, and
    `self of importance` their share of the importance of these references: where it is much higher,
    self-citation inflates importance.
    """

    examples = """
        platform communities
        platform communities --level micro
    """
    _: KW_ONLY
    level: Annotated[str, Setting(default="the middle level")] = ""
    """Level of the clustering, such as macro, meso or micro."""

    def compute(self, context: Context) -> CommunityTable:
        from citescape.explore.communities import read_communities

        return read_communities(context.store, self.level)


@dataclass(frozen=True)
class Community(Step["CommunityDetails"]):
    """Show one community: the works that it cites, its papers, years, subjects and parts.

    `without self` is the rank of a work if self-citations are left out.
    """

    examples = "platform community meso-3"
    name: Annotated[str, Setting(argument=True, metavar="NAME")]
    """Name of the community, from `platform communities`."""
    _: KW_ONLY
    limit: Count = 20
    """Maximum number of cited works, and of papers, the most important first."""

    def compute(self, context: Context) -> CommunityDetails:
        from citescape.explore.communities import read_community

        return read_community(context.store, self.name, self.limit)
