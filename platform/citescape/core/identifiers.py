"""Ids of works and people, brought to one form: DOI, PMID, PMCID, arXiv, OpenAlex, ORCID, year.

Each function takes text as found in a source and returns the normal form, or None where the text
is no such id.
"""

from __future__ import annotations

import re
from operator import mul
from urllib.parse import unquote

_DOI = re.compile(
    r"10\.[0-9]{4,9}/(?:\(sici\)[^\s\"<>]{1,80}<[^\s\"<>]{1,60}>[^\s\"<>]+|[^\s\"<>]+)",
    re.IGNORECASE,
)
_CUT_SICI = re.compile(r"10\.[0-9]{4,9}/\(sici\)[0-9x-]*(?:\([0-9/]*\)?)?[0-9]*:?[0-9a-z]*")
"""Before the page, in angle brackets, it stands for all articles of an issue."""
_VIEW = re.compile(
    r"(?:/(?:full|full-?text|abstract|summary|meta|e?pdf|html)|\.(?:full|abstract|pdf|html?))+$"
)
_COMPONENT = re.compile(
    r"(10\.1371/journal\.[a-z]+\.[0-9]+)\.[tgs][0-9]{3}"
    r"|(10\.1101/(?:[0-9]{4}\.[0-9]{2}\.[0-9]{2}\.)?[0-9]{6,8})v[0-9]{1,2}(?:[./].*)?"
)
"""PLOS registers each table, figure and supplement under the article's DOI, and links to bioRxiv
name the version after it."""
_LONGEST_DOI = 500
"""Characters. The DOI system sets no limit; what is longer is text without blanks."""
_PMCID = re.compile(r"(?:PMC)?\s*([0-9]{3,9})(?:\.[0-9]+)?", re.IGNORECASE)
_PMID = re.compile(r"(?:PMID:?)?\s*([0-9]{1,8})", re.IGNORECASE)
_OLD_ARXIV = r"[a-z-]{1,20}(?:\.[a-z]{2})?/[0-9]{7}"
_ARXIV = re.compile(
    rf"(?<![0-9a-z])([0-9]{{4}}\.[0-9]{{4,5}}|{_OLD_ARXIV})(?:v[0-9]{{1,3}})?(?![0-9])",
    re.IGNORECASE,
)
_PRINTED_ARXIV = re.compile(
    r"(?:\barxiv\b|\babs/).{0,24}?(?<![0-9a-z])"
    rf"([0-9]{{2}}(?:0[1-9]|1[0-2])\.[0-9]{{4,5}}|{_OLD_ARXIV})(?![0-9])",
    re.IGNORECASE,
)
_ARXIV_DOI = "10.48550/arxiv."
_OPENALEX = re.compile(
    r"(?:https?://(?:api\.)?openalex\.org/(?:[a-z]+/)?)?([A-Z][0-9]{2,12})", re.IGNORECASE
)
_ROR = re.compile(r"(?:https?://ror\.org/)?(0[0-9a-z]{6}[0-9]{2})", re.IGNORECASE)
_CORPUS_ID = re.compile(r"(?:CorpusId:?\s*)?([0-9]{1,12})(?:\.0)?", re.IGNORECASE)
_ORCID = re.compile(r"([0-9]{4})-?([0-9]{4})-?([0-9]{4})-?([0-9]{3}[0-9Xx])")
_ORCID_WEIGHTS = tuple(2**power for power in range(15, 0, -1))
_PLACE = re.compile(r"#[a-z][a-z0-9._-]*$")
_YEAR = re.compile(r"(?<![0-9])(1[5-9][0-9]{2}|20[0-9]{2})(?![0-9])")
_PLAIN_YEARS = frozenset(map(str, range(1900, 2100)))
_PUBMED_LINK = re.compile(
    r"(?:\bncbi\.nlm\.nih\.gov/(?:pubmed/)?|\beuropepmc\.org/(?:article|abstract)/med/)"
    r"([0-9]{1,8})(?![0-9])",
    re.IGNORECASE,
)
_PMC_LINK = re.compile(r"(?:/articles/|pmc/)PMC([0-9]{3,9})", re.IGNORECASE)
_PRINTED_PMID = re.compile(r"\bPMID:?\s*([0-9]{5,8})\b")
_PRINTED_PMCID = re.compile(r"\bPMCID:?\s*(?:PMC\s?)*([0-9]{5,9})\b")


def normalise_doi(text: str | None, *, whole: bool = False) -> str | None:
    """`https://doi.org/10.1000/ABC.` -> `10.1000/abc`.

    DOIs are case-insensitive (DOI Handbook, 2.4), so lower case is the normal form. A suffix
    without any digit is a DOI cut off in print (`10.1371/journal.pone.`), shared by many works:
    the result is None. The DOI of an article before 2000 may contain `<` and `>`
    (`10.1002/(SICI)1097-0010(199901)79:1<1::AID-JSFA1>3.0.CO;2-9`); cut off there, it is None. A
    table or figure of an article in PLOS (`....1002869.t001`) is cited for the article, so its DOI
    becomes the article's. DOIs in links to pages lose what names a view (`/full`, `/abstract`,
    `.pdf`, and on bioRxiv the version, `v2.full`), and any DOI the place in a page (`#s2`).

    Args:
        text: text that contains a DOI.
        whole: the DOI is known to be complete and nothing else, such as a paper's own.
    """
    match = _DOI.search(unquote(text)) if text else None
    if not match or len(match.group()) > _LONGEST_DOI:
        return None
    doi = _PLACE.sub("", match.group().lower()).rstrip(".,;:'’”]}*")
    if _CUT_SICI.fullmatch(doi):
        return None
    while doi.endswith(")") and doi.count("(") < doi.count(")"):
        doi = doi[:-1].rstrip(".,;:")
    if not whole:
        doi = _VIEW.sub("", doi)
    component = _COMPONENT.fullmatch(doi)
    if component:
        doi = component[component.lastindex or 0]
    suffix = doi.partition("/")[2]
    return doi if suffix and (whole or any(c.isdigit() for c in suffix)) else None


