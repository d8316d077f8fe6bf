"""Output of `platform recommend`."""

from __future__ import annotations

import io
import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pybtex.database import parse_file

from citescape.recommend.drafts.marks import MARKERS
from citescape.recommend.retriever import SYSTEMS
from tests.cli.conftest import GeneratedCorpus, Outcome, Platform
from tests.embeddings.conftest import encoder  # noqa: F401 - a fixture
from tests.training.reranking.conftest import write_model

CONTEXT = "Nodulation of chickpea rotations was limited by phosphate [?]."


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of profiles, which the first test prepares."""
    return tmp_path_factory.mktemp("profiles")


@pytest.fixture
def recommend(platform: Platform, generated: GeneratedCorpus, encoder: str, runs: Path) -> Platform:  # noqa: F811
    """Runs the command with a tiny encoder, after `platform prepare`."""
    options = ("--store", generated.store, "--runs", runs, "--encoder", encoder, "--max-tokens", 32)
    if not any(runs.glob("profile-*")):
        prepared = platform("prepare", *options).out
        assert "citing sentences; " in prepared
        assert "weight of words: " in prepared
    return lambda *arguments: platform("recommend", *arguments, *options)


def test_papers_are_shown_with_reasons(recommend: Platform) -> None:
    done = recommend("--context", CONTEXT, "-k", 5)
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "“Nodulation of chickpea rotations was limited by phosphate.”"
    ranked = [line for line in lines if re.match(r" \d  ", line)]
    assert len(ranked) == 5
    assert all(len(line) <= 100 for line in lines)
    assert re.search(r"^ +— .*, similarity \d\.\d\d$", done.out, re.M)
    assert re.search(r"cited in \d+ full texts?: .*introduction \d", done.out)
    brief = recommend("--context", CONTEXT, "-k", 5, "--brief").out.splitlines()
    assert [line[:40].split()[:4] for line in brief[3:]] == [row[:40].split()[:4] for row in ranked]
    assert all(re.search(r"  \w+:\S+$", line) for line in brief[3:])
    assert recommend("--context", CONTEXT, "-k", 5, "--save", "found.csv").status == 0
    assert len(Path("found.csv").read_text().splitlines()) >= 6


def test_json_contains_everything(recommend: Platform) -> None:
    result = recommend("--context", CONTEXT, "-k", 3, "--sentences", 2, "--json").json
    assert set(result) == {
        "profiles", "encoder", "timings", "system", "k", "notes", "files", "contexts",
    }  # fmt: skip
    assert set(result["timings"]) == {"profiles", "encoder", "recommendations"}
    (request,) = result["contexts"]
    assert set(request) == {"context", "part", "papers", "notes"}
    assert [paper["rank"] for paper in request["papers"]] == [1, 2, 3]
    for paper in request["papers"]:
        assert set(paper) == {
            "rank", "work", "score", "retrieved", "cited_by", "sentences", "received",
        }  # fmt: skip
        assert set(paper["retrieved"]) == {"rank", "score", "parts"}
        assert set(paper["retrieved"]["parts"]) == {"vectors", "words"}
        assert len(paper["sentences"]) <= 2
    again = recommend("--context", CONTEXT, "-k", 3, "--sentences", 2, "--json").json
    assert again["contexts"] == result["contexts"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_systems(recommend: Platform, system: str) -> None:
    result = recommend("--context", CONTEXT, "--system", system, "--json").json
    assert len(result["contexts"][0]["papers"]) == 10
    assert result["system"] == system


def test_a_reranker_shows_retriever_ranks(recommend: Platform, tmp_path: Path) -> None:
    named = write_model(tmp_path / "cross", classifier=True)
    words = ("--context", CONTEXT, "-k", 4, "--rerank", named)
    assert re.search(r"retrieved at rank \d+: vectors -?\d\.\d\d, words", recommend(*words).out)
    reranked = [
        recommend(*words, "--weight", weight, "--json").json["contexts"][0]["papers"]
        for weight in (0, 0.5, 1)
    ]
    retrieved = recommend("--context", CONTEXT, "-k", 4, "--json").json["contexts"][0]["papers"]
    assert [paper["work"] for paper in reranked[0]] == [paper["work"] for paper in retrieved]
    assert [paper["retrieved"] for paper in reranked[0]] == [
        paper["retrieved"] for paper in retrieved
    ]
    assert reranked[0][0]["score"] == 1
    assert reranked[1] != reranked[2]


DRAFT = r"""\documentclass{article}\title{Chickpea and phosphate}
\begin{document}
\begin{abstract}We grew chickpea.\end{abstract}
\section{Introduction}
Rotations with chickpea save nitrogen \cite{}.

