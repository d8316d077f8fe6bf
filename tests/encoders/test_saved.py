"""Saved document encoders: settings, adapters, plain models and damaged files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from citescape.core.errors import ConfigError
from citescape.core.types import Document
from citescape.encoders.documents import Adapter, EncoderSettings
from citescape.encoders.files import hash_encoder
from citescape.encoders.saved import (
    ADAPTER,
    SETTINGS,
    check_encoder,
    encoder_settings,
    find_document_encoder,
    hash_document_encoder,
    load_document_encoder,
    read_adapter,
    read_encoder_settings,
    write_adapter,
    write_encoder_settings,
)
from citescape.runs.directory import RunRecord, open_run

PAPERS = [Document("Rice", "Drought."), Document("Wheat")]


@pytest.fixture
def adapted(folder: Path, tmp_path: Path) -> Path:
    """A run directory with an adapter from 16 to 4 dimensions."""
    run_folder = tmp_path / "runs" / "train-1"
    run_folder.mkdir(parents=True)
    weight = np.random.default_rng(1).normal(size=(4, 16)).astype(np.float32)
    settings = EncoderSettings("joined", "mean", 32, base=str(folder))
    write_adapter(run_folder, Adapter(weight, np.ones(4, np.float32)), settings)
    return run_folder


def test_settings_are_read_unchanged(folder: Path) -> None:
    settings = EncoderSettings("sep", "cls", 40)
    assert read_encoder_settings(folder) is None
    write_encoder_settings(folder, settings)
    assert json.loads((folder / SETTINGS).read_text()) == {
        "form": "sep",
        "pooling": "cls",
        "max_tokens": 40,
    }
    assert read_encoder_settings(folder) == settings == encoder_settings(str(folder))
    assert load_document_encoder(str(folder)).settings == settings


def test_a_plain_model_uses_its_own_pooling(folder: Path) -> None:
    assert encoder_settings(str(folder)) == EncoderSettings("joined", "mean")
    assert encoder_settings(str(folder), form="sep") == EncoderSettings("sep", "cls")
    assert encoder_settings(str(folder), form="sep", pooling="mean") == EncoderSettings(
        "sep", "mean"
    )
    assert encoder_settings(str(folder), pooling="cls") == EncoderSettings("joined", "cls")
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    assert encoder_settings(str(folder)) == EncoderSettings("sep", "cls")
    with pytest.raises(ConfigError, match="form is 'x'"):
        encoder_settings(str(folder), form="x")


def test_an_adapter_is_applied_to_its_base(folder: Path, adapted: Path) -> None:
    encoder = load_document_encoder(str(adapted), precision="float32")
    base = load_document_encoder(str(folder), precision="float32")
    result = read_adapter(adapted)
    assert result is not None
    assert encoder.dimensions == 4
    assert encoder(PAPERS) == pytest.approx(
        base(PAPERS) @ result.weight.T + result.bias, rel=1e-4, abs=1e-4
    )


def test_the_hash_changes_with_base_and_adapter(folder: Path, adapted: Path) -> None:
    assert hash_document_encoder(str(folder)) == hash_encoder(str(folder))
    before = hash_document_encoder(str(adapted))
    result = read_adapter(adapted)
    assert result is not None
    settings = EncoderSettings("joined", "mean", 32, base=str(folder))
    write_adapter(adapted, Adapter(result.weight, result.bias + 1), settings)
    assert (moved := hash_document_encoder(str(adapted))) != before
    (folder / "tokenizer.json").write_text((folder / "tokenizer.json").read_text() + " ")
    assert hash_document_encoder(str(adapted)) != moved


def test_runs_are_found_by_their_id(adapted: Path, folder: Path) -> None:
    assert find_document_encoder(adapted.parent, "train-1") == str(adapted)
    assert find_document_encoder(adapted.parent, str(folder)) == str(folder)
    assert find_document_encoder(adapted.parent, "org/model") == "org/model"


def test_a_model_with_a_foreign_record_is_loaded(folder: Path) -> None:
    (folder / "run.json").write_text('{"lr": 0.1}')
    check_encoder(Path("runs"), str(folder))
    assert find_document_encoder(Path("runs"), str(folder)) == str(folder)


def test_runs_of_other_commands_are_no_encoders(adapted: Path) -> None:
    """A missing run is not treated as a model of the Hugging Face Hub either."""
    runs = adapted.parent
    with open_run(runs, "score-0123456789ab") as directory:
        directory.complete(RunRecord("score-0123456789ab", "score", {}, {}))
    messages = "score-0123456789ab is a run of `platform score`; expected an encoder"
    with pytest.raises(ConfigError, match=messages):
        check_encoder(runs, "score-0123456789ab")
    with pytest.raises(ConfigError, match=messages):
        check_encoder(Path("elsewhere"), str(runs / "score-0123456789ab"))
    with pytest.raises(ConfigError, match=r"no encoder 'train-0123456789ab' in .*: train-1$"):
        check_encoder(runs, "train-0123456789ab")
    shutil.copytree(
        runs / "train-1", runs / ".train-2.0123ab.7.partial"
    )  # left by a killed training
    with pytest.raises(ConfigError, match=r"no encoder 'train-0123456789ab' in .*: train-1$"):
        check_encoder(runs, "train-0123456789ab")
    (runs / "train-ba9876543210").mkdir()  # without run.json
    with pytest.raises(ConfigError, match="no encoder 'train-ba9876543210'"):
        check_encoder(runs, "train-ba9876543210")
    with pytest.raises(ConfigError, match=r"no encoder .*: `platform train`"):
        check_encoder(Path("elsewhere"), "train-0123456789ab")


@pytest.mark.parametrize(
    "text", ["{", "[]", "{}", '{"form": "sep", "pooling": "cls", "size": 1}', '{"form": 1}']
)
def test_invalid_settings_are_refused(folder: Path, text: str) -> None:
    (folder / SETTINGS).write_text(text)
    with pytest.raises(ConfigError, match=r"citescape\.json: expected form, pooling"):
        load_document_encoder(str(folder))


def test_invalid_adapters_are_refused(adapted: Path, folder: Path) -> None:
    whole = (adapted / ADAPTER).read_bytes()
    (adapted / ADAPTER).write_bytes(whole[:20])
    with pytest.raises(ConfigError, match="expected tensors weight and bias"):
        load_document_encoder(str(adapted))
    (adapted / ADAPTER).write_bytes(whole)
    write_encoder_settings(adapted, EncoderSettings("joined", "mean"))
    for work in (load_document_encoder, hash_document_encoder):
        with pytest.raises(ConfigError, match=r"expected the adapter's `base`; found none"):
            work(str(adapted))
    settings = EncoderSettings("joined", "mean", base=str(folder))
    with pytest.raises(ConfigError, match=r"found shapes \(4, 16\) and \(3,\)"):
        write_adapter(adapted, Adapter(np.ones((4, 16), "f4"), np.ones(3, "f4")), settings)
    write_adapter(adapted, Adapter(np.ones((4, 9), "f4"), np.ones(4, "f4")), settings)
    with pytest.raises(ConfigError, match=r"vectors of 9 dimensions, but its base .* has 16"):
        load_document_encoder(str(adapted))
