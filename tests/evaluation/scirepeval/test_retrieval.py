from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import pytrec_eval
from sklearn.metrics.pairwise import cosine_similarity, euclidean_distances

from citescape.core.errors import ConfigError, SourceError
from citescape.embeddings.paper_embeddings import PaperEmbeddings
from citescape.evaluation.scirepeval.retrieval import rank_reviewers, retrieve
from citescape.evaluation.scirepeval.tasks import SciRepEvalTask, read_tasks
from citescape.metrics.ranked import Qrels

Known = dict[str, np.ndarray]
Judged = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]


@pytest.fixture
def tasks(scirepeval: Path) -> dict[str, SciRepEvalTask]:
    return {task.name: task for task in read_tasks(scirepeval / "tasks.jsonl")}


def read(folder: Path) -> Judged:
    parts = sorted(folder.glob("test-*.parquet"))
    rows = [row for part in parts for row in pq.read_table(part).to_pylist()]
    if not rows:
        rows = [json.loads(line) for line in (folder / "test_qrel.jsonl").read_text().splitlines()]
    found: Judged = {}
    for row in rows:
        found.setdefault(row["query_id"], {})[row["cand_id"]] = row["score"]
    return found


def theirs(judged: Judged, run: Run, names: tuple[str, ...]) -> dict[str, float]:
    found = pytrec_eval.RelevanceEvaluator(judged, set(names)).evaluate(run)
    return {name: 100 * float(np.mean([found[q][name] for q in found])) for name in names}


@pytest.mark.parametrize("name", ["near", "search"])
def test_paper_retrieval_equals_trec_eval(
    tasks: dict[str, SciRepEvalTask], encoded: PaperEmbeddings, known: Known, name: str
) -> None:
    task = tasks[name]
    judged, run = read(task.data), Run()
    for query, candidates in judged.items():
        there = [paper for paper in candidates if paper in known]
        if query in known:
            apart = euclidean_distances([known[p] for p in there], [known[query]]).ravel()
            run[query] = dict(zip(there, -apart, strict=True))
    found = retrieve(task, encoded)
    expected = theirs(judged, run, task.metrics)
    assert {figure.metric: figure.value for figure in found} == pytest.approx(expected, abs=1e-9)
    left = sum(paper not in known for query in run for paper in judged[query])
    counts = {(figure.used, figure.missing, figure.missing_others) for figure in found}
    assert counts == {(len(run), len(judged) - len(run), left)}


def test_reviewer_retrieval_equals_trec_eval(
    tasks: dict[str, SciRepEvalTask], encoded: PaperEmbeddings, known: Known, scirepeval: Path
) -> None:
    task = tasks["Paper-Reviewer Matching"]
    parts = sorted((scirepeval / "reviewers").iterdir())
    written = {row["r_id"]: row["papers"] for p in parts for row in pq.read_table(p).to_pylist()}
    judged, run = read(task.data), Run()
    for query, candidates in judged.items():
        for reviewer in candidates:
            own = [known[paper] for paper in written[reviewer] if paper in known]
            if query in known and own:
                near = sorted(cosine_similarity(own, [known[query]]).ravel(), reverse=True)
                run.setdefault(query, {})[reviewer] = float(np.mean(near[:3]))
    found = retrieve(task, encoded)
    expected = theirs(judged, run, ("P_5", "P_10"))
    assert {figure.metric: figure.value for figure in found} == pytest.approx(expected, abs=1e-9)
    missing = sum(paper not in known for papers in written.values() for paper in papers)
    assert {(figure.used, figure.missing_others) for figure in found} == {(len(run), missing)}


def test_reviewers_beside_the_judgements_come_first(
    tasks: dict[str, SciRepEvalTask], encoded: PaperEmbeddings, tmp_path: Path
) -> None:
    task = tasks["Paper-Reviewer Matching"]
    (tmp_path / "test_qrel.jsonl").symlink_to(task.data / "test_qrel.jsonl")
    (tmp_path / "reviewer_metadata.jsonl").write_text('{"r_id": "r 0", "papers": ["0_p"]}\n')
    found = retrieve(replace(task, data=tmp_path), encoded)
    assert found[0].missing_others == 11  # 11 of 12 reviewers have no embedding


def test_three_papers_by_hand(encode_: PaperEmbeddings) -> None:
    """The cosines of q with a, b, c and d are 1, 0, -1 and .6."""
    qrels = Qrels.from_rows(
        pa.table({"query": ["q"] * 4, "document": list("wxyz"), "relevance": [1, 0, 0, 0]})
    )
    written = {"w": ["a", "b", "c", "d"], "x": ["c"], "y": ["none"], "z": ["a", "zero"]}
    found = rank_reviewers(qrels, written, encode_)
    scores = dict(
        zip(found.rankings.documents.to_pylist(), found.rankings.values.tolist(), strict=True)
    )
    assert scores == pytest.approx({"w": (1 + 0.6 + 0) / 3, "x": -1, "z": (1 + 0) / 2})
    assert found.left_out == 1
    assert found.covered == 8 / 9  # all but `none`


@pytest.fixture
def encode_(encode: object) -> PaperEmbeddings:
    vectors = {"q": [2, 0], "a": [1, 0], "b": [0, 5], "c": [-1, 0], "d": [3, 4], "zero": [0, 0]}
    found: PaperEmbeddings = encode(vectors)  # type: ignore[operator]
    return found


def test_an_empty_embedding_counts_as_missing(encode: object, tmp_path: Path) -> None:
    encoded = encode({"q": [1], "a": [], "b": [2]})  # type: ignore[operator]
    rows = [{"query_id": "q", "cand_id": cand, "score": int(cand == "a")} for cand in "ab"]
    (tmp_path / "test_qrel.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (found,) = retrieve(SciRepEvalTask("t", "proximity", tmp_path, ("map",)), encoded)
    assert (found.value, found.missing_others) == (0, 1)


def test_missing_files_are_refused(
    tasks: dict[str, SciRepEvalTask], encoded: PaperEmbeddings, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="metric is 'bpref'"):
        retrieve(replace(tasks["near"], metrics=("bpref",)), encoded)
    with pytest.raises(SourceError, match="test_qrel or test"):
        retrieve(replace(tasks["near"], data=tmp_path), encoded)
    matching = tasks["Paper-Reviewer Matching"]
    with pytest.raises(SourceError, match="reviewer_metadata or metadata"):
        retrieve(replace(matching, reviewers=tmp_path), encoded)
