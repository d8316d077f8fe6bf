"""Output of `platform score` and `platform explain`."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import citescape
from citescape.core.errors import ConfigError
from citescape.importance.components import PRESETS
from tests.importance.labels import LabelSettings, make_records, write_labels

Platform = Callable[..., Any]


def test_score_reports_omitted_citations_and_its_run(platform: Platform, generated: Any) -> None:
    """The run is stored beside the store, in any working directory."""
    Path("sub").mkdir()
    shutil.copy(generated.store, "sub/mine.lbug")
    shown = platform("score", "--store", "sub/mine.lbug", "--features", "I,S").out
    text = "MATCH (s:Section)-[:CONTAINS]->(:Occurrence) RETURN s.type AS type, count(*) AS n"
    rows = platform("cypher", text, "--store", "sub/mine.lbug", "--json").json
    counts = {row["type"]: row["n"] for row in rows}
    outside = sum(n for type_, n in counts.items() if type_ != "I")
    assert f"{outside:,} of {sum(counts.values()):,} citations in the text are in" in shown
    assert f"{counts['R']:,} R" in shown
    (run,) = Path("sub/runs").iterdir()
    assert f"run {run.name} is stored in sub/runs/{run.name}" in shown
    assert not Path("runs").exists()
    every = ("--features", "I,M,R,D,other", "--store", "sub/mine.lbug")
    assert "leaves out" not in platform("score", *every).out
    status = platform("status", "--store", "sub/mine.lbug")
    lines = [line for line in status.out.splitlines() if line.startswith("score-")]
    assert len(lines) == 3
    assert [line.endswith("its scores are in the graph") for line in lines] == [True, False, False]


def test_explain_marks_uncounted_mentions_and_never_cuts_ids(
    run_on_store: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        "MATCH (a:Paper)-[c:CITES]->(b:Paper) WHERE c.f_M > 0 "
        "RETURN a.id AS citing, b.id AS cited ORDER BY citing, cited LIMIT 1"
    )
    pair = run_on_store("cypher", "--json", text).json[0]
    monkeypatch.setenv("COLUMNS", "50")
    shown = run_on_store("explain", pair["citing"], pair["cited"]).out
    assert pair["citing"] in shown
    assert pair["cited"] in shown
    assert max(map(len, shown.splitlines())) <= 50
    mentions = run_on_store("explain", pair["citing"], pair["cited"], "--json").json["occurrences"]
    assert {mention["type"] for mention in mentions if not mention["counts_in"]} <= {"M", "other"}
    assert " ".join(shown.split()).count("not counted in this score") == sum(
        not mention["counts_in"] for mention in mentions
    )


@pytest.fixture(scope="module")
def label_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Labelled citations in the format of SciCite."""
    records = make_records(LabelSettings(papers=20, works=6))
    return write_labels(tmp_path_factory.mktemp("labels") / "labels.jsonl", records)


def test_help_on_labels_teaches(platform: Platform) -> None:
    for words in (("importance", "train"), ("evaluate", "importance")):
        done = platform(*words, "--help", "--all")
        assert done.status == 0, done.err
        text = " ".join(done.out.split())
        assert f"platform {' '.join(words)} --labels scicite/train.jsonl" in text
        for format_ in ("citing, cited, label", "Valenzuela", "SciCite", "ACL-ARC", "3C", "S2AG"):
            assert format_ in text
    shown = " ".join(platform("importance", "train", "--help").out.split())
    for words in ("--kind", "--folds", "--mentions", "not seen", "score --weights learned:RUN"):
        assert words in shown
    assert "importance train" in platform("importance", "--help").out or "train" in shown
    assert "learned:RUN" in platform("score", "--help").out


def read_json(done: Any) -> Any:
    """The JSON of a command; NaN and infinity are not JSON."""
    assert done.status == 0, done.err

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} in JSON")

    return json.loads(done.out.splitlines()[-1], parse_constant=refuse)


def test_labels_to_learned_scores_and_back(
    platform: Platform, generated: Any, label_file: Path
) -> None:
    shutil.copy(generated.store, "mine.lbug")
    at = ("--store", "mine.lbug")
    options = ("--labels", label_file, "--folds", 2, "--kind", "linear", *at)
    trained = read_json(platform("importance", "train", *options, "--json"))
    assert trained["citations"] == 20 * 6
    shown = platform("importance", "train", *options).out
    assert f"platform score --weights learned:{trained['run']} --store mine.lbug" in shown
    assert "held-out citing papers, 2 folds:" in shown
    assert "(unchanged)" in shown

    model = ("--model", trained["run"])
    evaluated = read_json(
        platform("evaluate", "importance", "--labels", label_file, *model, *at, "--json")
    )
    names = {row["score"] for row in evaluated["agreement"]}
    assert {"mentions", "uniform weights", f"learned: {trained['run']}"} <= names
    shown = platform("evaluate", "importance", "--labels", label_file, *model, *at).out
    assert "lead over mentions" in shown
    assert "nan" not in shown.lower()

    learned = ("--weights", f"learned:{trained['run']}")
    scored = read_json(platform("score", *learned, *at, "--json"))
    text = (
        "MATCH (a:Paper)-[c:CITES]->(b:Paper) WHERE c.mentions > 0 "
        "RETURN a.id AS citing, b.id AS cited, c.importance AS score ORDER BY citing, cited LIMIT 1"
    )
    (pair,) = platform("cypher", text, *at, "--json").json
    explained = read_json(platform("explain", pair["citing"], pair["cited"], *at, "--json"))
    assert math.fsum(term["product"] for term in explained["terms"]) == pair["score"]
    assert explained["run"] == scored["run"]
    shown = platform("explain", pair["citing"], pair["cited"], *at).out
    assert "importance of an average citation" in shown
    assert "adds" in shown
    assert "weight" not in shown.splitlines()[4]
    for words in (("status",), ("runs",), ("runs", trained["run"]), ("runs", scored["run"])):
        done = platform(*words, *at)
        assert done.status == 0, done.err
        assert max(map(len, done.out.splitlines())) < 2_000, words
    assert read_json(platform("score", *at, "--json"))["run"] != scored["run"]