Phosphate limits nodulation \cite{TODO}, as rice shows \cite{known}.
\end{document}
"""


def test_a_draft_and_bibliographies(recommend: Platform) -> None:
    Path("paper.tex").write_text(DRAFT)
    done = recommend("paper.tex", "-k", 3, "--bibtex", "found", "--ris", "found.ris")
    assert (done.status, done.err) == (0, "")
    assert (
        "paper.tex:5  Introduction  \\cite{}\n“Rotations with chickpea save nitrogen.”\n"
        in done.out
    )
    assert (
        "paper.tex:7  Introduction  \\cite{TODO}\n“Phosphate limits nodulation, as rice shows.”"
        in done.out
    )
    assert done.out.endswith("\nwritten: found.bib\n\nwritten: found.ris\n")
    result = recommend("paper.tex", "-k", 3, "--json").json
    assert [(request["file"], request["line"]) for request in result["contexts"]] == [
        ("paper.tex", 5), ("paper.tex", 7),
    ]  # fmt: skip
    ids = {paper["work"]["id"] for request in result["contexts"] for paper in request["papers"]}
    assert Path("found.bib").read_text().count("@") == len(ids)
    assert Path("found.ris").read_text().count("TY  - ") == len(ids)
    refused = recommend("paper.tex", "--bibtex", "found.bib")
    assert "-o" not in refused.err
    assert (refused.status, refused.out) == (1, "")
    assert "found.bib exists" in refused.err
    forced = recommend("paper.tex", "-k", 1, "--ris", "found.ris", "--force")
    assert forced.status == 0
    assert Path("found.ris").read_text().count("TY  - ") <= 2


def test_bibliographies_hold_the_recommended_papers(recommend: Platform) -> None:
    Path("part,a.tex").write_text("Phosphate limits nodulation \\cite{TODO}.\n")
    Path("paper.tex").write_text("Rotations save nitrogen \\cite{}.\n\n\\input{part,a}\n")
    words = ("paper.tex", "-k", 3, "--bibtex", "found.bib", "--force")
    contexts = recommend(*words, "--ris", "found.ris", "--json").json["contexts"]
    entries = parse_file("found.bib").entries
    wanted: dict[str, list[str]] = {}
    for item, place in zip(contexts, ("line 1", "part;a.tex line 1"), strict=True):
        for paper in item["papers"]:
            wanted.setdefault(paper["key"], []).append(f"citescape {place}")
    assert {key: item.fields["keywords"] for key, item in entries.items()} == {
        key: ", ".join(places) for key, places in wanted.items()
    }
    assert Path("found.ris").read_text().count("KW  - ") == 6
    full, brief = recommend(*words).out, recommend(*words, "--brief").out
    for paper in contexts[0]["papers"]:
        name = f"{paper['work']['id']}, {paper['key']}"
        assert f"{name}\n" in " ".join(full.split(" "))
        assert re.search(rf"  {re.escape(name)}$", brief, re.M)
    assert "key" not in recommend("paper.tex", "--json").json["contexts"][0]["papers"][0]


def test_help_lists_all_markers(platform: Platform) -> None:
    shown = " ".join(platform("recommend", "--help").out.split())
    assert all(marker in shown for marker in (*MARKERS, "\\cite{}", "\\cite{TODO}", "\\todo{cite}"))


def test_the_title_of_the_draft_may_be_given(recommend: Platform) -> None:
    Path("paper.md").write_text("# Chickpea\n\nRotations save nitrogen [?].\n")
    own, titled = (
        recommend("paper.md", "--system", "bm25", *title, "--json").json["contexts"][0]["papers"]
        for title in ((), ("--title", "Graphite anodes of lithium cells"))
    )
    assert [paper["score"] for paper in own] != [paper["score"] for paper in titled]


def test_standard_input(recommend: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(CONTEXT + "\n"))
    assert recommend("--context", "-", "--brief").out.startswith("“Nodulation of chickpea")


def test_each_marked_place_of_a_context_is_answered(recommend: Platform) -> None:
    text = f"{CONTEXT} Known it is. Rotations save nitrogen [?, ?], as rice shows [CITE]."
    contexts = recommend("--context", text, "--json").json["contexts"]
    rotations = "Rotations save nitrogen, as rice shows."
    assert [(context["context"], context["part"]) for context in contexts] == [
        (CONTEXT.replace(" [?]", ""), ""),
        (rotations, "Rotations save nitrogen"),
        (rotations, "as rice shows."),
    ]
    assert contexts[0] == recommend("--context", CONTEXT, "--json").json["contexts"][0]


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ([], 2, "found neither a context nor a draft"),
        (["draft.md", "--context", "a"], 2, "found both a context and a draft"),
        (["--context", ""], 2, "found neither a context nor a draft"),
        (["--context", " [?] <p></p> \x07"], 1, "the context has no words: found only"),
        (["--context", "Roots", "--before", "soon"], 1, "the date is 'soon'; expected ISO"),
        (["--context", "Roots", "--before", "2019-02-30"], 1, "the date is '2019-02-30'"),
        (["--context", "Roots", "--before", "1066"], 1, "no paper is certainly older than 1066"),
        (["--context", "Roots", "-k", "0"], 2, "0 is not in the range"),
        (["--context", "Roots", "--system", "best"], 2, "'best' is not one of"),
        (["--context", "Roots", "--weight", "2"], 2, "2.0 is not in the range"),
        (["--context", "Roots", "--rerank", "best"], 1, "expected a trained reranker"),
        (["--context", "Roots", "--rerank", "rerank-0123456789ab"], 1, "expected a reranker"),
        (["--context", "Roots", "--profiles", "best"], 1, "no run 'best' in"),
        (["--context", "Roots", "--bibtex", "none/x.bib"], 1, "no folder none for x.bib"),
        (["none.md"], 1, "none.md cannot be read"),
        (["unmarked.md"], 1, "unmarked.md has no marker; expected a marker"),
        (["page.html"], 1, "page.html is a web page"),
    ],
)
def test_bad_input(recommend: Platform, arguments: list[str], status: int, message: str) -> None:
    Path("unmarked.md").write_text("Rotations save nitrogen.\n")
    Path("page.html").write_text("<!DOCTYPE html><html><p>Rotations [?].</p></html>")
    done = recommend(*arguments)
    assert done.status == status
    assert message in done.err
    assert done.err.count("\n") == 1
    assert done.out == ""


def test_notes_on_unusual_input(recommend: Platform) -> None:
    noted: Callable[..., list[str]] = lambda *words: recommend(*words, "--json").json["contexts"][  # noqa: E731
        0
    ]["notes"]
    assert noted("--context", CONTEXT) == []
    (german,) = noted("--context", "Die Wurzeln der Kichererbse brauchen viel Stickstoff.")
    assert german.endswith("is it in the language of the papers?")
    (future,) = noted("--context", CONTEXT, "--before", "2999")
    assert future == "2999 is in the future: works of any date are older"
    (long,) = noted("--context", "Chickpea rotations soil. " * 2000)
    assert long.startswith("the context has 49,999 characters; the first")
    html = recommend("--context", f"<p>{CONTEXT}</p>\x00", "--json").json["contexts"][0]
    assert html["context"] == CONTEXT.replace(" [?]", "")
    assert html["papers"] == recommend("--context", CONTEXT, "--json").json["contexts"][0]["papers"]


def test_profiles_of_another_encoder_or_state(
    platform: Platform,
    recommend: Platform,
    generated: GeneratedCorpus,
    encoder: str,  # noqa: F811
    runs: Path,
) -> None:
    run = recommend("--context", CONTEXT, "--json").json["profiles"]
    where = ("--store", generated.store, "--runs", runs, "--profiles", run)
    result = platform("recommend", "--context", CONTEXT, *where, "--json").json
    assert (result["profiles"], result["notes"]) == (run, [])
    shutil.copytree(encoder, "other")
    config = json.loads(Path("other/config.json").read_text())
    Path("other/config.json").write_text(json.dumps(config | {"layer_norm_eps": 1e-6}))
    refused = platform("recommend", "--context", CONTEXT, *where, "--encoder", "other")
    assert (refused.status, refused.out) == (1, "")
    assert f"profiles {run} are of the encoder" in refused.err
    assert refused.err.count("\n") == 1


def test_a_store_without_full_texts(platform: Platform, encoder: str) -> None:  # noqa: F811
    import citescape

    citescape.open("empty.lbug", create=True).close()
    options = ("--store", "empty.lbug", "--encoder", encoder)
    done: Outcome = platform("recommend", "--context", CONTEXT, *options)
    assert (done.status, done.out) == (1, "")
    assert "empty.lbug holds no sentence that cites a known work; expected full texts" in done.err
    assert not [*Path("runs").glob("*")]


def test_profiles_of_an_earlier_state_give_a_note(
    platform: Platform, recommend: Platform, generated: GeneratedCorpus, runs: Path, tmp_path: Path
) -> None:
    import citescape

    run: Any = recommend("--context", CONTEXT, "--json").json["profiles"]
    shutil.copy(generated.store, "own.lbug")
    with citescape.open("own.lbug") as corpus:
        corpus.cypher("MATCH (p:Paper) WHERE p.fulltext SET p.title = 'Roots'", write=True)
    options = ("--context", CONTEXT, "--store", "own.lbug", "--runs", runs)
    (note,) = platform("recommend", *options, "--profiles", run, "--json").json["notes"]
    assert note == f"{run} are profiles of another state of own.lbug"
