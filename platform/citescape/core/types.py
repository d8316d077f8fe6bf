"""Records that loaders produce. Frozen; one `Paper` holds everything read from one full text.

Records of which a paper has hundreds are named tuples, which are built three times as fast as
frozen dataclasses. They are independent of the database: `citescape.ingest.tables` turns them into
Arrow tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, get_args

Facet = Literal["background", "method", "result"]
FACETS: tuple[str, ...] = get_args(Facet)
"""Intents of citations, as in SciCite, and parts of an abstract (FLeW, section 3.2)."""

SectionType = Literal["I", "M", "R", "D", "other"]
"""Introduction, Method, Results, Discussion & conclusion, anything else (CIA, section 3.1)."""
SECTION_TYPES: tuple[str, ...] = get_args(SectionType)
SECTION_NAMES: Mapping[str, str] = {
    "I": "introduction",
    "M": "methods",
    "R": "results",
    "D": "discussion",
    "other": "other sections",
}
"""Type of a section -> its name."""

TypeSource = Literal["sec-type", "title", "parent", "lead", "none"]
"""Source of a section's type: its attribute, its title, the section above, its position before the
first heading, or none."""

SectionKind = Literal["body", "abstract", "float", "back"]
"""Part of the document with a section: main text, abstract, floats outside the body, back
matter."""

AuthorRole = Literal["author", "group", "member"]
"""A person; a group signing as one author; a person listed as a member of such a group."""


NoticeKind = Literal["retraction", "partial-retraction", "correction", "concern", "reinstatement"]
"""What a notice does: withdraws a work or a part of it, corrects it (also an erratum or addendum),
expresses concern about it, or takes back a retraction."""


class Author(NamedTuple):
    """One name on a by-line. For a group, `surname` holds the group's whole name."""

    surname: str
    given: str = ""
    orcid: str | None = None
    role: AuthorRole = "author"
    openalex: str | None = None
    """Id of the person in OpenAlex, `A5023888391`."""
    s2: str | None = None
    """Id of the person in Semantic Scholar, digits."""
    institutions: tuple[int, ...] = ()
    """Indices into `Paper.institutions`."""

    @property
    def name(self) -> str:
        """The name as printed: given names, then surname."""
        return f"{self.given} {self.surname}".strip()


class Identifiers(NamedTuple):
    """Normalised ids of a work, the most trusted first; see `citescape.ingest.identity`.

    An arXiv id is the DOI that arXiv registers for it (`core.identifiers.doi_of_arxiv`).
    """

    doi: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    openalex: str | None = None
    """`W2741809807`."""
    s2: str | None = None
    """Corpus id of Semantic Scholar, digits."""


class Institution(NamedTuple):
    """An affiliation of authors, as one source states it."""

    name: str
    """Name of the organisation; if the source does not separate it, the affiliation as printed."""
    country: str = ""
    """ISO 3166 code of two letters, upper case; empty if unknown."""
    ror: str | None = None
    """Id in the Research Organization Registry: `https://ror.org/` and this."""
    openalex: str | None = None
    """`I27837315`."""


class Reference(NamedTuple):
    """One work in a paper's reference list, as printed there."""

    source_id: str
    """Id in the source file (`B12`); a letter is added where one entry lists several works."""
    label: str
    ids: Identifiers
    title: str
    source: str
    """Journal or book."""
    year: int | None
    volume: str
    page: str
    authors: tuple[Author, ...]
    et_al: bool
    """The author list is cut ("et al.")."""
    text: str
    """The whole entry as text where it has no structured title, else empty."""


class Notice(NamedTuple):
    """A retraction, correction or expression of concern, as one source states it."""

    kind: NoticeKind
    stated_by: Literal["notice", "work", "reference", "table"]
    """The source: the text of the notice or of the work, the reference list of a citing paper, or
    a table of notices."""
    work: Identifiers
    """Ids of the work concerned."""
    notice: Identifiers
    """Ids of the notice."""
    date: str = ""
    """Date of the notice, ISO 8601 as exact as known; empty if the source does not give it."""
    reason: str = ""
    """Reasons for the notice, as in the source; empty without any."""