def test_errors_about_labels_are_one_line(platform: Platform, label_file: Path) -> None:
    Path("broken.jsonl").write_text(label_file.read_text() + "{}\n")
    Path("other.csv").write_text("id,doi\n1,2\n")
    for options, found in (
        (("--labels", "broken.jsonl"), r"broken.jsonl: line"),
        (("--labels", "other.csv"), "expected labelled citations in one of the formats"),
        (("--labels", "none.csv"), "none.csv"),
        ((), "expected --labels FILE"),
        (("--labels", label_file, "--folds", 20), "expected at least 200 of each"),
    ):
        for words in (("importance", "train"), ("evaluate", "importance")):
            if "--folds" in options and words[0] == "evaluate":
                continue
            done = platform(*words, *options)
            assert done.status in (1, 2), (words, options)
            assert found in done.err
            assert len(done.err.splitlines()) == 1
    assert not list(Path("runs").glob("*"))


def test_scores_and_reasons_state_the_question(
    generated: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    runs = tmp_path_factory.mktemp("runs")
    store = runs.parent / "presets.lbug"
    store.write_bytes(generated.store.read_bytes())
    with citescape.open(store, runs=runs) as corpus:
        text = str(corpus.score(preset="used"))
        assert PRESETS["used"].question in " ".join(text.split())
        pair = "MATCH (a:Paper)-[c:CITES]->(b) WHERE c.f_M > 0 RETURN a.id AS a, b.id AS b LIMIT 1"
        (row,) = corpus.cypher(pair).arrow.to_pylist()
        explanation = corpus.explain(row["a"], row["b"])
        assert explanation.question == PRESETS["used"].question
        assert [term.component for term in explanation.terms] == ["M", "R"]


def test_weights_come_from_some_types_of_papers(
    generated: Any,
) -> None:
    with citescape.open(generated.store, runs=generated.runs) as corpus:
        some = corpus.evaluate.weights(types=("research",))
        every = corpus.evaluate.weights(types=("all",))
        assert 0 < some.weighed <= every.weighed == every.pairs
        with pytest.raises(ConfigError, match="no paper has the type 'poem'"):
            corpus.evaluate.weights(types=("poem",))


def test_a_corpus_is_compared_with_itself_and_with_other_choices(
    generated: Any,
) -> None:
    with citescape.open(generated.store, runs=generated.runs) as corpus:
        run = corpus.evaluate.stability(draws=50, ranked_draws=3)
        rows = {row["choice"]: row for row in run.arrow.to_pylist()}
        assert rows["this score"]["tau"] == pytest.approx(1)
        assert {"uniform weights", "without self-citation", "number of mentions"} < set(rows)
        assert (
            rows["self-citation by names only"]["self_citations"]
            >= (rows["self-citation by sure evidence only"]["self_citations"])
        )
        for row in run.weights.to_pylist():
            assert row["low"] <= row["weight"] <= row["high"]
        assert corpus.evaluate.stability(draws=50, ranked_draws=3).unchanged
        for other in (
            {"weights": "uniform"},
            {"seed": 1},
            {"types": ("all",)},
            {"features": "I,R"},
        ):
            again = corpus.evaluate.stability(**{"draws": 50, "ranked_draws": 3, **other})
            assert again.run != run.run


def test_weights_that_do_not_depend_on_papers_are_refused(generated: Any) -> None:
    with (
        citescape.open(generated.store, runs=generated.runs) as corpus,
        pytest.raises(ConfigError, match="expected one of: entropy, uniform"),
    ):
        corpus.evaluate.stability(weights="I=1,R=1,D=1,S=1")


def test_papers_of_another_type_give_another_run(generated: Any, tmp_path: Path) -> None:
    """The weights change, although no count of a pair does."""
    store = tmp_path / "typed.lbug"
    shutil.copy(generated.store, store)
    with citescape.open(store, runs=tmp_path / "runs") as corpus:
        before = corpus.score()
        corpus.cypher(
            "MATCH (p:Paper)-[:CITES]->() WITH min(p.id) AS first "
            "MATCH (p:Paper {id: first}) SET p.type = 'review-article'",
            write=True,
        )
        after = corpus.score()
        assert after.run != before.run
        assert after.weighed < before.weighed == before.pairs
        assert corpus.score().run == after.run
