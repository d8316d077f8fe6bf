"""Versions of articles in PubMed Central's cloud service."""

from __future__ import annotations

import json

import pytest

from citescape.core.errors import SourceError
from citescape.core.types import Identifiers, Notice
from citescape.loaders.document_formats import read_document
from citescape.loaders.pmc_cloud import PmcVersion, is_record, read_pmc, read_pmc_version
from tests.loaders.records import ODD

PATH = "PMC10009402.1/PMC10009402.1.json"
RECORD: dict[str, object] = {
    "pmcid": "PMC10009402",
    "version": 1,
    "pmid": 36914630,
    "doi": "10.1000/RICE.1",
    "mid": "NIHMS1875284",
    "title": "Yield of rice",
    "citation": "Rice. 2023 Mar 13;14(1):1-7. doi: 10.1000/rice.1",
    "is_pmc_openaccess": True,
    "is_manuscript": False,
    "is_historical_ocr": False,
    "is_retracted": False,
    "license_code": "CC BY",
    "xml_url": "s3://pmc-oa-opendata/PMC10009402.1/PMC10009402.1.xml?md5=0",
}


def test_a_version() -> None:
    assert read_pmc_version(RECORD, PATH) == PmcVersion(
        pmcid="PMC10009402",
        version=1,
        is_manuscript=False,
        is_retracted=False,
        is_open_access=True,
        licence="CC BY",
        ids=Identifiers("10.1000/rice.1", "36914630", "PMC10009402"),
    )


@pytest.mark.parametrize("path", [PATH, "metadata/PMC10009402.1.json", "a.zip/PMC10009402.1"])
def test_the_name_of_the_file_has_the_id_and_the_version(path: str) -> None:
    version = read_pmc_version({"is_retracted": "true"}, path)
    assert (version.pmcid, version.version) == ("PMC10009402", 1)
    assert (version.is_retracted, version.is_manuscript, version.licence) == (True, None, "")


@pytest.mark.parametrize("number", [None, "", "latest", -1, 1.5, 10**6, [], {}])
def test_a_version_without_number(number: object) -> None:
    assert read_pmc_version({**RECORD, "version": number}, "x.json").version is None


def test_a_record_without_pmcid_is_refused() -> None:
    with pytest.raises(SourceError, match="doi, license_code; expected one with pmcid") as caught:
        read_pmc_version({"doi": "10.1000/1", "license_code": "CC0"}, "x.json")
    assert (caught.value.path, caught.value.reason) == ("x.json", "no-id")


def test_versions_are_recognised_by_their_keys() -> None:
    assert is_record(RECORD)
    assert not is_record({"pmcid": "PMC1", "title": "Rice"})


@pytest.mark.parametrize("field", RECORD)
def test_any_value_of_a_field_is_read(field: str) -> None:
    for value in ODD:
        assert read_pmc_version({**RECORD, field: value}, PATH).pmcid.startswith("PMC")


def test_a_record_has_ids_title_and_retraction() -> None:
    paper = read_pmc({**RECORD, "is_retracted": True}, PATH, "0")
    assert paper.ids == Identifiers("10.1000/rice.1", "36914630", "PMC10009402")
    assert (paper.title, paper.loader, paper.sections) == ("Yield of rice", "pmc-1", ())
    assert paper.notices == (Notice("retraction", "work", paper.ids, Identifiers()),)


def test_published_articles_come_before_manuscripts_then_later_versions() -> None:
    editions = [
        read_pmc({**RECORD, "version": version, "is_manuscript": manuscript}, PATH, "0").edition
        for manuscript, version in ((True, 1), (True, 2), (False, 1), (False, 2))
    ]
    assert editions == sorted(set(editions))


def test_records_are_recognised() -> None:
    data = json.dumps(RECORD).encode()
    assert read_document(data, PATH).loader == "pmc-1"
