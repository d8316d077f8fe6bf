"""Steps: find papers, and the citations around them."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from citescape.explore.config import Filters
from citescape.runs.context import Context
from citescape.runs.step import Count, Setting, Step

if TYPE_CHECKING:
    from citescape.explore.communities import CommunityDetails, CommunityTable
    from citescape.explore.find import FoundPapers
    from citescape.explore.neighbourhood import CitationNeighbourhood


@dataclass(frozen=True)
class Find(Step["FoundPapers"]):
    """Find papers by words of title, authors, journal and year, or by DOI, PMID or PMCID.

    Every word must begin a word of the paper. Titles with the words in this order come first, then
    works by the importance that they receive.
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

    def compute(self, context: Context) -> FoundPapers:
        from citescape.explore.find import CatalogueCache, find_by_id

        text, catalogue = " ".join(self.text), context.hold(CatalogueCache).open(context.store)
        id_ = find_by_id(context.store, text) if text.strip() else None
        if id_:
            return catalogue.look_up(id_, text)
        return catalogue.search(text, self.limit, self.notice)


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

        return find_neighbourhood(
            context.store, self.papers, extract(Filters, self), hops=self.hops, limit=self.limit
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
