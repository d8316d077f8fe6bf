"""Papers on two subjects, their triplets, and a tiny transformer."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from citescape.corpus import Corpus
from citescape.runs.context import Context
from citescape.sampling.triplets import Triplets, from_table
from citescape.store.graph_store import GraphStore, open_store
from tests.importance.conftest import insert

if TYPE_CHECKING:
    from citescape.training.session import Session

WORDS = (
    ["wheat", "barley", "rust", "yield", "field", "harvest", "grain", "straw", "soil", "drought"],
    ["galaxy", "star", "orbit", "comet", "planet", "lens", "dust", "nebula", "flare", "eclipse"],
)
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PAPERS = 24
"""Half of the papers on each subject; the last has no abstract."""
POSITIONS = 40


@dataclass(frozen=True)
class Training:
    """Inputs of a training."""

    store: GraphStore
    triplets: Triplets
    file: Path
    """The triplets as Parquet."""
    model: Path
    """A transformer with dropout."""
    still: Path
    """The same transformer without dropout."""
    runs: Path


def paper_id(paper: int) -> str:
    return f"doi:10.1/p{paper:02d}"


def papers() -> list[dict[str, object]]:
    """Titles and abstracts of several lengths; parts of abstracts for every second paper."""
    chance = np.random.default_rng(5)
    rows: list[dict[str, object]] = []
    for paper in range(PAPERS):
        words = WORDS[paper % 2]
        texts = [" ".join(chance.choice(words, size)) for size in (3, 4 + paper // 2, 3)]
        row: dict[str, object] = {"id": paper_id(paper), "title": texts[0]}
        if paper < PAPERS - 1:
            row["abstract"] = texts[1]
        if paper % 2:
            row["abstract_method"] = texts[2]
        rows.append(row)
    return rows


def triplet_table(anchors: int = 18, each: int = 5) -> pa.Table:
    """Positives share the subject of the anchor, negatives do not; the first negatives are hard."""
    chance = np.random.default_rng(7)
    rows = []
    for anchor in range(anchors):
        same = [p for p in range(anchor % 2, PAPERS, 2) if p != anchor]
        other = list(range(1 - anchor % 2, PAPERS, 2))
        near = chance.choice(same, each, replace=False)
        far = chance.choice(other, each, replace=False)
        for k in range(each):
            rows.append(
                {
                    "anchor": paper_id(anchor),
                    "positive": paper_id(near[k]),
                    "negative": paper_id(far[k]),
                    "negative_reason": "random" if k > 1 else "least important reference",
                    "split": "validation" if anchor % 6 == 5 else "train",
                }
            )
    return pa.Table.from_pylist(rows)


def write_model(folder: Path, *, dropout: float = 0.1, hidden: int = 32) -> Path:
    """A BERT of two layers with a vocabulary of the words above."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    words = [*SPECIAL, *WORDS[0], *WORDS[1], *"abcdefghijklmnopqrstuvwxyz"]
    vocabulary = {word: k for k, word in enumerate(words)}
    word_pieces = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    word_pieces.normalizer = normalizers.BertNormalizer()
    word_pieces.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    word_pieces.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=word_pieces, **dict(zip(names, SPECIAL, strict=True))
    )
    shape = BertConfig(
        vocab_size=len(words),
        hidden_size=hidden,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=2 * hidden,
        max_position_embeddings=POSITIONS,
        hidden_dropout_prob=dropout,
        attention_probs_dropout_prob=dropout,
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        BertModel(shape).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The transformer with dropout and without."""
    folder = tmp_path_factory.mktemp("models")
    return write_model(folder / "tiny"), write_model(folder / "still", dropout=0.0)


@pytest.fixture(scope="session")
def fill() -> Callable[[GraphStore], GraphStore]:
    """Loads the papers into an empty store."""
    return fill_store


def fill_store(store: GraphStore) -> GraphStore:
    insert(store, "Paper", papers())
    return store


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the papers, to be copied."""
    path = tmp_path_factory.mktemp("filled") / "corpus.lbug"
    fill_store(open_store(str(path))).close()
    return path


@pytest.fixture
def training(tmp_path: Path, filled: Path, models: tuple[Path, Path]) -> Iterator[Training]:
    """A store, triplets and models; each test has its own folder of runs."""
    store = open_store(str(shutil.copy(filled, tmp_path / "corpus.lbug")))
    table, file = triplet_table(), tmp_path / "triplets.parquet"
    pq.write_table(table, file)
    (tmp_path / "runs").mkdir()
    yield Training(store, from_table(table), file, *models, tmp_path / "runs")
    store.close()


@pytest.fixture
def corpus(training: Training) -> Corpus:
    """The same store as a `Corpus`."""
    context = Context.open(training.store.location, runs=training.runs)
    context.use(training.store)
    return Corpus(context)


def plain_triplets(*rows: tuple[int, int, int], held: int = 0) -> Triplets:
    """Triplets of papers by number; the last `held` of them are for validation."""
    roles = ("anchor", "positive", "negative")
    columns: dict[str, list[str]] = {
        role: [paper_id(row[k]) for row in rows] for k, role in enumerate(roles)
    }
    columns["split"] = ["train"] * (len(rows) - held) + ["validation"] * held
    return from_table(pa.table({name: pa.array(c, pa.string()) for name, c in columns.items()}))


@pytest.fixture
def session(tmp_path: Path) -> Session:
    from accelerate import Accelerator

    from citescape.training.session import Session

    return Session("train-1", Accelerator(cpu=True), tmp_path / "checkpoint")
