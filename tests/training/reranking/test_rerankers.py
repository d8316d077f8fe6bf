"""Rerankers by name: own rerankers score as in training, others as in transformers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tokenizers import processors
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    XLMRobertaConfig,
    XLMRobertaForSequenceClassification,
)

from citescape.core.errors import ConfigError
from citescape.search.ranker import NONE
from citescape.training.reranking.config import ABLATIONS
from citescape.training.reranking.kept import RerankerRun, hash_reranker
from citescape.training.reranking.rerankers import open_reranker
from citescape.training.reranking.scoring import compute_mrr
from citescape.training.reranking.shortlists import Shortlists, reorder
from citescape.training.reranking.train import train_reranker
from tests.training.reranking.conftest import configure, find_ranks, plant, write_model


@pytest.fixture(scope="module")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("models") / "classifier", classifier=1)


def make_short_lists(queries: int = 5) -> Shortlists:
    """Lists with different numbers of candidates, one without any."""
    lists = plant(queries)
    papers = lists.papers.copy()
    papers[1, 3:], papers[2] = NONE, NONE
    return Shortlists(lists.queries, lists.candidates, papers, lists.scores)


@pytest.mark.parametrize("kind", ["davinci", "cross-encoder"])
def test_a_reranker_scores_as_in_its_last_validation(
    kind: str, trained: RerankerRun, model: Path
) -> None:
    runs, held = trained.path.parent, plant(60, seed=2)
    if kind != "davinci":
        config = configure(model, kind=kind, epochs=1)
        trained = train_reranker(plant(60, seed=1), held, config, runs=runs)
    reranker = open_reranker(trained.run, runs, precision="float32")
    scores = reranker.score(held)
    assert compute_mrr(reorder(held, scores)) == pytest.approx(trained.after["mrr"], abs=1e-12)
    assert ((scores > 0) & (scores < 1)).all()
    messages = reranker.describe()
    assert (messages["kind"], messages["max_tokens"], messages["k"]) == (kind, 32, 300)
    by_folder = open_reranker(str(trained.path), Path("elsewhere"), precision="float32")
    np.testing.assert_array_equal(by_folder.score(held), scores)
    assert by_folder.describe() == messages


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_a_score_does_not_depend_on_the_batch(precision: str, trained: RerankerRun) -> None:
    lists = plant(40, seed=5)
    reranker = open_reranker(trained.run, trained.path.parent, precision=precision)
    whole = reranker.score(lists)
    rows = np.array([31, 2])
    np.testing.assert_allclose(reranker.score(lists.select_rows(rows)), whole[rows], atol=1e-6)


@pytest.mark.parametrize("ablation", sorted(ABLATIONS))
def test_a_score_does_not_depend_on_the_depth(ablation: str, model: Path, tmp_path: Path) -> None:
    """Candidates beyond those of the training do not matter either."""
    config = configure(model, ablation=ablation, epochs=1, k=5)
    run = train_reranker(plant(16, seed=1), plant(6, seed=2), config, runs=tmp_path)
    reranker, held = open_reranker(run.run, tmp_path, precision="float32"), plant(6, seed=7)
    whole = reranker.score(held)
    for lists, depth in ((held, 3), (held.cut(5), 3), (held.cut(5), 0)):
        result = reranker.score(lists, depth)
        np.testing.assert_allclose(result, whole[:, : depth or lists.k], atol=1e-6)


def test_a_reranker_saves_whether_it_reads_abstracts(
    trained: RerankerRun, model: Path, tmp_path: Path
) -> None:
    runs = trained.path.parent
    config = configure(model, abstracts=True, epochs=1)
    run = train_reranker(plant(16, seed=1), plant(6, seed=2), config, runs=tmp_path)
    reranker = open_reranker(run.run, tmp_path)
    assert (reranker.abstracts, open_reranker(trained.run, runs).abstracts) == (True, False)
    assert reranker.describe()["abstracts"] is True
    settings = run.path / "reranker.json"
    saved = json.loads(settings.read_text())
    del saved["abstracts"]  # format of the first rerankers
    settings.write_text(json.dumps(saved))
    assert open_reranker(run.run, tmp_path).abstracts is False


FUSED = {"system": "fused", "word_weight": 0.2}
OTHERS = ({"system": "fused", "word_weight": 0.5}, {"system": "bm25", "word_weight": None})


@pytest.mark.parametrize(
    ("ablation", "refused"),
    [
        ("none", ("system",)),
        ("raw", ("word_weight", "system")),
        ("softmax", ("word_weight", "system")),
    ],
)
def test_lists_of_another_retriever_are_refused(
    ablation: str, refused: tuple[str, ...], trained: RerankerRun, tmp_path: Path
) -> None:
    """Signals from ranks depend on the system, signals from scores also on the weight of words."""
    copied = shutil.copytree(trained.path, tmp_path / "copied")
    settings = copied / "reranker.json"
    messages = json.loads(settings.read_text())
    settings.write_text(json.dumps({**messages, "ablation": ablation}))
    for other in OTHERS:  # format of the first rerankers and of own lists
        open_reranker(str(copied), tmp_path).check_retriever(other)
    settings.write_text(json.dumps({**messages, "ablation": ablation, "retriever": FUSED}))
    reranker = open_reranker(str(copied), tmp_path)
    reranker.check_retriever(FUSED)
    for name, other in zip(("word_weight", "system"), OTHERS, strict=True):
        if name in refused:
            message = (
                f"a retriever with --{name.replace('_', '-')} {FUSED[name]}; found {other[name]}"
            )
            with pytest.raises(ConfigError, match=message):
                reranker.check_retriever(other)
        else:
            reranker.check_retriever(other)


def test_a_reranker_without_retriever_orders_any_list(
    model: Path, classifier: Path, tmp_path: Path
) -> None:
    lists = plant(16, seed=1), plant(6, seed=2)
    config = configure(model, ablation="semantics", epochs=1)
    run = train_reranker(*lists, config, runs=tmp_path, retriever=FUSED)
    assert json.loads((run.path / "reranker.json").read_text())["retriever"] == FUSED
    assert json.loads(run.record.inputs["retriever"]) == FUSED
    for named in (run.run, str(classifier)):
        for other in OTHERS:
            open_reranker(named, tmp_path).check_retriever(other)


@pytest.mark.parametrize("file", ["model.safetensors", "heads.safetensors", "reranker.json"])
def test_the_hash_depends_on_all_files_of_the_model(
    file: str, trained: RerankerRun, tmp_path: Path
) -> None:
    copied = shutil.copytree(trained.path, tmp_path / "copied")
    assert hash_reranker(str(copied)) == hash_reranker(str(trained.path))
    (copied / file).write_bytes((copied / file).read_bytes() + b" ")
    assert hash_reranker(str(copied)) != hash_reranker(str(trained.path))


def test_evaluation_adds_no_cited_papers(trained: RerankerRun) -> None:
    """Papers that were not retrieved are not found; recall at k is that of the retriever."""
    lists = plant(40, seed=6, missed=15)
    reranker = open_reranker(trained.run, trained.path.parent, precision="float32")
    result = reorder(lists, reranker.score(lists))
    recall = np.mean([rank <= lists.k for rank in find_ranks(lists)])
    assert recall == 25 / 40
    assert np.mean([rank <= result.k for rank in find_ranks(result)]) == recall
    assert compute_mrr(result) <= recall


def test_a_cross_encoder_scores_like_transformers(classifier: Path) -> None:
    lists = make_short_lists()
    reranker = open_reranker(str(classifier), Path("runs"), precision="float32")
    scores = reranker.score(lists)
    model = AutoModelForSequenceClassification.from_pretrained(classifier).eval()
    tokenizer = AutoTokenizer.from_pretrained(classifier)
    for row in range(len(lists)):
        codes = [code for code in lists.papers[row].tolist() if code != NONE]
        assert np.isneginf(scores[row, len(codes) :]).all()
        if codes:
            texts = [lists.queries[row]] * len(codes), [lists.candidates[c] for c in codes]
            with torch.inference_mode():
                messages = model(**tokenizer(*texts, padding=True, return_tensors="pt"))
            expected = messages.logits[:, 0].numpy()
            np.testing.assert_allclose(scores[row, : len(codes)], expected, atol=1e-6)
    assert np.isfinite(scores).sum() == lists.filled.sum()


def test_a_roberta_cross_encoder_scores_like_transformers(classifier: Path, tmp_path: Path) -> None:
    """RoBERTa, like most multilingual rerankers, has two separators and no token types.

    Its positions start after that of padding.
    """
    names = ["input_ids", "attention_mask"]
    tokenizer = AutoTokenizer.from_pretrained(classifier, model_input_names=names)
    tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] [SEP] $B [SEP]",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.save_pretrained(tmp_path)
    shape = XLMRobertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=42,
        pad_token_id=0,
        num_labels=1,
    )
    XLMRobertaForSequenceClassification(shape).save_pretrained(tmp_path)
    model = AutoModelForSequenceClassification.from_pretrained(tmp_path).eval()
    lists = plant(1)
    reranker = open_reranker(str(tmp_path), Path("runs"), precision="float32")
    texts = lists.queries * lists.k, [lists.candidates[code] for code in lists.papers[0]]
    with torch.inference_mode():
        messages = model(**tokenizer(*texts, padding=True, return_tensors="pt"))
    np.testing.assert_allclose(reranker.score(lists)[0], messages.logits[:, 0].numpy(), atol=1e-6)
    assert reranker.describe()["max_tokens"] == 41
    long = Shortlists(
        ["wheat " * 90], ["rust " * 90], lists.papers[:, :1] * 0, lists.scores[:1, :1]
    )
    assert np.isfinite(reranker.score(long)).all()


def test_too_long_texts_are_truncated(classifier: Path) -> None:
    """Texts longer than the positions of the model and empty texts are scored."""
    long = " ".join(["wheat"] * 500)
    papers = np.array([[0, 1]], np.int32)
    lists = Shortlists([long], [long, ""], papers, np.array([[0.2, 0.1]], np.float32))
    reranker = open_reranker(str(classifier), Path("runs"), precision="float32")
    assert np.isfinite(reranker.score(lists)).all()
    assert reranker.describe()["max_tokens"] == 40


def test_other_models_are_refused(model: Path, trained: RerankerRun, tmp_path: Path) -> None:
    runs = trained.path.parent
    other = runs / "train-0123456789ab"
    other.mkdir(exist_ok=True)
    record = json.loads((trained.path / "run.json").read_text())
    (other / "run.json").write_text(json.dumps({**record, "command": "train"}))
    two = write_model(tmp_path / "two", classifier=3)
    headless = shutil.copytree(model, tmp_path / "headless")
    messages = json.loads((headless / "config.json").read_text())
    messages["architectures"] = ["BertForSequenceClassification"]
    (headless / "config.json").write_text(json.dumps(messages))
    cases = {
        str(model): r"is an encoder \(BertModel\), not a reranker; expected a reranker: one of",
        str(headless): "its weights lack",
        str(two): "gives 3 logits; expected a cross-encoder",
        str(tmp_path / "gone"): "is no model: it is not in .* expected a reranker: one of",
        "rerank-0123456789ab": "is not in .*; expected a reranker: .*" + trained.run,
        other.name: "is a run of `platform train`; expected a reranker",
    }
    for name, message in cases.items():
        with pytest.raises(ConfigError, match=message):
            open_reranker(name, runs)


@pytest.mark.parametrize(
    ("file", "change", "message"),
    [
        ("heads.safetensors", lambda path: path.unlink(), "expected the weights of a davinci"),
        (
            "heads.safetensors",
            lambda path: path.write_bytes(b"cut"),
            "expected the weights of a davinci",
        ),
        ("reranker.json", lambda path: path.write_text("{"), "expected kind, ablation, hidden"),
        (
            "reranker.json",
            lambda path: path.write_text(path.read_text().replace("16", "8")),
            "expected the weights of a davinci",
        ),
        ("model.safetensors", lambda path: path.write_bytes(b"cut"), "no pretrained encoder"),
    ],
)
def test_a_damaged_reranker_is_refused(
    file: str, change: Any, message: str, trained: RerankerRun, tmp_path: Path
) -> None:
    copied = shutil.copytree(trained.path, tmp_path / "copied")
    change(copied / file)
    with pytest.raises(ConfigError, match=message):
        open_reranker(str(copied), tmp_path)
