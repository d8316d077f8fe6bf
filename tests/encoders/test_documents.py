"""Vectors of titles and abstracts: forms, missing texts, padding and pooling."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from citescape.core.errors import ConfigError
from citescape.core.types import Document
from citescape.encoders.documents import (
    FORMS,
    Adapter,
    DocumentEncoder,
    EncoderSettings,
    document_text,
)
from citescape.encoders.saved import load_document_encoder

PAPERS = [
    Document("Rice", "We measured yields under drought, salt and heat. " * 3),
    Document("Wheat in dry soils"),
    Document("", "An abstract alone."),
    Document("Maize", "Short."),
]


@pytest.fixture(params=sorted(FORMS))
def encoder(request: pytest.FixtureRequest, folder: Path) -> DocumentEncoder:
    settings = EncoderSettings(request.param, FORMS[request.param])
    return load_document_encoder(str(folder), settings, precision="float32")


def test_each_form_gives_one_text() -> None:
    whole, title, abstract = Document("A  title", "An\nabstract."), PAPERS[1], PAPERS[2]
    assert document_text(whole, "sep", "[SEP]") == "A title[SEP]An abstract."
    assert document_text(title, "sep", "[SEP]") == "Wheat in dry soils[SEP]"
    assert document_text(whole, "joined", "") == "A title An abstract."
    assert document_text(title, "joined", "") == "Wheat in dry soils"
    for form in FORMS:
        assert document_text(abstract, form, "[SEP]") == "An abstract alone."
        with pytest.raises(ConfigError, match="without title and abstract"):
            document_text(Document(" ", ""), form, "[SEP]")


def test_the_separator_is_a_token_of_its_own(folder: Path) -> None:
    encoder = load_document_encoder(str(folder), EncoderSettings("sep", "cls"))
    ids = encoder.encoder.tokenizer(encoder.text(Document("rice", "wheat")))["input_ids"]
    tokens = encoder.encoder.tokenizer.convert_ids_to_tokens(ids)
    assert tokens == ["[CLS]", "rice", "[SEP]", "wheat", "[SEP]"]
    empty = encoder.encoder.tokenizer(encoder.text(Document("rice")))["input_ids"]
    tokens = encoder.encoder.tokenizer.convert_ids_to_tokens(empty)
    assert tokens == ["[CLS]", "rice", "[SEP]", "[SEP]"]


def test_the_vector_of_a_paper_does_not_depend_on_the_batch(encoder: DocumentEncoder) -> None:
    together = encoder(PAPERS)
    assert together.shape == (4, 16)
    for paper, vector in zip(PAPERS, together, strict=True):
        assert encoder([paper])[0] == pytest.approx(vector, abs=1e-6)
    assert encoder(PAPERS[::-1])[::-1] == pytest.approx(together, abs=1e-6)


def test_pooling_uses_the_last_layer_without_normalisation(folder: Path) -> None:
    for form in FORMS:
        encoder = load_document_encoder(
            str(folder), EncoderSettings(form, FORMS[form]), precision="float32"
        )
        ids = encoder.encoder.tokenizer(encoder.text(PAPERS[0]), truncation=True, max_length=64)
        with torch.inference_mode():
            states = encoder.encoder.model(
                input_ids=torch.tensor([ids["input_ids"]])
            ).last_hidden_state[0]
        expected = states[0] if form == "sep" else states.mean(0)
        assert encoder([PAPERS[0]])[0] == pytest.approx(expected.numpy(), abs=1e-5)
        assert abs(np.linalg.norm(expected) - 1) > 0.1


def test_pooling_may_differ_from_the_default_of_the_form(folder: Path) -> None:
    first, mean = (
        load_document_encoder(str(folder), EncoderSettings("joined", pooling))(PAPERS)
        for pooling in ("cls", "mean")
    )
    assert np.abs(first - mean).max() > 1e-3


def test_longer_papers_are_cut_at_max_tokens(folder: Path) -> None:
    encoder = load_document_encoder(str(folder), EncoderSettings("joined", "mean", max_tokens=8))
    long, cut = (Document("rice " * times) for times in (50, 6))
    assert encoder([long])[0] == pytest.approx(encoder([cut])[0], abs=1e-6)
    assert encoder.encode([encoder.text(long)]).tokens == 8


def test_an_adapter_is_a_linear_map(folder: Path) -> None:
    chance = np.random.default_rng(0)
    adapter = Adapter(
        chance.normal(size=(5, 16)).astype(np.float32), chance.normal(size=5).astype(np.float32)
    )
    plain = load_document_encoder(str(folder))
    mapped = DocumentEncoder(plain.encoder, plain.settings, adapter)
    assert mapped.dimensions == 5
    expected = [adapter.weight @ vector + adapter.bias for vector in plain(PAPERS)]
    assert mapped(PAPERS) == pytest.approx(np.array(expected), abs=1e-5)


def test_invalid_settings_are_refused() -> None:
    for settings, message in (
        (("sop", "cls", 512), r"form is 'sop'; expected one of: joined, sep"),
        (("sep", "max", 512), r"pooling is 'max'; expected one of: cls, mean"),
        (("sep", "cls", 1), "max_tokens is 1; expected 4 or more"),
    ):
        with pytest.raises(ConfigError, match=message):
            EncoderSettings(*settings)
