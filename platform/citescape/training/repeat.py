"""One training with several seeds: means and standard deviations; copies of an encoder."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, stdev

import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.files import sync
from citescape.core.outputs import watch_output
from citescape.core.progress import Progress, prefix, silent
from citescape.encoders.own import OWN
from citescape.encoders.saved import SETTINGS
from citescape.runs.directory import RECORD, check_writable
from citescape.runs.result import Part, Result, Summary, Table, plural
from citescape.training.config import TrainConfig
from citescape.training.kept import EncoderRun
from citescape.training.train import TrainingData, train_encoder


@dataclass(frozen=True)
class Spread:
    """Mean and standard deviation of one figure over seeds."""

    mean: float
    deviation: float
    """Sample deviation (n - 1); 0 for one seed."""

    @classmethod
    def from_values(cls, values: Sequence[float]) -> Spread:
        """Mean and deviation of the values of all seeds."""
        return cls(mean(values), stdev(values) if len(values) > 1 else 0.0)

    def __str__(self) -> str:
        return f"{self.mean:.4f} ± {self.deviation:.4f}"


_LABELS = {
    "loss": "loss",
    "accuracy": "ordered correctly",
    "hard": "ordered correctly, hard negatives",
    "easy": "ordered correctly, random negatives",
}


@dataclass(frozen=True)
class TrainedEncoders(Result):
    """Encoders trained on the same triplets, one per seed: `(trained,) = corpus.train(sampled)`."""

    results: tuple[EncoderRun, ...]
    copy: Path | None = None
    """Folder with a copy of the encoder."""

    def __iter__(self) -> Iterator[EncoderRun]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, k: int) -> EncoderRun:
        return self.results[k]

    @property
    def run(self) -> str:
        """Id of the run of a single seed; with several seeds use `trained[0].run`."""
        if len(self) > 1:
            raise AttributeError(
                f"{len(self)} runs; expected one: use the run of one, such as trained[0]"
            )
        return self.results[0].run

    @property
    def arrow(self) -> pa.Table:
        """A row per seed and measurement: seed, run, update, and the validation figures."""
        rows = [
            {"seed": result.seed, "run": result.run, **entry}
            for result in self
            for entry in result.counts["history"]
        ]
        return pa.Table.from_pylist(rows)

    def summarise(self) -> Summary:
        """Figures on held-out triplets, speed, run directories."""
        first = self.results[0]
        figures, record = first.counts, first.record
        teacher = ""
        if "teacher_papers" in figures:
            without = figures["papers"] - figures["teacher_papers"]
            teacher = f"{without:,} without a vector of the teacher, "
        parts: list[Part] = [
            f"{plural(figures['triplets'], 'triplet')} of {plural(figures['papers'], 'paper')} "
            f"({figures['titles_only']:,} with a title only), {teacher}"
            f"{plural(figures['updates'], 'update')}",
            "",
            *self._show_validation(),
            "",
        ]
        speed = figures["throughput"]
        if speed["tokens"]:
            parts.append(
                f"{speed['tokens_a_second']:,.0f} tokens/s, {speed['share_of_peak']:.0%} of the "
                f"{speed['peak_flops_a_second'] / 1e12:,.2f} TFLOP/s of a matrix product on this "
                f"machine; peak memory {record.peak_memory_mb:,} MB"
            )
        if "leaks" in figures:
            parts.append(figures["leaks"])
        parts.append(f"base: {record.config['base']}")
        for result in self:
            seed = f", seed {result.seed}" if len(self) > 1 else ""
            state = "unchanged" if result.unchanged else "trained"
            if result.resumed_after:
                state += f", resumed after update {result.resumed_after:,}"
            parts.append(f"{state}{seed}: {result.path}")
        runs = [
            {
                "run": result.run,
                "path": str(result.path),
                "seed": result.seed,
                "base": result.record.config["base"],
                "unchanged": result.unchanged,
                "resumed_after": result.resumed_after,
                **result.counts,
            }
            for result in self
        ]
        own = (first.path / OWN).is_file()
        commands = [] if own else [("next", f"embed --encoder {self.copy or first.run}")]
        return Summary(parts, {"runs": runs}, commands)

    def _show_validation(self) -> list[Part]:
        """Validation figures before and after training; before, they are the same for all seeds."""
        figures = self.results[0].counts
        measured = figures.get("measured", figures["validation"])
        if not measured:
            return ["no validation triplets, so no figures"]
        spreads, several = compare(self.results), len(self) > 1
        rows = [
            (_LABELS[name], before.mean, str(after) if several else after.mean)
            for name, (before, after) in spreads.items()
        ]
        seeds = f", {len(self)} seeds, mean ± standard deviation" if several else ""
        header = (f"{plural(measured, 'held-out triplet')}{seeds}", "before", "after")
        before, after = spreads["loss"]
        warning = "no better than before: the loss on held-out triplets did not fall"
        return [Table(header, rows), *(["", warning] if after.mean >= before.mean else [])]


def repeat_training(
    data: TrainingData,
    config: TrainConfig,
    *,
    seeds: int,
    runs: Path,
    checkpoint_seconds: float = 300.0,
    progress: Progress = silent,
) -> list[EncoderRun]:
    """Trains an encoder with each of several seeds.

    The seed decides the order of triplets and dropout. The triplets and their split are the same.
    Errors are those of `train_encoder`.

    Args:
        data: result of `read_training_data`.
        config: settings; the seeds are `config.seed`, `config.seed + 1`, ...
        seeds: number of random seeds.
        runs: folder of run directories.
        checkpoint_seconds: seconds between checkpoints.
        progress: reports the progress.
    """
    return [
        train_encoder(
            data,
            replace(config, seed=config.seed + k),
            runs=runs,
            checkpoint_seconds=checkpoint_seconds,
            progress=prefix(progress, f"seed {k + 1} of {seeds}") if seeds > 1 else progress,
        )
        for k in range(seeds)
    ]


def compare(results: Sequence[EncoderRun]) -> Mapping[str, tuple[Spread, Spread]]:
    """Figure -> its mean and deviation over the seeds, before and after training."""
    names = [name for name in results[0].after if name != "update"]
    return {
        name: (
            Spread.from_values([result.before[name] for result in results]),
            Spread.from_values([result.after[name] for result in results]),
        )
        for name in names
    }


def check_out(out: Path | None) -> None:
    """Checks before a training that the encoder can be copied to a folder.

    Raises:
        ConfigError: the folder contains files other than those of a training, or cannot be written.
    """
    if out is None:
        return
    trained = all((out / name).is_file() for name in (SETTINGS, RECORD))
    if out.exists() and any(out.iterdir()) and not trained:
        raise ConfigError(
            f"{out} contains files other than a trained encoder; name an empty or new folder with "
            "--out"
        )
    try:
        check_writable(out.resolve().parent)
    except ConfigError as error:
        raise ConfigError(f"{out} cannot be written; name another folder with --out") from error


def copy_encoder(path: Path, out: Path) -> None:
    """Copies a trained encoder atomically; an existing copy is replaced."""
    out = out.resolve()
    partial, old = (out.with_name(f".{out.name}.{kind}") for kind in ("partial", "old"))
    if old.exists() and not out.exists():  # killed between the two renames below
        old.rename(out)
    for leftover in (partial, old):
        shutil.rmtree(leftover, ignore_errors=True)
    partial.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(path, partial)
    for copied in partial.rglob("*"):
        sync(copied)
    if out.exists():
        out.rename(old)
    partial.rename(out)
    sync(out.parent)
    watch_output(out)
    shutil.rmtree(old, ignore_errors=True)
