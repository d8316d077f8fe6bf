"""Folders of encoders: damaged, incomplete, moved, changed, and in the Hugging Face cache."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from citescape.core.errors import ConfigError
from citescape.encoders.files import hash_encoder, load_transformer, read_pooling, resolve_encoder
from citescape.encoders.pretrained import EncoderConfig, PretrainedEncoder


def load(folder: Path) -> PretrainedEncoder:
    return PretrainedEncoder.load(EncoderConfig(str(folder), precision="float32"))


def test_a_complete_folder_is_loaded(folder: Path) -> None:
    vectors = load(folder)(["rice", "wheat"])
    assert vectors.shape == (2, 16)
    assert not np.array_equal(*vectors)


@pytest.mark.parametrize("kept", ["float16", "bfloat16"])
def test_half_precision_weights_are_read_in_full_precision(folder: Path, kept: str) -> None:
    """Training in half precision would lose most updates to rounding."""
    import torch

    model, _ = load_transformer(str(folder))
    model.to(getattr(torch, kept)).save_pretrained(folder)
    assert json.loads((folder / "config.json").read_text())["dtype"] == kept
    again, _ = load_transformer(str(folder))
    assert {parameter.dtype for parameter in again.parameters()} == {torch.float32}


@pytest.mark.parametrize("kept", [0, 4, 100, 0.5])
def test_truncated_weights_are_refused(folder: Path, kept: float) -> None:
    weights = folder / "model.safetensors"
    whole = weights.read_bytes()
    weights.write_bytes(whole[: int(kept * len(whole)) if isinstance(kept, float) else kept])
    with pytest.raises(ConfigError, match=r"no pretrained encoder '.*tiny': .*--encoder"):
        load(folder)


@pytest.mark.parametrize("file", ["config.json", "tokenizer.json"])
def test_truncated_settings_are_refused(folder: Path, file: str) -> None:
    whole = (folder / file).read_bytes()
    (folder / file).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ConfigError, match=r"no pretrained encoder '.*tiny'"):
        load(folder)


def test_weights_of_another_model_are_refused(folder: Path) -> None:
    from safetensors.numpy import load_file, save_file

    tensors = load_file(folder / "model.safetensors")
    some = {name: array for name, array in tensors.items() if "encoder.layer" not in name}
    save_file(some, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ConfigError, match=r"its weights lack encoder\.layer\.0.* and \d+ more"):
        load(folder)


def test_a_folder_without_a_tokenizer_is_refused(folder: Path) -> None:
    for path in [*folder.glob("tokenizer*"), *folder.glob("vocab*")]:
        path.unlink()
    with pytest.raises(ConfigError, match=r"no pretrained encoder '.*tiny': .*token"):
        load(folder)


def test_the_hash_depends_on_every_shard(folder: Path, tmp_path: Path) -> None:
    sharded = tmp_path / "sharded"
    shutil.copytree(folder, sharded)
    (sharded / "model.safetensors").unlink()
    load_transformer(str(folder))[0].save_pretrained(sharded, max_shard_size="10KB")
    shards = sorted(sharded.glob("model-*.safetensors"))
    assert len(shards) > 1
    before = hash_encoder(str(sharded))
    last = bytearray(shards[-1].read_bytes())
    last[-1] ^= 1
    shards[-1].write_bytes(last)
    assert hash_encoder(str(sharded)) != before
    (sharded / "model.safetensors.index.json").write_text("{")
    with pytest.raises(ConfigError, match=r"model\.safetensors\.index\.json cannot be read"):
        hash_encoder(str(sharded))


def test_invalid_pooling_is_refused(folder: Path) -> None:
    (folder / "1_Pooling").mkdir()
    for text in ("{", "[]"):
        (folder / "1_Pooling" / "config.json").write_text(text)
        with pytest.raises(ConfigError, match=r"1_Pooling/config.json cannot be read"):
            load(folder)


def test_a_folder_is_recorded_by_its_absolute_path(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    assert resolve_encoder("tiny") == str(folder)
    assert resolve_encoder("org/tiny") == "org/tiny"
    monkeypatch.setenv("CITESCAPE_ENCODER", "tiny")
    assert resolve_encoder("") == str(folder)


@pytest.mark.parametrize("file", ["config.json", "tokenizer.json", "model.safetensors"])
def test_the_hash_changes_with_the_encoder(folder: Path, file: str) -> None:
    copy = Path(shutil.copytree(folder, folder.parent / "copy"))
    assert hash_encoder(str(copy)) == hash_encoder(str(folder))
    data = bytearray((copy / file).read_bytes())
    data[-3] ^= 1
    (copy / file).write_bytes(data)
    assert hash_encoder(str(copy)) != hash_encoder(str(folder))


def test_a_folder_without_weights_has_no_hash(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    for name in (str(folder), str(folder / "nowhere")):
        with pytest.raises(ConfigError, match="no pretrained encoder"):
            hash_encoder(name)


def test_a_hub_model_has_the_pooling_of_its_copy(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "1_Pooling").mkdir()
    settings = json.dumps({"pooling_mode_cls_token": True})
    (folder / "1_Pooling" / "config.json").write_text(settings)
    repository = tmp_path / "hub" / "models--org--tiny"
    shutil.copytree(folder, repository / "snapshots" / ("a" * 40))
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("a" * 40)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    assert PretrainedEncoder.load(EncoderConfig("org/tiny")).pooling == "cls"
    assert hash_encoder("org/tiny") == hash_encoder(str(folder))
    assert read_pooling(str(folder)) == "cls"
