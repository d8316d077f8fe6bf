"""Records of metadata in the formats of `sources.py`: PubMed, Crossref, OpenAlex, Semantic Scholar.

They have the fields that real records have; what full texts do not give is the same in all.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
from lxml import etree
from lxml.builder import E
from source_articles import TABLES, Article, Counts, Record, count, number_of, short_name

from citescape.core.types import Author, Reference


def write_pubmed(folder: Path, articles: Sequence[Article]) -> Counts:
    """A file of the yearly baseline, compressed, as pubmed_parser needs it."""
    root = E.PubmedArticleSet(*map(_pubmed, articles))
    data = etree.tostring(root, encoding="UTF-8", xml_declaration=True, pretty_print=True)
    (folder / "pubmed.xml.gz").write_bytes(gzip.compress(data))
    return count(articles)


def _pubmed(article: Article) -> Any:
    paper = article.paper
    labels = [{"Label": label} if label else {} for label in paper.abstract_labels or ("",)]
    parts = zip(labels, paper.abstract_parts or (paper.abstract,), strict=True)
    people = [
        E.Author(
            *(
                [E.CollectiveName(author.surname)]
                if author.role == "group"
                else [E.LastName(author.surname), E.ForeName(author.given)]
            ),
            *(E.AffiliationInfo(E.Affiliation(name)) for name in article.affiliations(author)),
            ValidYN="Y",
        )
        for author in article.authors
    ]
    date = E.PubDate(E.Year(str(article.date[0])), E.Month(str(article.date[1])))
    pmid = paper.ids.pmid or str(50_000_000 + article.number)
    return E.PubmedArticle(
        E.MedlineCitation(
            E.PMID(pmid, Version="1"),
            E.Article(
                E.Journal(
                    E.ISSN(article.issn, IssnType="Electronic"),
                    E.JournalIssue(E.Volume("7"), date, CitedMedium="Internet"),
                    E.Title(article.venue),
                ),
                E.ArticleTitle(f"{paper.title}."),
                E.ELocationID(paper.ids.doi or "", EIdType="doi", ValidYN="Y"),
                E.Abstract(*(E.AbstractText(text, **label) for label, text in parts)),
                E.AuthorList(*people, CompleteYN="Y"),
                E.Language("eng"),
                E.PublicationTypeList(E.PublicationType("Journal Article", UI="D016428")),
                PubModel="Electronic",
            ),
            E.MedlineJournalInfo(E.MedlineTA(article.venue), E.NlmUniqueID("101492007")),
            E.KeywordList(
                *(E.Keyword(w, MajorTopicYN="N") for w in paper.keywords), Owner="NOTNLM"
            ),
            Status="PubMed-not-MEDLINE",
            Owner="NLM",
        ),
        E.PubmedData(
            E.PublicationStatus("epublish"),
            E.ArticleIdList(
                E.ArticleId(pmid, IdType="pubmed"), E.ArticleId(paper.ids.doi or "", IdType="doi")
            ),
            E.ReferenceList(*map(_pubmed_reference, paper.references)),
        ),
    )


def _pubmed_reference(reference: Reference) -> Any:
    names = ", ".join(short_name(author) for author in reference.authors)
    place = f"{reference.year};{reference.volume}:{reference.page}"
    kinds = (("doi", reference.ids.doi), ("pubmed", reference.ids.pmid))
    return E.Reference(
        E.Citation(f"{names}. {reference.title}. {reference.source}. {place}."),
        E.ArticleIdList(*(E.ArticleId(id_, IdType=kind) for kind, id_ in kinds if id_)),
    )


def write_lines(
    record: Callable[[Article], Record],
) -> Callable[[Path, Sequence[Article]], Counts]:
    """A writer of JSON Lines."""

    def write(folder: Path, articles: Sequence[Article]) -> Counts:
        _write_lines(folder / "records.jsonl", map(record, articles))
        return count(articles)

    return write


def _write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    with path.open("wb") as file:
        file.writelines(orjson.dumps(record) + b"\n" for record in records)


def crossref(article: Article) -> Record:
    """A work of the public data file."""
    paper = article.paper
    date = {"date-parts": [article.date], "date-time": "2019-03-07T10:11:12Z"}
    people = [
        {"name": author.surname, "sequence": "additional", "affiliation": []}
        if author.role == "group"
        else {
            "given": author.given,
            "family": author.surname,
            "sequence": "additional",
            "affiliation": [{"name": name} for name in article.affiliations(author)],
            **({"ORCID": f"http://orcid.org/{author.orcid}"} if author.orcid else {}),
        }
        for author in article.authors
    ]
    references = [
        {
            "key": reference.source_id,
            "DOI": reference.ids.doi,
            "doi-asserted-by": "publisher",
            "article-title": reference.title,
            "journal-title": reference.source,
            "author": short_name(reference.authors[0]) if reference.authors else "",
            "year": str(reference.year),
            "volume": reference.volume,
            "first-page": reference.page,
        }
        for reference in paper.references
    ]
    return {
        "indexed": date,
        "publisher": "Springer Science and Business Media LLC",
        "license": [{"start": date, "content-version": "vor", "URL": "http://example.org/by"}],
        "funder": [{"DOI": "10.13039/501100001809", "name": "Natural Science Foundation"}],
        "content-domain": {"domain": ["example.org"], "crossmark-restriction": False},
        "DOI": paper.ids.doi,
        "type": "journal-article",
        "created": date,
        "is-referenced-by-count": 12,
        "title": [paper.title],
        "prefix": "10.1186",
        "volume": "7",
        "abstract": f"<jats:title>Abstract</jats:title><jats:p>{escape(paper.abstract)}</jats:p>",
        "author": people,
        "member": "297",
        "published-online": date,
        "reference": references,
        "container-title": [article.venue],
        "language": "en",
        "link": [{"URL": "http://example.org/paper.pdf", "content-type": "application/pdf"}],
        "deposited": date,
        "score": 1,
        "issued": date,
        "references-count": len(references),
        "URL": f"http://dx.doi.org/{paper.ids.doi}",
        "relation": {},
        "ISSN": [article.issn],
        "subject": list(paper.subjects),
        "published": date,
    }


_OPENALEX = "https://openalex.org/{}{}".format


def _location(article: Article) -> Record:
    return {
        "is_oa": True,
        "landing_page_url": f"https://doi.org/{article.paper.ids.doi}",
        "pdf_url": "https://example.org/paper.pdf",
        "source": {
            "id": _OPENALEX("S", 71_000),
            "display_name": article.venue,
            "issn_l": article.issn,
            "issn": [article.issn],
            "host_organization_name": "Springer Nature",
            "type": "journal",
        },
        "license": "cc-by",
        "version": "publishedVersion",
    }


def _authorships(article: Article) -> list[Record]:
    places = [
        {
            "id": _OPENALEX("I", number_of(place.name)),
            "display_name": place.name,
            "ror": "https://ror.org/00x0x0x00",
            "country_code": place.country or None,
            "type": "education",
            "lineage": [_OPENALEX("I", number_of(place.name))],
        }
        for place in article.paper.institutions
    ]
    return [
        {
            "author_position": "middle",
            "author": {
                "id": _OPENALEX("A", 10_000 * article.number + 1_000 + rank),
                "display_name": author.name,
                "orcid": author.orcid and f"https://orcid.org/{author.orcid}",
            },
            "institutions": [places[place] for place in author.institutions],
            "countries": [],
            "is_corresponding": False,
            "raw_author_name": author.name,
            "raw_affiliation_strings": article.affiliations(author),
        }
        for rank, author in enumerate(article.authors)
    ]


def openalex(article: Article) -> Record:
    """A work of the snapshot."""
    paper, address, location = article.paper, _OPENALEX, _location(article)
    topic = {"id": address("T", 10_000), "display_name": "Rice genetics", "score": 0.99}
    words: dict[str, list[int]] = {}
    for position, word in enumerate(paper.abstract.split()):
        words.setdefault(word, []).append(position)
    return {
        "id": address("W", 1_000 + article.number),
        "doi": f"https://doi.org/{paper.ids.doi}",
        "title": paper.title,
        "display_name": paper.title,
        "publication_year": article.date[0],
        "publication_date": "{:04}-{:02}-{:02}".format(*article.date),
        "ids": {"openalex": address("W", 1_000 + article.number)},
        "language": "en",
        "primary_location": location,
        "type": "article",
        "type_crossref": "journal-article",
        "open_access": {"is_oa": True, "oa_status": "gold", "oa_url": location["pdf_url"]},
        "authorships": _authorships(article),
        "cited_by_count": 12,
        "biblio": {"volume": "7", "issue": "1", "first_page": "1", "last_page": "9"},
        "is_retracted": False,
        "is_paratext": False,
        "primary_topic": topic,
        "topics": [topic] * 3,
        "keywords": [{"id": "k", "display_name": word, "score": 0.5} for word in paper.keywords],
        "mesh": [],
        "locations": [location, {**location, "version": "submittedVersion"}],
        "referenced_works": [address("W", 1_000 + number) for number in article.cited],
        "related_works": [address("W", 4_000_000 + number) for number in range(10)],
        "abstract_inverted_index": words,
        "counts_by_year": [{"year": year, "cited_by_count": 3} for year in range(2019, 2025)],
        "updated_date": "2024-11-02T10:11:12.123456",
    }


def write_openalex_parquet(folder: Path, articles: Sequence[Article]) -> Counts:
    """Rows with the columns of the works; the index of the abstract is JSON text."""
    rows = [
        {**work, "abstract_inverted_index": orjson.dumps(work["abstract_inverted_index"]).decode()}
        for work in map(openalex, articles)
    ]
    pq.write_table(pa.Table.from_pylist(rows), folder / "works.parquet")
    return count(articles)


def s2_api(article: Article) -> Record:
    """A paper of the Graph API of Semantic Scholar with its references."""
    return {
        "paperId": f"{article.number:040x}",
        "corpusId": 1_000 + article.number,
        "externalIds": {"DOI": article.paper.ids.doi, "PubMed": article.paper.ids.pmid},
        "title": article.paper.title,
        "abstract": article.paper.abstract,
        "venue": article.venue,
        "year": article.date[0],
        "authors": _s2_people(article.authors),
        "references": [
            {
                "paperId": f"{number:040x}",
                "externalIds": {"DOI": reference.ids.doi, "CorpusId": 1_000 + number},
                "title": reference.title,
                "venue": reference.source,
                "year": reference.year,
                "authors": _s2_people(reference.authors),
            }
            for number, reference in zip(article.cited, article.paper.references, strict=True)
        ],
    }


def write_s2ag(folder: Path, articles: Sequence[Article]) -> Counts:
    """Files of the data sets `papers` and `citations`, with sentences and intents."""
    papers: Iterable[Record] = (
        {
            "corpusid": 1_000 + article.number,
            "externalids": {
                "DOI": article.paper.ids.doi,
                "PubMed": article.paper.ids.pmid,
                "CorpusId": str(1_000 + article.number),
            },
            "url": f"https://www.semanticscholar.org/paper/{article.number:040x}",
            "title": article.paper.title,
            "authors": _s2_people(article.authors),
            "venue": article.venue,
            "year": article.date[0],
            "referencecount": len(article.cited),
            "citationcount": 12,
            "isopenaccess": True,
            "s2fieldsofstudy": [{"category": "Biology", "source": "s2-fos-model"}],
            "publicationtypes": ["JournalArticle"],
            "publicationdate": "{:04}-{:02}-{:02}".format(*article.date),
            "journal": {"name": article.venue, "pages": "1-9", "volume": "7"},
        }
        for article in articles
    )
    citations: Iterable[Record] = (
        {
            "citationid": 100_000 * article.number + rank,
            "citingcorpusid": 1_000 + article.number,
            "citedcorpusid": 1_000 + number,
            "isinfluential": False,
            "contexts": list(contexts) or None,
            "intents": [["background"]] * len(contexts) or None,
        }
        for article in articles
        for rank, (number, contexts) in enumerate(zip(article.cited, article.contexts, strict=True))
    )
    for name, records in zip(TABLES, (papers, citations), strict=True):
        _write_lines(folder / f"{name}.jsonl", records)
    return count(articles)


def _s2_people(people: Sequence[Author]) -> list[Record]:
    return [{"authorId": str(number_of(a.name)), "name": a.name} for a in people]
