"""Queries about one of several subjects, uninformative shortlists, and a tiny transformer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from citescape.training.reranking.config import RerankConfig
from citescape.training.reranking.kept import RerankerRun
from citescape.training.reranking.shortlists import Shortlists
from citescape.training.reranking.vectors import PairVectors

SUBJECTS = ["wheat", "barley", "rust", "galaxy", "star", "orbit"]
FILLERS = ["yield", "field", "harvest", "grain", "straw", "soil", "comet", "planet", "lens", "dust"]
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
POSITIONS = 40


def write_model(folder: Path, *, classifier: int = 0, hidden: int = 32) -> Path:
    """A BERT of one layer for pairs with a token per word, and `classifier` logits, if any."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import (
        BertConfig,
        BertForSequenceClassification,
        BertModel,
        PreTrainedTokenizerFast,
    )

    words = [*SPECIAL, *SUBJECTS, *FILLERS]
    word_level = Tokenizer(models.WordLevel({w: k for k, w in enumerate(words)}, unk_token="[UNK]"))
    word_level.pre_tokenizer = pre_tokenizers.Whitespace()
    word_level.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    names = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=word_level, **dict(zip(names, SPECIAL, strict=True))
    )
    shape = BertConfig(
        vocab_size=len(words),
        hidden_size=hidden,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=2 * hidden,
        max_position_embeddings=POSITIONS,
        num_labels=classifier or 2,
        initializer_range=0.2,
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        kind = BertForSequenceClassification if classifier else BertModel
        kind(shape).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("models") / "pairs")


def plant(
    queries: int = 48, *, k: int = 8, seed: int = 3, missed: int = 0, shuffled: bool = False
) -> Shortlists:
    """Each query cites the retrieved paper with its subject, at a random rank.

    Scores decrease with rank. For the first `missed` queries that paper was not retrieved. With
    `shuffled` a random paper of the list is cited.
    """
    chance = np.random.default_rng(seed)
    queried, candidates, papers, relevant = [], [], [], []
    for query in range(queries):
        subject = int(chance.integers(len(SUBJECTS)))
        others = [s for s in range(len(SUBJECTS)) if s != subject]
        about = [subject, *chance.choice(others, k - 1)]
        codes = len(candidates) + chance.permutation(k)
        texts = [""] * k
        for code, subject_of_text in zip(codes, about, strict=True):
            texts[code - len(candidates)] = _write(chance, subject_of_text)
        queried.append(_write(chance, subject) + " " + _write(chance, subject))
        result = np.sort(codes)
        cited = int(codes[0]) if not shuffled else int(chance.choice(codes))
        candidates += texts
        papers.append(np.where(result == cited, -1, result) if query < missed else result)
        relevant.append(cited)
    rows = np.array([np.append(row[row >= 0], row[row < 0]) for row in papers], np.int32)
    scores = np.tile(np.linspace(0.9, 0.5, k, dtype=np.float32), (queries, 1))
    return Shortlists(
        queried, candidates, rows, scores, np.array(relevant, np.int32), np.arange(queries + 1)
    )


def vectorise(lists: Shortlists, encoder: str = "e" * 64) -> Shortlists:
    """The same lists with vectors: word counts of texts, and zeros for the query papers."""
    words = [*SUBJECTS, *FILLERS]
    queries, candidates = (
        np.array([[text.split().count(word) for word in words] for text in texts], np.float32)
        for texts in (lists.queries, lists.candidates)
    )
    own = np.stack([queries, np.zeros_like(queries)], 1)
    return replace(lists, vectors=PairVectors(own, candidates, encoder))


def configure_vectors(**settings: Any) -> RerankConfig:
    """Settings for rerankers of vectors."""
    plain = {"precision": "float32", "threads": 1, "hidden": 16, "dropout": 0.0, "batch": 8}
    return RerankConfig(
        **{"kind": "vectors", **plain, "epochs": 5, "learning_rate": 3e-3, **settings}
    )


def _write(chance: np.random.Generator, subject: int) -> str:
    words = [SUBJECTS[subject], *chance.choice(FILLERS, int(chance.integers(1, 4)))]
    return " ".join(words)


def configure(model: Path, **settings: Any) -> RerankConfig:
    """Small and fast settings; the published settings learn slowly."""
    plain: dict[str, Any] = {"base": str(model), "precision": "float32", "threads": 1}
    plain |= {
        "hidden": 16,
        "max_tokens": 32,
        "dropout": 0.0,
        "negatives": 3,
        "epochs": 5,
        "batch": 8,
    }
    if settings.get("kind") == "cross-encoder":
        del plain["hidden"]
    return RerankConfig(**{**plain, "learning_rate": 3e-3, "accumulation": 1, **settings})


@pytest.fixture(scope="session")
def trained(model: Path, tmp_path_factory: pytest.TempPathFactory) -> RerankerRun:
    """A reranker that has learned to match subjects."""
    from citescape.training.reranking.train import train_reranker

    runs = tmp_path_factory.mktemp("trained") / "runs"
    return train_reranker(
        plant(500, seed=1, missed=5), plant(60, seed=2), configure(model), runs=runs
    )


def find_ranks(lists: Shortlists) -> list[int]:
    """(relevant,) rank of each cited paper, from 1; k + 1 if it was not retrieved."""
    ranks = []
    for owner, code in zip(lists.owners.tolist(), lists.relevant.tolist(), strict=True):
        listed = lists.papers[owner].tolist()
        ranks.append(listed.index(code) + 1 if code in listed else lists.k + 1)
    return ranks
