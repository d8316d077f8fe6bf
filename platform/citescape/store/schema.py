"""The schema of the graph: DDL, Arrow schemas and docs/schema.md are derived from it.

Every node has a string key `id`. Words reserved by one of the two engines (`order`) are avoided.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa

SCHEMA_VERSION = 9

STRING, INT, FLOAT, BOOL = pa.string(), pa.int64(), pa.float64(), pa.bool_()
STRINGS, INTS = pa.list_(pa.string()), pa.list_(pa.int64())
VECTOR = pa.list_(pa.float32())


@dataclass(frozen=True)
class NodeTable:
    """A node label. `columns` maps property to Arrow type; the key `id` comes first."""

    name: str
    doc: str
    columns: dict[str, pa.DataType]

    @cached_property
    def arrow(self) -> pa.Schema:
        """Arrow schema of rows to load: `id`, then the properties."""
        return pa.schema({"id": STRING, **self.columns})


@dataclass(frozen=True)
class RelTable:
    """A relationship type between two labels."""

    name: str
    source: str
    target: str
    doc: str
    columns: dict[str, pa.DataType]

    @cached_property
    def arrow(self) -> pa.Schema:
        """Arrow schema of rows to load: `from` and `to` (node ids), then the properties."""
        return pa.schema({"from": STRING, "to": STRING, **self.columns})


NODES = (
    NodeTable(
        "Paper",
        "A work: loaded from one or several sources, or known from reference lists only. "
        "`sources`, `source_paths`, `source_sha256`, `source_loaders`, `source_ids` and "
        "`source_editions` have one entry for each source; `path`, `sha256` and `loader` are of "
        "the source of the text, else of the first one.",
        {
            "doi": STRING,
            "pmid": STRING,
            "pmcid": STRING,
            "openalex": STRING,
            "s2": STRING,
            "key": STRING,
            "title": STRING,
            "abstract": STRING,
            "abstract_labels": STRINGS,
            "abstract_parts": STRINGS,
            "other_abstract_kinds": STRINGS,
            "other_abstracts": STRINGS,
            "abstract_ends": INTS,
            "abstract_facets": STRINGS,
            "abstract_background": STRING,
            "abstract_method": STRING,
            "abstract_result": STRING,
            "split_source": STRING,
            "split_run": STRING,
            "year": INT,
            "date": STRING,
            "type": STRING,
            "language": STRING,
            "versions": STRINGS,
            "venue": STRING,
            "fulltext": BOOL,
            "surnames": STRINGS,
            "givens": STRINGS,
            "orcids": STRINGS,
            "roles": STRINGS,
            "path": STRING,
            "sha256": STRING,
            "loader": STRING,
            "sources": STRINGS,
            "source_paths": STRINGS,
            "source_sha256": STRINGS,
            "source_loaders": STRINGS,
            "source_ids": STRINGS,
            "source_editions": INTS,
            "text_source": STRING,
            "losses": STRING,
            "notice": STRING,
            "notice_date": STRING,
            "notice_year": INT,
            "notice_doi": STRING,
            "notice_source": STRING,
        },
    ),
    NodeTable(
        "Author",
        "A disambiguated person or group; `evidence` is the reason to join its papers.",
        {"name": STRING, "orcid": STRING, "kind": STRING, "evidence": STRING},
    ),
    NodeTable(
        "Section",
        "One heading and the text directly below it.",
        {
            "title": STRING,
            "type": STRING,
            "type_source": STRING,
            "type_probability": FLOAT,
            "type_run": STRING,
            "combined": BOOL,
            "sec_type": STRING,
            "kind": STRING,
            "ordinal": INT,
            "depth": INT,
            "parent": STRING,
            "path": STRING,
            "words": INT,
            "opening": STRING,
            "data_source": STRING,
        },
    ),
    NodeTable(
        "Occurrence",
        "One in-text citation, with its sentence and position. `intents` is null "
        "until it is labelled.",
        {
            "ordinal": INT,
            "context": STRING,
            "marker": STRING,
            "position": FLOAT,
            "reference": STRING,
            "intents": STRINGS,
            "intent_background": FLOAT,
            "intent_method": FLOAT,
            "intent_result": FLOAT,
            "intent_run": STRING,
            "data_source": STRING,
        },
    ),
    NodeTable(
        "Reference",
        "One entry of a reference list, as printed.",
        {
            "ordinal": INT,
            "source_id": STRING,
            "label": STRING,
            "doi": STRING,
            "pmid": STRING,
            "pmcid": STRING,
            "openalex": STRING,
            "s2": STRING,
            "key": STRING,
            "title": STRING,
            "source": STRING,
            "year": INT,
            "volume": STRING,
            "page": STRING,
            "surnames": STRINGS,
            "givens": STRINGS,
            "roles": STRINGS,
            "et_al": BOOL,
            "text": STRING,
            "data_source": STRING,
        },
    ),
    NodeTable(
        "Notice",
        "A retraction, correction or expression of concern, as one source states it: the notice "
        "itself, the work, a reference list, or a row of a table of notices.",
        {
            "kind": STRING,
            "stated_by": STRING,
            "date": STRING,
            "doi": STRING,
            "pmid": STRING,
            "pmcid": STRING,
            "openalex": STRING,
            "s2": STRING,
            "work_doi": STRING,
            "work_pmid": STRING,
            "work_pmcid": STRING,
            "work_openalex": STRING,
            "work_s2": STRING,
            "reason": STRING,
            "file": STRING,
            "data_source": STRING,
        },
    ),
    NodeTable(
        "Record",
        "What one source says of a paper that several sources have; its id is that of the paper, "
        "`@` and the source. `rows` are its rows as loaded, packed.",
        {"source": STRING, "rows": STRING},
    ),
    NodeTable(
        "File",
        "A file, or a row or record of one, that was loaded; its id is the path. Files that are "
        "unchanged are not read again.",
        {"paper": STRING, "source": STRING, "sha256": STRING, "loader": STRING},
    ),
    NodeTable("Venue", "A journal, proceedings or series.", {"title": STRING, "issn": STRING}),
    NodeTable("Keyword", "An author keyword.", {"text": STRING}),
    NodeTable("Subject", "A subject heading of the journal for the paper.", {"text": STRING}),
    NodeTable("MeshDescriptor", "A Medical Subject Heading.", {"name": STRING}),
    NodeTable(
        "Institution",
        "An affiliation of authors. Its id is `ror:...`, else `openalex:I...`, else made of "
        "country and name: then different forms of a name are different nodes.",
        {"name": STRING, "country": STRING, "ror": STRING, "openalex": STRING},
    ),
    NodeTable(
        "Embedding",
        "The vector of a paper. The graph holds those of one run: its id is the value of Meta "
        "`embedding_run`; while those of another run are written, both are present.",
        {"run": STRING, "text": STRING, "vector": VECTOR},
    ),
    NodeTable(
        "Community",
        "Papers more closely related to each other than to others. The graph holds those of one "
        "clustering: its run is the value of Meta `cluster_run`. `platform topics` adds labels "
        "and fields, `platform map` coordinates.",
        {
            "run": STRING,
            "level": STRING,
            "name": STRING,
            "size": INT,
            "resolution": FLOAT,
            "label": STRING,
            "terms": STRINGS,
            "field": STRING,
            "diversity": FLOAT,
            "mean_year": FLOAT,
            "importance": FLOAT,
            "x": FLOAT,
            "y": FLOAT,
        },
    ),
    NodeTable(
        "IdentityDecision",
        "A decision of a user: the works of two names are one (`join`) or different (`split`). A "
        "name is the most trusted id of an entry or record, else its title key.",
        {"kind": STRING, "first": STRING, "second": STRING},
    ),
    NodeTable(
        "Collection",
        "Papers that a user has listed with `platform collection add`; its id is its name.",
        {"files": STRINGS, "members": STRINGS, "member_tags": STRINGS},
    ),
    NodeTable(
        "Run",
        "A computation that wrote to the graph; config, versions, inputs and counts are JSON.",
        {
            "command": STRING,
            "started": STRING,
            "seconds": FLOAT,
            "config": STRING,
            "versions": STRING,
            "inputs": STRING,
            "counts": STRING,
        },
    ),
    NodeTable("Meta", "State of the store: schema version, pending work.", {"value": STRING}),
)

RELS = (
    RelTable(
        "WROTE",
        "Author",
        "Paper",
        "A name on a by-line; `evidence` is the reason for this author.",
        {"position": INT, "name": STRING, "role": STRING, "evidence": STRING},
    ),
    RelTable("HAS_SECTION", "Paper", "Section", "Sections in reading order by `ordinal`.", {}),
    RelTable("SUBSECTION_OF", "Section", "Section", "Nesting.", {}),
    RelTable("CONTAINS", "Section", "Occurrence", "In-text citations of the section.", {}),
    RelTable("REFERS_TO", "Occurrence", "Paper", "Work that an in-text citation points to.", {}),
    RelTable("HAS_REFERENCE", "Paper", "Reference", "The reference list.", {}),
    RelTable(
        "MATCHES",
        "Reference",
        "Paper",
        "The work of an entry; `matched_by` is the identifier that matched: `id` (the source names "
        "the node), `doi`, `pmid`, `pmcid`, `openalex`, `s2`, `title`, `page` (journal, volume and "
        "page), `similar` (title, author, year, volume and page are alike), `decision` (of a "
        "user), or `none`: a separate work.",
        {"matched_by": STRING},
    ),
    RelTable(
        "CITES",
        "Paper",
        "Paper",
        "One per citing and cited paper; counts by section type and by intent, self-citation, "
        "importance.",
        {
            "mentions": INT,
            "f_I": INT,
            "f_M": INT,
            "f_R": INT,
            "f_D": INT,
            "f_other": INT,
            "n_background": INT,
            "n_method": INT,
            "n_result": INT,
            "self": INT,
            "title_similarity": FLOAT,
            "abstract_similarity": FLOAT,
            "importance": FLOAT,
            "run": STRING,
        },
    ),
    RelTable(
        "VERSION_OF",
        "Paper",
        "Paper",
        "Another version of the same work, each a node with its own citations: from a preprint to "
        "the article, else from the earlier to the later one. `source` states it.",
        {"source": STRING},
    ),
    RelTable("DESCRIBES", "Record", "Paper", "The paper of a record.", {}),
    RelTable("STATES", "Paper", "Notice", "The loaded paper whose text states a notice.", {}),
    RelTable(
        "CONCERNS",
        "Notice",
        "Paper",
        "The work that a notice is about, if the graph has it.",
        {},
    ),
    RelTable(
        "PUBLISHED_AS",
        "Notice",
        "Paper",
        "The paper that is the notice, if the graph has it.",
        {},
    ),
    RelTable(
        "PUBLISHED_IN",
        "Paper",
        "Venue",
        "The journal of a loaded paper, as its source prints it.",
        {"title": STRING, "issn": STRING},
    ),
    RelTable(
        "HAS_KEYWORD",
        "Paper",
        "Keyword",
        "Keywords of the authors, as the source prints them.",
        {"text": STRING},
    ),
    RelTable(
        "HAS_SUBJECT",
        "Paper",
        "Subject",
        "Subjects of the journal, as the source prints them.",
        {"text": STRING},
    ),
    RelTable(
        "HAS_MESH",
        "Paper",
        "MeshDescriptor",
        "MeSH headings by an indexer; `major` marks main topics of the paper.",
        {"major": BOOL, "qualifiers": STRING},
    ),
    RelTable(
        "AFFILIATED_WITH",
        "Paper",
        "Institution",
        "An affiliation of authors of the paper, as one source has it.",
        {"positions": STRING, "name": STRING, "country": STRING, "openalex": STRING},
    ),
    RelTable("HAS_EMBEDDING", "Paper", "Embedding", "Vector of the paper.", {}),
    RelTable(
        "RELATED",
        "Paper",
        "Paper",
        "An edge of the network that `platform network build --write` wrote last, once for the "
        "pair of papers, from the lower id to the higher.",
        {"run": STRING, "kind": STRING, "weight": FLOAT},
    ),
    RelTable(
        "IN_COMMUNITY",
        "Paper",
        "Community",
        "The community of a paper at each level of a clustering; position of the paper on the "
        "map of papers.",
        {"run": STRING, "x": FLOAT, "y": FLOAT},
    ),
    RelTable(
        "IN_COLLECTION",
        "Paper",
        "Collection",
        "A paper of a collection.",
        {"tags": STRINGS},
    ),
    RelTable("PART_OF", "Community", "Community", "The community one level up.", {}),
)

NODE = {table.name: table for table in NODES}
REL = {table.name: table for table in RELS}
_SHARED = ("Venue", "Keyword", "Subject", "MeshDescriptor", "Institution")
TERMS = tuple(rel for rel in RELS if rel.target in _SHARED)
"""Terms that papers share: a term is added with its first paper and deleted with its last."""
TABLE: dict[str, NodeTable | RelTable] = {**NODE, **REL}
ONCE_LISTS = {"HAS_MESH": ("qualifiers", "/"), "AFFILIATED_WITH": ("positions", " ")}
"""Properties of relationships that were lists before version 8, and what now separates their
values: in ladybug a commit that adds to a relationship table rewrites all its lists."""