def normalise_pmid(text: str | None) -> str | None:
    """`PMID: 12345` -> `12345`."""
    if text and text.isdecimal() and text.isascii() and len(text) <= 8:
        return text.lstrip("0") or None
    match = _PMID.fullmatch(text.strip()) if text else None
    number = match.group(1).lstrip("0") if match else ""
    return number or None


def normalise_pmcid(text: str | None) -> str | None:
    """`6338940`, `PMC6338940`, `PMC6338940.1` -> `PMC6338940`."""
    match = _PMCID.fullmatch(text.strip()) if text else None
    number = match.group(1).lstrip("0") if match else ""
    return f"PMC{number}" if number else None


def normalise_arxiv(text: str | None) -> str | None:
    """`arXiv:1706.03762v5 [cs.CL]` -> `1706.03762`; `hep-th/9901001` stays.

    The version is left out: all versions are one work. Subjects of old ids are left out too
    (`math.GT/0309136` -> `math/0309136`), as arXiv does.
    """
    match = _ARXIV.search(text) if text else None
    if not match:
        return None
    archive, slash, number = match[1].lower().partition("/")
    return f"{archive.partition('.')[0]}/{number}" if slash else archive


def doi_of_arxiv(text: str | None) -> str | None:
    """The DOI that arXiv registers for an id: `1706.03762` -> `10.48550/arxiv.1706.03762`."""
    id_ = normalise_arxiv(text)
    return f"{_ARXIV_DOI}{id_}" if id_ else None


def normalise_openalex(text: str | None, kind: str = "W") -> str | None:
    """`https://openalex.org/W2741809807` -> `W2741809807`.

    Args:
        text: id or address.
        kind: first letter: `W` work, `A` person, `I` institution, `S` source, `T` topic.
    """
    match = _OPENALEX.fullmatch(text.strip()) if text else None
    id_ = match[1].upper() if match else ""
    return id_ if id_.startswith(kind) else None


def normalise_ror(text: str | None) -> str | None:
    """`https://ror.org/02mhbdp94` -> `02mhbdp94`."""
    match = _ROR.fullmatch(text.strip()) if text else None
    return match[1].lower() if match else None


def normalise_corpus_id(value: object) -> str | None:
    """Corpus id of Semantic Scholar: `18980463`, also as a number -> `18980463`."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    match = _CORPUS_ID.fullmatch(str(value).strip())
    number = match[1].lstrip("0") if match else ""
    return number or None


def normalise_orcid(text: str | None) -> str | None:
    """`https://orcid.org/0000-0001-7767-3930` -> `0000-0001-7767-3930`; the check digit must fit.

    The check digit is ISO 7064 MOD 11-2, as ORCID defines it.
    """
    match = _ORCID.search(text) if text else None
    if not match:
        return None
    first, second, third, last = match.groups()
    digits = first + second + third + last[:3]
    check = (12 - sum(map(mul, _ORCID_WEIGHTS, map(int, digits))) % 11) % 11
    if last[3].upper() != ("X" if check == 10 else str(check)):
        return None
    return f"{first}-{second}-{third}-{last.upper()}"


def normalise_year(text: str | None) -> int | None:
    """`2005a` -> 2005; `in press` -> None."""
    if text in _PLAIN_YEARS:
        return int(text)
    match = _YEAR.search(text) if text else None
    return int(match.group(1)) if match else None


def pmid_in_link(text: str) -> str | None:
    """The PMID in a PubMed address."""
    match = _PUBMED_LINK.search(text)
    return match.group(1) if match else None


def pmcid_in_link(text: str) -> str | None:
    """The PMCID in a PubMed Central address."""
    match = _PMC_LINK.search(text)
    return f"PMC{match.group(1)}" if match else None


def pmid_in_text(text: str) -> str | None:
    """The PMID printed in a citation: `PMID: 12345678`."""
    match = _PRINTED_PMID.search(text)
    return normalise_pmid(match.group(1)) if match else None


def pmcid_in_text(text: str) -> str | None:
    """The PMCID printed in a citation: `PubMed Central PMCID: PMC4578774`."""
    match = _PRINTED_PMCID.search(text)
    return f"PMC{match.group(1)}" if match else None


def arxiv_in_text(text: str) -> str | None:
    """The arXiv id printed in a citation: `arXiv preprint arXiv:1706.03762`, `CoRR abs/1706.03762`.

    The name is printed before it; a number such as 1098.1125 alone may be anything.
    """
    match = _PRINTED_ARXIV.search(text)
    return normalise_arxiv(match.group(1)) if match else None
