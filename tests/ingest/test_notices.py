"""Works with notices: matched whatever is loaded first, marked by the notice that counts."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError, SourceError
from citescape.core.progress import silent
from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import ingest
from citescape.ingest.notices import COLUMNS, STATES, WorkNotice, deciding_notice
from citescape.ingest.overview import read_overview
from citescape.papers.removal import remove_source
from citescape.store.graph_store import GraphStore, open_store
from citescape.store.state import IMPORTANCE_RUN, read_meta, write_meta
from tests.ingest.data_sets import write_table
from tests.ingest.papers import Cited, jats, load, snapshot
from tests.ingest.random_changes import count_updates

WORK, NOTICE = "10.1000/work1", "10.1000/notice1"
CITING = jats(1, [Cited("Golden rice", doi=WORK, pmid="77")])


def notice_of(
    work: str = WORK,
    *,
    doi: str = NOTICE,
    kind: str = "retracted-article",
    article_type: str = "retraction",
    year: int = 2015,
    title: str = "Retraction: Golden rice",
    cites: bool = False,
) -> bytes:
    """A full text that is a notice about `work`; it may also cite the work."""
    related = (
        f'<related-article xmlns:xlink="http://www.w3.org/1999/xlink" ext-link-type="doi" '
        f'related-article-type="{kind}" xlink:href="{work}"/></article-meta>'
    )
    cited = [Cited("Golden rice", doi=work)] if cites else []
    text = jats(2, cited, doi=doi, title=title).decode()
    text = text.replace("<year>2010<", f"<year>{year}<", 1)
    text = text.replace('"research-article"', f'"{article_type}"', 1)
    return text.replace("</article-meta>", related, 1).encode()


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def table(path: Path, *rows: dict[str, str]) -> Path:
    names = ("OriginalPaperDOI", "OriginalPaperPubMedID", "RetractionDOI", "RetractionDate")
    return write_table(path, rows, (*names, "RetractionNature"))


def row(nature: str = "Retraction", date: str = "", **ids: str) -> dict[str, str]:
    names = {"work": "OriginalPaperDOI", "pmid": "OriginalPaperPubMedID", "doi": "RetractionDOI"}
    found = {names[name]: value for name, value in ids.items()}
    return {**found, "RetractionDate": date, "RetractionNature": nature}


def marks(store: GraphStore) -> dict[str, tuple[object, ...]]:
    columns = ", ".join(f"p.{name} AS {name}" for name in COLUMNS)
    rows = store.read(f"MATCH (p:Paper) WHERE p.notice IS NOT NULL RETURN p.id AS id, {columns}")
    return {r["id"]: tuple(r[name] for name in COLUMNS) for r in rows.to_pylist()}


RETRACTED = ("retracted", "2015", 2015, NOTICE, "notice")


def test_a_notice_marks_the_work_in_any_order(fresh_store: Callable, tmp_path: Path) -> None:
    """Together, notice first, work first, in one file each."""
    citing, notice = write(tmp_path / "a.xml", CITING), write(tmp_path / "b.xml", notice_of())
    results = []
    for order in ([[citing, notice]], [[citing], [notice]], [[notice], [citing]]):
        store = fresh_store()
        for paths in order:
            load(store, *paths)
        assert marks(store) == {f"doi:{WORK}": RETRACTED}
        results.append(snapshot(store))
    assert results[0] == results[1] == results[2]


def test_the_path_from_notice_to_work(store: GraphStore, tmp_path: Path) -> None:
    load(store, write(tmp_path / "a.xml", CITING), write(tmp_path / "b.xml", notice_of()))
    path = (
        "MATCH (a:Paper)<-[:PUBLISHED_AS]-(n:Notice)-[:CONCERNS]->(b:Paper) "
        "MATCH (a)-[:STATES]->(n) RETURN a.id AS notice, n.kind AS kind, b.id AS work"
    )
    expected = {"notice": f"doi:{NOTICE}", "kind": "retraction", "work": f"doi:{WORK}"}
    assert store.read(path).to_pylist() == [expected]


def test_loading_again_changes_nothing(store: GraphStore, tmp_path: Path) -> None:
    paths = (
        write(tmp_path / "a.xml", CITING),
        write(tmp_path / "b.xml", notice_of()),
        table(tmp_path / "notices.csv", row(work=WORK, date="3/1/2014")),
    )
    load(store, *paths)
    write_meta(store, IMPORTANCE_RUN, "score-1")
    before = snapshot(store)
    load(store, *paths)
    assert snapshot(store) == before
    load(store, table(tmp_path / "notices.csv", row(work=WORK, date="3/1/2013")))
    assert marks(store)[f"doi:{WORK}"][1] == "2013-03-01"
    assert read_meta(store, IMPORTANCE_RUN) == "score-1"  # notices change no score


def test_a_corrected_notice_replaces_its_earlier_version(store: GraphStore, tmp_path: Path) -> None:
    """A corrected file that names another work, and one that names none."""
    other = jats(3, [Cited("Other", doi="10.1000/other1")])
    path = write(tmp_path / "b.xml", notice_of())
    load(store, write(tmp_path / "a.xml", CITING), write(tmp_path / "c.xml", other), path)
    load(store, write(path, notice_of("10.1000/other1")))
    assert [*marks(store)] == ["doi:10.1000/other1"]
    load(store, write(path, notice_of(kind="companion")))
    assert marks(store) == {}
    assert store.read("MATCH (n:Notice) RETURN count(n) AS n")["n"].to_pylist() == [0]


def test_a_cited_work_keeps_its_mark_when_its_full_text_is_loaded(
    store: GraphStore, tmp_path: Path
) -> None:
    load(store, write(tmp_path / "a.xml", CITING), write(tmp_path / "b.xml", notice_of()))
    load(store, write(tmp_path / "c.xml", jats(5, doi=WORK, title="Golden rice")))
    assert marks(store) == {f"doi:{WORK}": RETRACTED}


def test_a_work_states_its_own_retraction(store: GraphStore, tmp_path: Path) -> None:
    """The date is that of the notice, if the graph has it, for example from a reference list."""
    work = notice_of(NOTICE, doi=WORK, kind="retraction-forward", article_type="research-article")
    load(store, write(tmp_path / "a.xml", work))
    assert marks(store) == {f"doi:{WORK}": ("retracted", None, None, NOTICE, "work")}
    load(store, write(tmp_path / "b.xml", jats(4, [Cited("Notice", doi=NOTICE, year=2016)])))
    assert marks(store) == {f"doi:{WORK}": ("retracted", "2016", 2016, NOTICE, "work")}


def test_an_article_that_retracts_itself_is_not_retracted(
    store: GraphStore, tmp_path: Path
) -> None:
    """By another of its ids, which only the graph joins with its DOI."""
    text = notice_of().decode().replace(f'xlink:href="{WORK}"', 'xlink:href="88"')
    text = text.replace('ext-link-type="doi"', 'ext-link-type="pubmed"')
    text = text.replace(
        "<title-group>", '<article-id pub-id-type="pmid">88</article-id><title-group>'
    )
    result = load(store, write(tmp_path / "a.xml", text.encode()))
    assert result.notes == {"notice-of-itself": 1}
    itself = table(tmp_path / "n.csv", row(work=NOTICE, doi=NOTICE, date="2015"))
    load(store, itself)
    assert marks(store) == {}


def test_a_doi_decides_and_another_id_helps_works_without_one(
    store: GraphStore, tmp_path: Path
) -> None:
    """The PMID 77 is printed with the DOI of the cited work, 78 alone, 79 with no work."""
    unnamed = jats(3, [Cited("Unnamed", pmid="78"), Cited("Other", doi="10.1000/other1")])
    load(store, write(tmp_path / "a.xml", CITING), write(tmp_path / "b.xml", unnamed))
    rows = (
        row(work="10.1000/absent1", pmid="77", date="2011"),
        row(work="10.1000/absent2", pmid="78", date="2012"),
        row(pmid="79", date="2013"),
        row("Correction", pmid="77", date="2014"),
    )
    load(store, table(tmp_path / "n.csv", *rows))
    assert {work: mark[:2] for work, mark in marks(store).items()} == {
        "pmid:78": ("retracted", "2012"),
        f"doi:{WORK}": ("corrected", "2014"),
    }


def test_a_table_before_any_paper(tmp_path: Path, fresh_store: Callable) -> None:
    notices = table(tmp_path / "n.csv", row(work=WORK, doi=NOTICE, date="3/1/2014 0:00"))
    store = fresh_store()
    result = load(store, notices)
    assert (result.exit_status, result.papers) == (0, 0)
    assert result.failure is None
    assert result.notices_read == [{"path": str(notices), "kept": 1, "lost": {}, "notes": {}}]
    load(store, write(tmp_path / "a.xml", CITING))
    expected = {f"doi:{WORK}": ("retracted", "2014-03-01", 2014, NOTICE, "table")}
    assert marks(store) == expected


def test_a_table_replaces_the_rows_of_its_earlier_version(
    store: GraphStore, tmp_path: Path
) -> None:
    """Rows of other files stay; nothing is removed if a row cannot be read."""
    load(store, write(tmp_path / "a.xml", CITING))
    other = table(tmp_path / "other.csv", row("Correction", work=WORK, date="2012"))
    path = tmp_path / "n.csv"
    load(store, other, table(path, row(work=WORK, date="2014"), row(work="10.1000/x1")))
    table(path, row("Praise", work="10.1000/x1"), row(work="10.1000/x1"))
    assert load(store, path).notices_read[0]["lost"] == {"unknown-nature": 1}
    assert marks(store)[f"doi:{WORK}"][0] == "retracted"
    load(store, table(path, row(work="10.1000/x1")))
    assert marks(store)[f"doi:{WORK}"][:2] == ("corrected", "2012")


@pytest.mark.parametrize("rows", [(), (row(), row()), (row("Praise", work=WORK),)])
def test_a_table_without_notices_is_rejected(tmp_path: Path, rows: Sequence) -> None:
    store = open_store(str(tmp_path / "s.lbug"))
    path = table(tmp_path / "n.csv", row(work="10.1000/x1"))
    load(store, path)
    before = snapshot(store)
    result = load(store, table(path, *rows))
    ((_, message),) = result.rejected
    assert message.startswith("no notice in it")
    assert result.exit_status == 1
    assert snapshot(store) == before
    with pytest.raises(SourceError, match="expected"):
        ingest(store, [path], IngestConfig(strict=True))
    store.close()


def test_titles_are_the_weakest_evidence(store: GraphStore, tmp_path: Path) -> None:
    titles = {
        "10.1000/t1": "RETRACTED ARTICLE: Rice",
        "10.1000/t2": "Retracted: Rice",
        "10.1000/t3": "[Retracted] Rice",
        "10.1000/t4": "Retraction: Rice",
        "10.1000/t5": "Retracted muscles of rice",
        "10.1000/t6": "WITHDRAWN: Rice for coeliacs",
    }
    cited = [Cited(title, doi=doi) for doi, title in titles.items()]
    load(store, write(tmp_path / "a.xml", jats(1, cited)))
    by_title = ("retracted", None, None, None, "title")
    expected = {f"doi:10.1000/t{n}": by_title for n in (1, 2, 3)}
    assert marks(store) == expected
    load(store, table(tmp_path / "n.csv", row(work="10.1000/t1", date="2017")))
    assert marks(store)["doi:10.1000/t1"] == ("retracted", "2017", 2017, None, "table")


def test_a_notice_with_the_title_of_its_work_is_not_retracted(
    store: GraphStore, tmp_path: Path
) -> None:
    """Some publishers title the notice "Retracted: ..."."""
    load(store, write(tmp_path / "b.xml", notice_of(title="Retracted: Golden rice")))
    assert marks(store) == {}


def test_status_counts_citations_before_and_after(store: GraphStore, tmp_path: Path) -> None:
    """The notice cites the work too, which does not count."""
    years = (2013, 2015, 2016, 2017)
    for number, year in enumerate(years, start=10):
        text = jats(number, [Cited("Golden rice", doi=WORK)]).replace(b">2010<", b">%d<" % year, 1)
        write(tmp_path / f"{number}.xml", text)
    write(tmp_path / "n.xml", notice_of(cites=True))
    load(store, tmp_path)
    counts = {"works": 1, "citations": 4, "before": 1, "same": 1, "after": 2, "unknown": 0}
    assert read_overview(store).notices == ({"notice": "retracted", **counts},)
    assert "works with a notice" in str(read_overview(store).summarise().parts)


def entry(kind: str, date: str = "", doi: str = "", source: str = "table") -> WorkNotice:
    return WorkNotice(kind, date, doi, source)


@pytest.mark.parametrize(
    ("notices", "state", "date"),
    [
        ([entry("correction", "2010"), entry("retraction", "2012")], "retracted", "2012"),
        ([entry("concern", "2010"), entry("retraction", "2012")], "retracted", "2012"),
        ([entry("correction", "2010"), entry("concern", "2012")], "concern", "2012"),
        ([entry("partial-retraction", "2010"), entry("concern")], "partly retracted", "2010"),
        ([entry("retraction", "2013"), entry("retraction", "2012")], "retracted", "2012"),
        ([entry("retraction"), entry("retraction", "2012")], "retracted", "2012"),
        (
            [entry("retraction", "2012"), entry("retraction", "2012-03-04")],
            "retracted",
            "2012-03-04",
        ),
        ([entry("retraction", "2012"), entry("reinstatement", "2014")], "reinstated", "2014"),
        ([entry("retraction"), entry("reinstatement")], "reinstated", ""),
        (
            [
                entry("retraction", "2012"),
                entry("reinstatement", "2014"),
                entry("retraction", "2016"),
            ],
            "retracted",
            "2016",
        ),
        ([entry("retraction", "2014-05"), entry("reinstatement", "2014")], "reinstated", "2014"),
        ([entry("correction", "2010"), entry("reinstatement", "2014")], "reinstated", "2014"),
    ],
)
def test_the_notice_that_counts(notices: list[WorkNotice], state: str, date: str) -> None:
    for order in itertools.permutations(notices):
        found = deciding_notice(order)
        assert (STATES[found.kind], found.date) == (state, date)


ENTRIES = st.builds(
    WorkNotice,
    st.sampled_from([*STATES]),
    st.sampled_from(["", "2012", "2012-03", "2012-03-04", "2014"]),
    st.sampled_from(["", "10.1/a", "10.1/b"]),
    st.sampled_from(["notice", "work", "table", "reference", "title"]),
)


@settings(max_examples=200)
@given(st.lists(ENTRIES, min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_notices_does_not_matter(
    notices: list[WorkNotice], shuffle: random.Random
) -> None:
    found = deciding_notice(notices)
    assert found in notices
    shuffle.shuffle(notices)
    assert deciding_notice(notices) == found


def test_a_table_is_removed_with_its_marks(store: GraphStore, tmp_path: Path) -> None:
    file = table(tmp_path / "n.csv", row(work=WORK, date="3/1/2014"), row("Correction", pmid="5"))
    load(store, write(tmp_path / "a.xml", CITING))
    before = snapshot(store)
    load(store, file)
    assert marks(store) == {f"doi:{WORK}": ("retracted", "2014-03-01", 2014, None, "table")}
    overview = read_overview(store)
    assert overview.sources[-1] == {"source": "n.csv", "notices": 2}
    assert "n.csv" in str(replace(overview, show_sources=True))
    with pytest.raises(ConfigError, match=r"no source 'm.csv'.* it has jats, n.csv"):
        remove_source(store, "m.csv", progress=silent)
    assert str(remove_source(store, "n.csv", progress=silent)) == "2 notices removed"
    assert snapshot(store) == before


def test_a_table_concerns_stored_works_also_beside_new_papers(
    store: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The works are none that the new papers change."""
    load(store, write(tmp_path / "citing.xml", CITING))
    retractions = table(tmp_path / "retractions.csv", row(work=WORK, date="2015-03-01"))
    other = write(tmp_path / "other.xml", jats(7, [Cited("Peas", doi="10.1000/peas1")]))
    update = count_updates(monkeypatch.setattr)
    load(store, other, retractions)
    assert update["_resolve_changes"] == 1
    assert marks(store)[f"doi:{WORK}"][:2] == ("retracted", "2015-03-01")
    write_meta(store, IMPORTANCE_RUN, "score-1")
    load(store, table(retractions, row("Correction", work=WORK)))
    assert marks(store)[f"doi:{WORK}"][0] == "corrected"
    assert read_meta(store, IMPORTANCE_RUN) == "score-1"  # notices do not change scores


def test_an_ingest_of_notices_that_is_killed_is_completed_by_the_next_one(
    store: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(store, write(tmp_path / "citing.xml", CITING))
    retractions = table(tmp_path / "retractions.csv", row(work=WORK))
    with monkeypatch.context() as patch:
        patch.setattr("citescape.ingest.ingest.resolve", _killed)
        with pytest.raises(KeyboardInterrupt):
            load(store, retractions)
    load(store, write(tmp_path / "other.xml", jats(7, [])))
    assert marks(store)[f"doi:{WORK}"][0] == "retracted"


def _killed(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_a_mark_of_a_title_is_taken_back_with_the_title(
    store: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cited = Cited("Retracted: Golden rice", doi=WORK)
    load(store, write(tmp_path / "one.xml", jats(1, [cited])))
    assert marks(store)[f"doi:{WORK}"][0] == "retracted"
    update = count_updates(monkeypatch.setattr)
    others = [
        write(tmp_path / f"{n}.xml", jats(n, [Cited("Golden rice", doi=WORK)])) for n in (3, 4)
    ]
    load(store, *others)
    assert update["_resolve_changes"] == 1
    assert not marks(store)
