"""Progress, messages and summary of `platform ingest`."""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import ingest
from citescape.store.graph_store import GraphStore, open_store
from tests.ingest.papers import jats, one_column, write_files

Platform = Callable[..., Any]


def test_the_folder_of_a_new_store_is_created(platform: Platform, generated: Any) -> None:
    done = platform("ingest", generated.papers, "--store", "new/folder/my papers.lbug")
    assert done.status == 0
    assert Path("new/folder/my papers.lbug").exists()
    assert done.out.endswith(" score --store 'new/folder/my papers.lbug'\n")


def test_current_scores_need_no_next_step(run_on_store: Platform, generated: Any) -> None:
    done = run_on_store("ingest", generated.papers)
    assert "50 unchanged" in done.out
    assert "next:" not in done.out


def test_progress_shows_the_number_of_documents_in_a_folder(
    store: GraphStore, generated: Any
) -> None:
    progress = []
    ingest(store, [generated.papers], IngestConfig(workers=1), progress=progress.append)
    assert {step.total for step in progress} == {50}
    assert [step.documents for step in progress][-1] == 50


def test_skipped_files_are_listed_in_one_line(platform: Platform, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    write_files(folder, [jats(1)])
    for name in ("a.pdf", "b.PDF", "c.json"):
        (folder / name).write_bytes(b"")
    done = platform("ingest", "--workers", 1, folder)

    assert done.status == 0
    assert "2 files skipped: 2 .pdf\n" in done.err
    assert "1 not a paper" in done.out
    assert "1 file is not a paper: c.json\n" in done.err


def test_ids_that_an_interface_does_not_know_are_named(platform: Platform) -> None:
    paper = {"paperId": "a" * 40, "externalIds": {"DOI": "10.1000/1"}, "title": "On rice"}
    Path("batch.json").write_text(json.dumps([paper, None, None]))
    Path("none.json").write_text('{"results": []}')
    done = platform("ingest", "batch.json", "none.json", "--strict")
    assert (done.status, done.out[:8]) == (0, "1 loaded")
    assert "3 items skipped: 2 null record, 1 empty list\n" in done.err
    assert "1 without text" in done.out
    failed = platform("ingest", "none.json")
    assert (failed.status, failed.out) == (1, "")
    assert "no papers found, but 1 empty list; expected full texts" in failed.err


def test_extensions_of_skipped_files_are_shortened_and_counted(
    platform: Platform, tmp_path: Path
) -> None:
    folder = tmp_path / "papers"
    write_files(folder, [jats(1)])
    for number in range(100):
        (folder / f"a.{number:02}").write_bytes(b"")
    (folder / "b.00").write_bytes(b"")
    shown = platform("ingest", "--workers", 1, folder).err
    assert shown.endswith("101 files skipped: 2 .00, 1 .01, 1 .02, 1 .03, 1 .04 and 95 more\n")


def test_a_report_has_no_formulas(platform: Platform) -> None:
    Path("=1+1.xml").write_text("hello")
    platform("ingest", "--workers", 1, "=1+1.xml", "--save", "report.csv")
    with open("report.csv", encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert "'=1+1.xml" in row.values()
    assert "=1+1.xml" not in row.values()


UNUSUAL_NAMES = {
    b"caf\xe9.xml": r"caf\xe9.xml",
    b"a\nb.xml": r"a\nb.xml",
    b"a\x1f.xml": r"a\x1f.xml",
}


def test_file_names_that_are_not_unicode_are_escaped_and_loaded(platform: Platform) -> None:
    Path("papers").mkdir()
    for number, name in enumerate(UNUSUAL_NAMES):
        Path("papers", os.fsdecode(name)).write_bytes(jats(number))
    Path("papers", os.fsdecode(b"bad\xff.xml")).write_bytes(b"no paper")
    Path("papers", os.fsdecode(b"other.\xff")).touch()
    done = platform("ingest", "--workers", 1, "papers", "--save", "report.csv", "--json")

    assert done.status == 0
    assert done.json["documents"] == {"loaded": 3, "rejected": 1}
    assert [row["path"] for row in done.json["rejected"]] == [r"papers/bad\xff.xml"]
    wanted = {f"papers/{name}" for name in UNUSUAL_NAMES.values()}
    store = open_store("citescape.lbug", read_only=True)
    paths = one_column(store, "MATCH (p:Paper) WHERE p.fulltext RETURN p.path AS path")
    store.close()
    assert {*paths} == wanted
    with open("report.csv", encoding="utf-8", newline="") as file:
        assert wanted < {row["path"] for row in csv.DictReader(file)}
    assert (
        platform("ingest", "--workers", 1, "papers", "--json").json["documents"]["unchanged"] == 3
    )
    again = platform(
        "ingest", "--workers", 1, "papers", os.fsdecode(b"papers/caf\xe9.xml"), "--json"
    )
    assert again.json["documents"]["unchanged"] == 4
    imported = platform(
        "ingest", "--workers", 1, "papers", "papers", "--neo4j-import", "files", "--json"
    )
    assert imported.json["documents"]["loaded"] == 3


def test_tables_may_have_any_name(platform: Platform) -> None:
    papers, citations = (os.fsdecode(name) for name in (b"pap\xe9rs.csv", b"cit\xe9d.csv"))
    Path(papers).write_text("id,title\na,One\nb,Two\n,\n")
    Path(citations).write_text("citing,cited\na,b\n")
    for status in ("loaded", "unchanged"):
        done = platform("ingest", papers, citations, "--dataset", "d", "--json")
        assert done.status == 0
        assert done.json["documents"] == {status: 2, "rejected": 1}
        assert done.json["tables_of_citations"][0]["path"].endswith(r"/cit\xe9d.csv")
    assert platform("ingest", papers, "--dataset", "d").status == 1


def restricted() -> list[str]:
    """Prefix of a command that makes file permissions apply, which root ignores."""
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("needs setpriv, as root")
    return ["setpriv", "--inh-caps=-all", "--bounding-set=-dac_override,-dac_read_search"]


def test_unreadable_files_do_not_stop_the_others(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    write_files(folder, [jats(1), jats(2)])
    write_files(folder / "locked", [jats(3)])
    write_files(folder / "listed", [jats(4)])
    (folder / "ring").symlink_to(folder)
    (folder / "self.xml").symlink_to("self.xml")
    os.mkfifo(folder / "pipe.xml")
    os.mkfifo(folder / "papers.csv")
    (folder / "archive.zip").touch(mode=0)
    (folder / "01.xml").chmod(0)
    (folder / "locked").chmod(0)
    (folder / "listed").chmod(0o444)
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(str(folder / "socket.xml"))
    store = tmp_path / "s.lbug"
    main = [sys.executable, "-c", "from citescape.cli.main import main; main()"]
    command = ["ingest", str(folder), "--workers", "1", "--store", str(store), "--json"]
    done = subprocess.run(
        [*restricted(), *main, *command], capture_output=True, text=True, check=False
    )
    for path in ("locked", "listed"):
        (folder / path).chmod(0o755)

    assert done.returncode == 1, "a folder and an archive may hold any number of papers"
    result = json.loads(done.stdout)
    assert result["documents"] == {"loaded": 1, "rejected": 7}
    names = [str(Path(row["path"]).relative_to(folder)) for row in result["rejected"]]
    files = ["01.xml", "archive.zip", "listed/00.xml", "locked", "pipe.xml", "self.xml"]
    assert names == [*files, "socket.xml"]
    assert "2 files skipped: 1 .csv, 1 linked folder\n" in done.stderr
    assert len([line for line in done.stderr.splitlines() if line.startswith("platform: ")]) == 1


def test_the_figures_of_a_quality_report_are_in_its_json_and_its_sheets(
    platform: Platform, generated: Any
) -> None:
    words = ("ingest", generated.papers, "--report", "quality.html", "--workers", 1)
    done = platform(*words, "--json")
    assert done.json["report"] == "quality.html"
    quality = done.json["quality"]
    assert quality["papers"] == done.json["fulltext_papers"] == 50
    assert quality["pointers"] == done.json["anchors"]
    assert quality["lost_pointers"] == sum(done.json["losses"].values())
    assert sum(row["entries"] for row in quality["references"]) == quality["entries"]
    assert "quality report: quality.html" in platform(*words).out

    status = platform("status", "--report", "again.html", "--save", "quality.xlsx", "--json")
    assert status.json["quality"] == quality
    with zipfile.ZipFile("quality.xlsx") as book:
        names = re.findall(r'<sheet name="([^"]+)"', book.read("xl/workbook.xml").decode())
    assert names[0] == "table"
    assert {"sources", "completeness", "conflicting values"} < {*names}


def test_a_file_that_is_no_quality_report_is_kept(platform: Platform, generated: Any) -> None:
    Path("page.html").write_text("my own page")
    for words in (("ingest", generated.papers), ("status", "--store", generated.store)):
        done = platform(*words, "--report", "page.html")
        assert (done.status, done.out) == (1, "")
        assert "page.html exists and is no quality report" in done.err
    assert Path("page.html").read_text() == "my own page"
    assert not Path("citescape.lbug").exists()


def test_the_commands_on_a_quality_report_run(platform: Platform, generated: Any) -> None:
    platform("ingest", generated.papers, "--store", "a.lbug", "--report", "a.html", "--workers", 1)
    shown = html.document_fromstring(Path("a.html").read_text(encoding="utf-8"))
    texts = (pre.text or "" for pre in shown.iter("pre"))
    lines = [line for text in texts for line in text.splitlines() if line.startswith("platform ")]
    assert len(lines) > 5
    for line in lines:
        done = platform(*shlex.split(line)[1:])
        assert done.status == 0, f"{line}: {done.err}"


def test_columns_that_are_not_read_are_named(platform: Platform) -> None:
    Path("papers.csv").write_text("id,Title,publication_year,DOI,Pages\na,On rice,2019,,1\n")
    Path("citations.csv").write_text("citing,cited,Weight\na,b,1\n")
    done = platform("ingest", "papers.csv", "citations.csv")
    assert "papers.csv: 2 columns not read: publication_year, pages\n" in done.err
    assert "citations.csv: 1 column not read: weight\n" in done.err
    assert "not read" not in platform("ingest", "papers.csv", "citations.csv").err