class Section(NamedTuple):
    """One heading and the text directly below it. `parent` is an index into `Paper.sections`."""

    title: str
    kind: SectionKind
    depth: int
    """1 for a top-level section."""
    parent: int | None
    sec_type: str
    """The `sec-type` attribute as written, else empty."""
    words: int
    """Words of its own text, subsections not counted."""
    opening: str
    """The first words of its own text (at most 40)."""
    type: SectionType
    type_source: TypeSource
    combined: bool
    """A "Results and Discussion" section: typed R, flagged."""


class Occurrence(NamedTuple):
    """One in-text citation of one reference. Indices point into the paper's tuples."""

    section: int
    reference: int
    context: str
    """The sentence (or table row, or caption sentence) that holds the citation."""
    marker: str
    """The citation as printed (`12`, `Smith et al., 2010`); empty where the text shows none."""
    position: float | None
    """Share of the body's characters that come before it, 0..1; None outside the body."""
    intents: tuple[str, ...] | None = None
    """Background, method, result; None if the source has no intents, empty without any of them."""


@dataclass(frozen=True, slots=True)
class Abstract:
    """An additional abstract: graphical, plain-language, translated."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class MeshTerm:
    """A MeSH heading of a paper."""

    descriptor: str
    qualifiers: tuple[str, ...] = ()
    major: bool = False


@dataclass(frozen=True, slots=True)
class Venue:
    """A journal, proceedings or book series."""

    title: str
    issn: str | None = None


@dataclass(frozen=True, slots=True)
class Losses:
    """Citation pointers of a source: loaded and lost.

    Invariant: ``anchors == occurrences loaded + sum(lost.values())``.
    `implied` of the anchors are not written in the file: the inside of ranges such as 3-6.
    """

    anchors: int
    implied: int
    lost: dict[str, int] = field(default_factory=dict)
    notes: dict[str, int] = field(default_factory=dict)
    """Oddities that lose no citation, counted by name (`conflicting-years`, ...)."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper read from its full text, or from a row of a table: then it has no text."""

    path: str
    sha256: str
    ids: Identifiers
    title: str
    abstract: str = ""
    abstract_labels: tuple[str, ...] = ()
    """Headings of a structured abstract, one for each of `abstract_parts`; both empty if plain."""
    abstract_parts: tuple[str, ...] = ()
    other_abstracts: tuple[Abstract, ...] = ()
    year: int | None = None
    date: str = ""
    """Earliest publication date, ISO 8601 as exact as known (`2019`, `2019-03`, `2019-03-07`)."""
    article_type: str = ""
    language: str = ""
    venue: Venue | None = None
    authors: tuple[Author, ...] = ()
    keywords: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    mesh: tuple[MeshTerm, ...] = ()
    sections: tuple[Section, ...] = ()
    references: tuple[Reference, ...] = ()
    occurrences: tuple[Occurrence, ...] = ()
    losses: Losses = field(default_factory=lambda: Losses(0, 0))
    notices: tuple[Notice, ...] = ()
    """Notices of this paper about other works, of other papers about this one, and those printed in
    its reference list."""
    own_id: str = field(default="", repr=False)
    """The node id of a paper of a table that has neither DOI nor PMID; empty for full texts."""
    loader: str = ""
    """Name and version of the loader, `jats-7`."""
    source: str = ""
    """Name of the source; by default that of the loader."""
    edition: int = 0
    """Of several records of a paper in one source the highest edition counts, in any order of
    loading; of equal ones the one loaded last."""
    institutions: tuple[Institution, ...] = ()
    """Affiliations of the authors."""
    versions: tuple[Identifiers, ...] = ()
    """Ids of other versions of the work, such as the preprint of an article."""


@dataclass(frozen=True)
class Document:
    """Title and abstract of a paper. Either may be empty, not both."""

    title: str
    abstract: str = ""
