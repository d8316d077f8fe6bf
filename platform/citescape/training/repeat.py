"""The same training with several seeds: means and spreads, and a copy of a single encoder."""

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
from citescape.training.train import Material, train_material


@dataclass(frozen=True)
class Spread:
    """Mean and standard deviation of one figure over seeds."""

    mean: float
    deviation: float
    """Sample deviation (n - 1); 0 for one seed."""

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Mean and deviation of some values."""
        return cls(mean(values), stdev(values) if len(values) > 1 else 0.0)

    def __str__(self) -> str:
        return f"{self.mean:.4f} ± {self.deviation:.4f}"


_SHOWN = {
    "loss": "loss",
    "accuracy": "ordered rightly",
    "hard": "ordered rightly, hard negatives",
    "easy": "ordered rightly, random negatives",
}


@dataclass(frozen=True)
class Trained(Result):
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
            raise AttributeError(f"{len(self)} runs; expected one of them, such as trained[0]")
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
        without = figures["papers"] - figures.get("taught", 0)
        taught = f"{without:,} without a vector of the teacher, " if "taught" in figures else ""
        parts: list[Part] = [
            f"{plural(figures['triplets'], 'triplet')} of {plural(figures['papers'], 'paper')} "
            f"({figures['titles_only']:,} with a title only), {taught}"
            f"{plural(figures['updates'], 'update')}",
            "",
            *self._show_validation(),
            "",
        ]
        speed = figures["throughput"]
        if speed["tokens"]:
            parts.append(
                f"{speed['tokens_a_second']:,.0f} tokens/s, {speed['share_of_peak']:.0%} of the "
                f"{speed['peak_flops_a_second'] / 1e12:,.2f} TFLOP/s of a plain matrix product "
                f"here; peak memory {record.peak_memory_mb:,} MB"
            )
        if "leaks" in figures:
            parts.append(figures["leaks"])
        for result in self:
            seed = f", seed {result.seed}" if len(self) > 1 else ""
            done = "there already" if result.unchanged else "trained"
            if result.resumed_after:
                done += f", going on after update {result.resumed_after:,}"
            parts.append(f"{done}{seed}: {result.path}")
        runs = [
            {
                "run": result.run,
                "path": str(result.path),
                "seed": result.seed,
                "unchanged": result.unchanged,
                "resumed_after": result.resumed_after,
                **result.counts,
            }
            for result in self
        ]
        own = (first.path / OWN).is_file()
        following = [] if own else [("next", f"embed --encoder {self.copy or first.run}")]
        return Summary(parts, {"runs": runs}, following)

    def _show_validation(self) -> list[Part]:
        """Before and after; several seeds train on the same triplets, so before is the same."""
        figures = self.results[0].counts
        measured = figures.get("measured", figures["validation"])
        if not measured:
            return ["no triplets are held out, so nothing was measured"]
        spreads, several = compare(self.results), len(self) > 1
        rows = [
            (_SHOWN[name], before.mean, str(after) if several else after.mean)
            for name, (before, after) in spreads.items()
        ]
        seeds = f", {len(self)} seeds, mean ± standard deviation" if several else ""
        header = (f"{plural(measured, 'held-out triplet')}{seeds}", "before", "after")
        before, after = spreads["loss"]
        worse = "no better than before: the loss on held-out triplets did not fall"
        return [Table(header, rows), *(["", worse] if after.mean >= before.mean else [])]


def repeat_training(
    material: Material,
    config: TrainConfig,
    *,
    seeds: int,
    runs: Path,
    checkpoint_seconds: float = 300.0,
    progress: Progress = silent,
) -> list[EncoderRun]:
    """Trainings with `seeds` seeds, from that of `config` on.

    The seed decides the order of triplets and dropout; the triplets, and which of them validate,
    are the same. Arguments and errors are those of `train_material`.
    """
    return [
        train_material(
            material,
            replace(config, seed=config.seed + k),
            runs=runs,
            checkpoint_seconds=checkpoint_seconds,
            progress=prefix(progress, f"seed {k + 1} of {seeds}") if seeds > 1 else progress,
        )
        for k in range(seeds)
    ]


def compare(results: Sequence[EncoderRun]) -> Mapping[str, tuple[Spread, Spread]]:
    """Figure -> its spread before and after training, over the seeds."""
    names = [name for name in results[0].after if name != "update"]
    return {
        name: (
            Spread.of([result.before[name] for result in results]),
            Spread.of([result.after[name] for result in results]),
        )
        for name in names
    }


def check_out(out: Path | None) -> None:
    """Checks, before the training, that the encoder can be copied to a folder.

    Raises:
        ConfigError: the folder holds other files than those of a training, or cannot be written.
    """
    if out is None:
        return
    trained = all((out / name).is_file() for name in (SETTINGS, RECORD))
    if out.exists() and any(out.iterdir()) and not trained:
        raise ConfigError(
            f"{out} holds other files than a trained encoder; name an empty or new folder with "
            "--out"
        )
    try:
        check_writable(out.resolve().parent)
    except ConfigError as error:
        raise ConfigError(f"{out} cannot be written; name another folder with --out") from error


def copy_encoder(path: Path, out: Path) -> None:
    """Copies a trained encoder atomically; a copy that is there is replaced."""
    out = out.resolve()
    aside, old = (out.with_name(f".{out.name}.{kind}") for kind in ("partial", "old"))
    if old.exists() and not out.exists():  # a kill between the two renames below
        old.rename(out)
    for left in (aside, old):
        shutil.rmtree(left, ignore_errors=True)
    aside.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(path, aside)
    for copied in aside.rglob("*"):
        sync(copied)
    if out.exists():
        out.rename(old)
    aside.rename(out)
    sync(out.parent)
    watch_output(out)
    shutil.rmtree(old, ignore_errors=True)
