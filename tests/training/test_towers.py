"""Towers: trained weights, initial state and encoding of texts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from citescape.core.errors import ConfigError
from citescape.core.types import Document
from citescape.encoders.documents import EncoderSettings
from citescape.encoders.saved import load_document_encoder, write_encoder_settings
from citescape.training.base import build_tower, find_base
from citescape.training.config import TrainConfig
from citescape.training.texts import Texts, read_texts
from citescape.training.towers import AdapterTower, TextTower, Tower, choose_parameters
from citescape.training.triplet_task import encode_papers
from tests.training.conftest import PAPERS, POSITIONS, Training, paper_id

CPU = torch.device("cpu")


def texts(training: Training) -> Texts:
    import pyarrow as pa

    ids = pa.array([paper_id(k) for k in range(PAPERS)])
    return read_texts(training.store, ids, training.runs)


def build(training: Training, **settings: object) -> tuple[Tower, EncoderSettings]:
    config = TrainConfig(base=str(training.model), precision="float32", **settings)  # type: ignore[arg-type]
    base = find_base(config, training.runs)
    training.runs.mkdir(exist_ok=True)
    return build_tower(base, texts(training), config, runs=training.runs)


def encode(tower: Tower, papers: object) -> np.ndarray:
    tower.module.eval()
    return encode_papers(tower, np.asarray(papers), CPU).numpy()


@pytest.mark.parametrize(("form", "pooling"), [("joined", ""), ("sep", ""), ("sep", "mean")])
@pytest.mark.parametrize("max_tokens", [512, 9])
def test_a_tower_encodes_texts_like_the_saved_encoder(
    form: str, pooling: str, max_tokens: int, training: Training
) -> None:
    tower, reads = build(training, form=form, pooling=pooling, max_tokens=max_tokens)
    assert reads.form == form
    assert reads.pooling == (pooling or {"joined": "mean", "sep": "cls"}[form])
    assert reads.max_tokens == min(max_tokens, POSITIONS)
    encoder = load_document_encoder(str(training.model), reads, precision="float32")
    expected = encoder(list(texts(training)))
    np.testing.assert_allclose(encode(tower, np.arange(PAPERS)), expected, atol=2e-6)


def test_a_vector_does_not_depend_on_the_batch(training: Training) -> None:
    """The vector is the same alone and in a padded batch."""
    tower, _ = build(training, batch_tokens=100)
    together = encode(tower, np.arange(PAPERS))
    alone = np.concatenate([encode(tower, [paper]) for paper in range(PAPERS)])
    np.testing.assert_allclose(together, alone, atol=2e-6)
    assert np.unique(together.round(4), axis=0).shape[0] == PAPERS


@pytest.mark.parametrize("tune", ["all", "adapter"])
def test_each_paper_is_encoded_once_in_a_known_order(tune: str, training: Training) -> None:
    tower, _ = build(training, tune=tune, batch_tokens=40)
    papers = np.array([3, 5, 8, 13, 21])
    passes, order = tower.inputs(papers, CPU)
    assert sorted(order.tolist()) == list(range(len(papers)))
    assert sum(len(pass_[0]) for pass_ in passes) == len(papers)
    if tune == "all":
        assert len(passes) > 1
        assert all(ids.numel() <= 40 or len(ids) == 1 for ids, _ in passes)
        assert tower.tokens(papers) == sum(int(mask.sum()) for _, mask in passes)


def test_operations_of_a_forward_pass(training: Training) -> None:
    """2 per matrix weight and token, and 4 T d per layer and token for attention."""
    tower, _ = build(training)
    papers = np.arange(4)
    lengths = [tower.tokens(papers[k : k + 1]) for k in range(4)]
    hidden, layers = 32, 2
    weights = layers * (4 * hidden * hidden + 2 * hidden * 2 * hidden)
    attention = sum(4 * length * hidden * layers * length for length in lengths)
    assert tower.flops(papers) == 2 * weights * sum(lengths) + attention


def test_bias_terms_are_a_thousandth_of_bert() -> None:
    from transformers import BertConfig, BertModel

    with torch.device("meta"):
        model = BertModel(BertConfig())
    chosen = choose_parameters(model, "bias")
    share = sum(p.numel() for p in chosen) / sum(p.numel() for p in model.parameters())
    assert 0.0007 < share < 0.0013
    names = {name for name, p in model.named_parameters() if p.requires_grad}
    assert all(name.endswith(".bias") for name in names)
    assert len(names) == len(chosen)


def test_a_pooling_layer_is_never_trained(training: Training) -> None:
    tower, _ = build(training)
    for tune in ("all", "bias"):
        choose_parameters(tower.module, tune)
        trained = [name for name, p in tower.module.named_parameters() if p.requires_grad]
        assert trained
        assert not any("pooler" in name for name in trained)
    choose_parameters(tower.module, "all")
    frozen = {name for name, p in tower.module.named_parameters() if not p.requires_grad}
    assert all("pooler" in name for name in frozen), "what was frozen learns again"


def test_an_untrained_adapter_is_the_identity(training: Training) -> None:
    tower, reads = build(training, tune="adapter")
    assert isinstance(tower, AdapterTower)
    base = load_document_encoder(str(training.model), precision="float32")
    expected = base(list(texts(training)))
    assert (encode(tower, np.arange(PAPERS)) == expected).all()
    assert reads.base == str(training.model)
    assert tower.flops(np.arange(5)) == 2 * 32 * 32 * 5


@pytest.mark.parametrize(("loss", "trained"), [("triplet", 1), ("in-batch", 1), ("softmax", 2)])
def test_an_adapter_learns_a_shift_only_where_it_changes_the_loss(loss: str, trained: int) -> None:
    tower = AdapterTower(np.eye(3))
    assert len(choose_parameters(tower.module, "adapter", loss=loss)) == trained


def test_texts_are_encoded_once_for_all_adapters(training: Training) -> None:
    build(training, tune="adapter")
    (kept,) = training.runs.glob("base-vectors-*")
    before = (kept / "run.json").read_bytes()
    build(training, tune="adapter", margin=0.3, seed=9)
    assert list(training.runs.glob("base-vectors-*")) == [kept]
    assert (kept / "run.json").read_bytes() == before
    build(training, tune="adapter", form="sep")
    assert len(list(training.runs.glob("base-vectors-*"))) == 2


@pytest.mark.parametrize("tune", ["all", "adapter"])
def test_the_saved_encoder_has_the_trained_weights(
    tune: str, training: Training, tmp_path: Path
) -> None:
    """All weights are changed before saving."""
    tower, reads = build(training, tune=tune, form="sep")
    with torch.no_grad():
        for parameter in tower.module.parameters():
            parameter.add_(torch.linspace(-0.05, 0.1, parameter.numel()).view_as(parameter))
    folder = tmp_path / "kept"
    folder.mkdir()
    tower.save(folder, reads)
    encoder = load_document_encoder(str(folder), precision="float32")
    assert (encoder.settings.form, encoder.settings.pooling) == ("sep", "cls")
    result = encoder(list(texts(training)))
    np.testing.assert_allclose(result, encode(tower, np.arange(PAPERS)), atol=2e-6)


def test_a_trained_folder_opens_in_other_libraries(training: Training, tmp_path: Path) -> None:
    """transformers and, if installed, sentence-transformers give equal vectors."""
    from transformers import AutoModel, AutoTokenizer

    tower, reads = build(training)
    folder = tmp_path / "kept"
    folder.mkdir()
    tower.save(folder, reads)
    documents = list(texts(training))
    encoder = load_document_encoder(str(folder), precision="float32")
    expected = encoder(documents)
    model = AutoModel.from_pretrained(folder).eval()
    written = [encoder.text(document) for document in documents]
    given = AutoTokenizer.from_pretrained(folder)(written, padding=True, return_tensors="pt")
    with torch.no_grad():
        states = model(**given).last_hidden_state
    weights = given["attention_mask"][..., None].float()
    pooled = (states * weights).sum(1) / weights.sum(1)
    np.testing.assert_allclose(pooled.numpy(), expected, atol=2e-6)
    assert json.loads((folder / "1_Pooling/config.json").read_text())["pooling_mode_mean_tokens"]
    library = pytest.importorskip("sentence_transformers")
    result = library.SentenceTransformer(str(folder), device="cpu")
    vectors = result.encode(written)
    np.testing.assert_allclose(vectors, expected, atol=2e-6)


@pytest.mark.parametrize(
    ("base", "message"),
    [("no/such/model", "no pretrained encoder 'no/such/model'"), ("nowhere", "'nowhere'")],
)
def test_a_missing_base_is_refused(base: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=message):
        find_base(TrainConfig(base=base), tmp_path)


def test_an_adapter_is_refused_as_base(training: Training, tmp_path: Path) -> None:
    tower, reads = build(training, tune="adapter")
    folder = tmp_path / "adapter"
    folder.mkdir()
    tower.save(folder, reads)
    with pytest.raises(ConfigError, match=f"is an adapter over {training.model}; expected"):
        find_base(TrainConfig(base=str(folder)), training.runs)


def test_a_weighted_sum_is_refused_as_base(training: Training, tmp_path: Path) -> None:
    parts = (str(training.model), str(training.still))
    settings = EncoderSettings("joined", "mean", 40, parts=parts, weights=(0.5, 0.5))
    (tmp_path / "sum").mkdir()
    write_encoder_settings(tmp_path / "sum", settings)
    with pytest.raises(ConfigError, match="is a weighted sum of 2 encoders; expected an encoder"):
        find_base(TrainConfig(base=str(tmp_path / "sum")), training.runs)


def test_dropout_is_off_outside_training(training: Training) -> None:
    tower, _ = build(training)
    assert isinstance(tower, TextTower)
    rates = {m.p for m in tower.module.modules() if isinstance(m, nn.Dropout)}
    assert rates == {0.1}
    assert (encode(tower, [1, 2]) == encode(tower, [1, 2])).all()


def test_documents_without_abstract_are_encoded(training: Training) -> None:
    tower, _ = build(training, form="joined")
    encoder = load_document_encoder(str(training.model), precision="float32")
    title = list(texts(training))[-1].title
    np.testing.assert_allclose(encode(tower, [PAPERS - 1]), encoder([Document(title)]), atol=2e-6)
