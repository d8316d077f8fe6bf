"""Versions of articles in PubMed Central's cloud service, as its JSON files describe them.

https://pmc.ncbi.nlm.nih.gov/tools/pmcaws/. Each version has a folder of its own
(`PMC10009402.1/`): the article as JATS, and this file beside it. As a record of a paper it has ids,
a title, and perhaps a retraction; the text is in the article. All fields but the PMCID may be
missing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from citescape.core.errors import SourceError
from citescape.core.identifiers import normalise_doi, normalise_pmcid, normalise_pmid
from citescape.core.types import Identifiers, Losses, Notice, Paper
from citescape.loaders.jats import PUBLISHED
from citescape.loaders.record_values import Record, name_keys, to_flag, to_text

VERSION = "pmc-1"
"""Increase it when the same file is read differently, so that it is loaded again."""

_KEYS = frozenset(("is_manuscript", "is_pmc_openaccess", "is_retracted", "license_code"))
_NAME = re.compile(r"(?:^|[/\\])(PMC[0-9]{3,9})\.([0-9]{1,3})(?=\.json|/|\\|$)", re.IGNORECASE)
_NUMBER = re.compile("[1-9][0-9]{0,2}")


@dataclass(frozen=True, slots=True)
class PmcVersion:
    """One version of an article. A flag is None if the file does not have it."""

    pmcid: str
    version: int | None
    """Number of the version, from 1."""
    is_manuscript: bool | None
    """The author's manuscript, not the published article."""
    is_retracted: bool | None
    is_open_access: bool | None
    """Whether it is in the open access subset."""
    licence: str
    """Such as `CC BY`; empty if unknown."""
    ids: Identifiers


def is_record(record: Record) -> bool:
    """Whether a JSON object describes a version of an article."""
    return "pmcid" in record and not _KEYS.isdisjoint(record)


def read_pmc_version(record: Record, path: str) -> PmcVersion:
    """Reads the description of a version.

    Args:
        record: the JSON object.
        path: path of the file; its name (`PMC10009402.1.json`) gives PMCID and version if the
            record does not.

    Raises:
        SourceError: no PMCID.
    """
    named = _NAME.search(path)
    id_, number = named.groups() if named else (None, None)
    pmcid = normalise_pmcid(to_text(record.get("pmcid"))) or normalise_pmcid(id_)
    if pmcid is None:
        message = f"a record with {name_keys(record)}; expected one with pmcid"
        raise SourceError(path, "no-id", message)
    numbers = (to_text(record.get("version")), number or "")
    version = next((int(text) for text in numbers if _NUMBER.fullmatch(text)), None)
    return PmcVersion(
        pmcid=pmcid,
        version=version,
        is_manuscript=to_flag(record.get("is_manuscript")),
        is_retracted=to_flag(record.get("is_retracted")),
        is_open_access=to_flag(record.get("is_pmc_openaccess")),
        licence=to_text(record.get("license_code")),
        ids=Identifiers(
            normalise_doi(to_text(record.get("doi")), whole=True),
            normalise_pmid(to_text(record.get("pmid"))),
            pmcid,
        ),
    )


def read_pmc(record: Record, path: str, sha256: str) -> Paper:
    """The record of a version; the latest one of the published article counts.

    Raises:
        SourceError: no PMCID.
    """
    version = read_pmc_version(record, path)
    edition = (version.version or 0) + (0 if version.is_manuscript else PUBLISHED)
    retracted = Notice("retraction", "work", version.ids, Identifiers())
    return Paper(
        path=path,
        sha256=sha256,
        ids=version.ids,
        title=to_text(record.get("title")),
        authors=(),
        losses=Losses(0, 0),
        notices=(retracted,) if version.is_retracted else (),
        loader=VERSION,
        edition=edition,
    )
