"""Small files of every source that can be loaded, under the names that the guide uses."""

from __future__ import annotations

import gzip
import json
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lxml import etree

from citescape.core.types import Paper
from citescape.demo.jats_writer import write_jats
from citescape.demo.world import World
from citescape.loaders.jats import read_jats
from tests.ingest.converters import as_openalex, as_s2orc, as_tei

_PAPERS = 8
_PMC = "PMC10009402"


def write_source_files(world: World, folder: Path) -> None:
    """Writes the first papers of a world in the formats of several sources."""
    texts = [write_jats(world, number) for number in range(_PAPERS)]
    papers = [read_jats(text, "paper.xml") for text in texts]
    (folder / "articles.xml").write_bytes(join_articles(texts))
    (folder / "paper.tei.xml").write_bytes(as_tei(texts[0]))
    with gzip.open(folder / "s2orc.jsonl.gz", "wb") as file:
        file.write(b"\n".join(map(as_s2orc, texts)))
    preprint = folder / "arXiv_src_2212_086.jsonl"
    preprint.write_text(json.dumps(as_unarxive(papers[0])))
    with tarfile.open(folder / "unarXive_230324_open_subset.tar.xz", "w:xz", preset=0) as archive:
        archive.add(preprint, "22/arXiv_src_2212_086.jsonl")
    preprint.unlink()

    (folder / "pubmed.xml").write_bytes(as_pubmed(papers))
    items = {"message": {"items": [as_crossref(paper) for paper in papers]}}
    (folder / "crossref.json").write_text(json.dumps(items))
    works = [as_openalex_work(text, number) for number, text in enumerate(texts)]
    (folder / "openalex.json").write_text(json.dumps({"results": works}))
    s2 = [as_semantic_scholar(paper, number) for number, paper in enumerate(papers)]
    (folder / "semanticscholar.json").write_text(json.dumps(s2))
    version = folder / f"{_PMC}.1"
    version.mkdir()
    (version / f"{_PMC}.1.xml").write_bytes(texts[0])
    record = {
        "pmcid": _PMC,
        "doi": papers[0].ids.doi,
        "title": papers[0].title,
        "is_pmc_openaccess": True,
        "license_code": "CC BY",
    }
    (version / f"{_PMC}.1.json").write_text(json.dumps(record))
    (folder / "library.bib").write_text("\n".join(map(as_bibtex, papers)), encoding="utf-8")


def join_articles(texts: Sequence[bytes]) -> bytes:
    """Articles as NCBI's efetch returns them."""
    root = etree.Element("pmc-articleset")
    root.extend(etree.fromstring(text) for text in texts)
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True)


def as_unarxive(paper: Paper) -> dict[str, Any]:
    """A preprint in unarXive that cites the first reference once."""
    reference = paper.references[0]
    printed = f"{reference.title}. J. Rice, {reference.volume}:{reference.page}, {reference.year}."
    paragraph = {
        "section": "Introduction",
        "sec_number": "1",
        "sec_type": "section",
        "content_type": "paragraph",
        "text": "Rice grows {{cite:a}}.",
        "cite_spans": [],
        "ref_spans": [],
    }
    return {
        "paper_id": "2212.11867",
        "_source_hash": "1b58",
        "metadata": {
            "id": "2212.11867",
            "title": "A preprint on rice",
            "categories": "q-bio.PE",
            "versions": [{"version": "v1", "created": "Thu, 22 Dec 2022 17:01:56 GMT"}],
            "authors_parsed": [["Shull", "George", ""]],
        },
        "body_text": [paragraph],
        "bib_entries": {"a": {"bib_entry_raw": printed, "ids": {}}},
        "ref_entries": {},
    }


def as_pubmed(papers: Sequence[Paper]) -> bytes:
    """Records of PubMed with MeSH headings."""
    root = etree.Element("PubmedArticleSet")
    for number, paper in enumerate(papers):
        article = etree.SubElement(root, "PubmedArticle")
        citation = etree.SubElement(article, "MedlineCitation")
        etree.SubElement(citation, "PMID").text = str(30_000_000 + number)
        content = etree.SubElement(citation, "Article")
        etree.SubElement(content, "ArticleTitle").text = paper.title
        headings = etree.SubElement(citation, "MeshHeadingList")
        heading = etree.SubElement(headings, "MeshHeading")
        etree.SubElement(heading, "DescriptorName", MajorTopicYN="Y").text = "Oryza"
        ids = etree.SubElement(etree.SubElement(article, "PubmedData"), "ArticleIdList")
        etree.SubElement(ids, "ArticleId", IdType="doi").text = paper.ids.doi
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True)


def as_crossref(paper: Paper) -> dict[str, Any]:
    """A work of Crossref with its references."""
    references = [
        {"key": r.source_id, "DOI": r.ids.doi, "article-title": r.title, "year": str(r.year)}
        for r in paper.references
    ]
    return {
        "DOI": paper.ids.doi,
        "type": "journal-article",
        "title": [paper.title],
        "author": [{"given": a.given, "family": a.surname} for a in paper.authors],
        "issued": {"date-parts": [[paper.year]]},
        "container-title": ["Rice"],
        "reference": references,
    }


def as_openalex_work(text: bytes, number: int) -> Mapping[str, Any]:
    """A work of OpenAlex with an institution."""
    work: dict[str, Any] = json.loads(as_openalex(text, 1_000 + number, [999 + number]))
    place = {"id": "https://openalex.org/I1", "display_name": "Institute", "country_code": "CN"}
    for authorship in work["authorships"]:
        authorship["institutions"] = [place]
    return work


def as_semantic_scholar(paper: Paper, number: int) -> dict[str, Any]:
    """A paper of Semantic Scholar's interface with its references."""
    references = [
        {"paperId": f"{i:040x}", "title": r.title, "externalIds": {"DOI": r.ids.doi}}
        for i, r in enumerate(paper.references)
    ]
    return {
        "paperId": f"{number:040x}",
        "externalIds": {"DOI": paper.ids.doi, "CorpusId": 7_000 + number},
        "title": paper.title,
        "year": paper.year,
        "abstract": paper.abstract,
        "fieldsOfStudy": ["Agricultural and Food Sciences"],
        "references": references,
    }


def as_bibtex(paper: Paper) -> str:
    """An entry of a reference manager."""
    fields = {"title": paper.title, "doi": paper.ids.doi, "keywords": "rice"}
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@article{{{paper.sha256[:8]},\n{lines}\n}}"
