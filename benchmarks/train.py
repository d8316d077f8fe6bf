"""Training on triplets: the loop of the package and a plain loop as in tutorials.

    python benchmarks/train.py                  five minutes on two threads
    python benchmarks/train.py --quick          MiniLM on a few short texts, results not kept
    python benchmarks/train.py --device cuda    the same with more and larger updates

All peers have the same weights, tokens, order of triplets, precision and optimiser. The first
update is also computed in float32 without dropout, where losses must be equal. Texts are tokenised
and models loaded beforehand. Rates use wall time: on a busy machine compare CPU time.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import measure
import numpy as np
from encode import ARCHIVE, TOKENS, read_texts

if TYPE_CHECKING:
    import torch

    from citescape.sampling.triplets import Triplets
    from citescape.training.texts import Tokens

EACH = 5
"""Triplets per anchor, like those of samplers."""
SEED, THREADS = 0, 2
MARGIN, RATE, DECAY, CLIP = 1.0, 2e-5, 0.01, 1.0
EQUAL = 1e-4
NOTES = (
    "Titles and abstracts of {archive}, {tokens:.0f} tokens on average, at most {longest}. Five "
    "triplets per anchor with random positives and negatives, since the choice does not affect "
    "the speed. {precision} on {device}; updates of at most {batch} triplets. `a plain loop` "
    "encodes anchors, positives and negatives in three forward passes, each padded to its "
    "longest text. Tokens are those that a loop reads, without padding; the plain loop reads an "
    "anchor once per triplet. The peak is the measured rate of a plain matrix product of the "
    "same precision. `first loss` is the loss of the first update in float32 without dropout. "
    "Memory excludes model and texts and includes optimiser and gradients."
)
COLUMNS = {
    "model": "model",
    "peer": "peer",
    "triplets": "triplets",
    "cpu_seconds": "CPU s",
    "wall_seconds": "wall s",
    "triplets_rate": "triplets/s",
    "faster": "speed-up over plain loop",
    "tokens_rate": "tokens/s",
    "share_of_peak": "share of peak",
    "first_loss": "first loss",
    "extra_mb": "peak MB",
}


@dataclass(frozen=True)
class Scale:
    """Size of the training on a device."""

    batch: int
    """Triplets per update."""
    triplets: dict[str, int]
    """Number of triplets by model."""
    checked: int
    """Triplets of the update in which losses are compared."""
    papers: int
    """Papers of triplets: at least a fifth of the number of triplets."""
    tokens: int = TOKENS
    """Maximum tokens per text."""


SCALES = {
    "cpu": Scale(8, {"MiniLM": 64, "SciBERT-size": 5}, checked=2, papers=300),
    "cuda": Scale(64, {"MiniLM": 10_000, "SciBERT-size": 5_000}, checked=20, papers=2_000),
    "quick": Scale(8, {"MiniLM": 20}, checked=2, papers=50, tokens=64),
}


@dataclass(frozen=True)
class Task:
    """Inputs of a peer."""

    model: Any
    tokenizer: Any
    tokens: Tokens
    triplets: Triplets
    batch: int
    device: torch.device
    precision: torch.dtype


def train_citescape(task: Task) -> list[float]:
    """Passes of similar lengths within a token budget; a paper is encoded once per update."""
    from accelerate import Accelerator

    from citescape.training.checkpoint import State
    from citescape.training.config import BATCH_TOKENS, TrainConfig
    from citescape.training.session import Session
    from citescape.training.towers import TextTower
    from citescape.training.triplet_task import train_tower

    losses: list[float] = []
    budget = BATCH_TOKENS[task.device.type]
    tower = TextTower(task.model, task.tokenizer, task.tokens, pooling="mean", budget=budget)
    config = TrainConfig(epochs=1, batch=task.batch, warmup=0.0, learning_rate=RATE, seed=SEED)
    with tempfile.TemporaryDirectory() as folder:
        session = Session(
            "train-bench",
            Accelerator(cpu=task.device.type == "cpu"),
            Path(folder),
            checkpoint_seconds=float("inf"),
            precision=task.precision,
            log=lambda _, figures: losses.extend(v for k, v in figures.items() if "loss" in k),
        )
        train_tower(tower, task.triplets, config, session=session, state=State("train-bench"))
    return losses


def train_plain(task: Task) -> list[float]:
    """Three forward passes per batch, padded to the longest text, triplets in the given order."""
    import torch

    from citescape.training.batches import order_triplets

    model = task.model.train()
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=DECAY)
    loss_of = torch.nn.TripletMarginLoss(margin=MARGIN, eps=0.0)
    rows = order_triplets(task.triplets, seed=SEED, epoch=0)
    losses = []
    for start in range(0, len(rows), task.batch):
        chosen = rows[start : start + task.batch]
        roles = (task.triplets.anchor, task.triplets.positive, task.triplets.negative)
        loss = loss_of(*(encode(task, papers[chosen]) for papers in roles))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        losses.append(float(loss.detach()))
    return losses


def encode(task: Task, papers: np.ndarray) -> torch.Tensor:
    """Mean over the tokens of each paper (papers, d) in one forward pass."""
    import torch

    from citescape.training.session import autocast

    arrays = task.tokens.pad(papers, task.tokenizer.pad_token_id)
    ids, mask = (torch.from_numpy(array).to(task.device) for array in arrays)
    with autocast(task.device, task.precision):
        hidden = task.model(input_ids=ids, attention_mask=mask).last_hidden_state  # (B, T, d)
    weights = mask.unsqueeze(-1).float()
    means: torch.Tensor = (hidden.float() * weights).sum(1) / weights.sum(1)
    return means


PEERS: dict[str, Callable[[Task], list[float]]] = {
    "transformers, plain loop": train_plain,
    "citescape": train_citescape,
}


def load_model(name: str, *, dropout: bool) -> tuple[Any, Any]:
    """Weights and tokenizer of MiniLM, or fixed random weights of the size of SciBERT."""
    import torch
    from transformers import AutoModel, AutoTokenizer, BertConfig, BertModel

    from citescape.encoders.files import HUB_DEFAULT, locate

    place = locate(HUB_DEFAULT)
    none: dict[str, Any] = (
        {} if dropout else {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    )
    tokenizer = AutoTokenizer.from_pretrained(place)
    if name == "MiniLM":
        return AutoModel.from_pretrained(place, **none), tokenizer
    torch.manual_seed(SEED)
    return BertModel(BertConfig(vocab_size=31_090, **none)), tokenizer


def make_triplets(papers: int, triplets: int) -> Triplets:
    """Triplets of the first papers; each anchor has five in sequence."""
    import pyarrow as pa

    from citescape.sampling.triplets import from_table

    rng, rows = np.random.default_rng(SEED), []
    for anchor in range(-(-triplets // EACH)):
        drawn = rng.choice(papers - 1, 2 * EACH, replace=False)
        others = drawn + (drawn >= anchor)
        rows += [(anchor, *pair) for pair in others.reshape(EACH, 2).tolist()]
    ids = np.char.mod("%06d", np.array(rows[:triplets]).T)
    return from_table(pa.table(dict(zip(("anchor", "positive", "negative"), ids, strict=True))))


def make_task(model: str, texts: list[str], scale: Scale, **how: Any) -> Task:
    """Tokens of the texts of triplets, and the model on its device."""
    from citescape.training.texts import join_tokens, tokenise_texts

    loaded, tokenizer = load_model(model, dropout=how["dropout"])
    triplets = make_triplets(len(texts), how["triplets"])
    strings = (texts[int(id_)] for id_ in triplets.ids.to_pylist())
    tokens = join_tokens(tokenise_texts(tokenizer, strings, scale.tokens))
    place = loaded.to(how["device"])
    return Task(place, tokenizer, tokens, triplets, scale.batch, how["device"], how["precision"])


def child(peer: str, model: str, job: str) -> None:
    """Measures one peer, after a first update in float32 without dropout."""
    import torch

    from citescape.training.run import measure_peak

    torch.set_num_threads(THREADS)
    job_settings = json.loads(Path(job).read_text(encoding="utf-8"))
    given, size, device = (
        job_settings["texts"],
        SCALES[job_settings["scale"]],
        torch.device(job_settings["device"]),
    )
    checked = {"dropout": False, "triplets": size.checked, "precision": torch.float32}
    first = PEERS[peer](make_task(model, given, size, device=device, **checked))[0]
    whole = {"dropout": True, "triplets": size.triplets[model]}
    dtype = getattr(torch, job_settings["precision"])
    task = make_task(model, given, size, device=device, precision=dtype, **whole)
    held = reset_gpu(device)
    torch.manual_seed(SEED)
    with measure.metered() as cost:
        begun = time.perf_counter()
        PEERS[peer](task)
        if device.type == "cuda":
            torch.cuda.synchronize(device)
        seconds = time.perf_counter() - begun
    if device.type == "cuda":
        cost.extra_mb = round(torch.cuda.max_memory_allocated(device) / 2**20 - held, 1)
    tokens, flops = count_work(peer, task)
    measure.report(
        cost,
        first_loss=first,
        triplets=len(task.triplets),
        triplets_rate=len(task.triplets) / seconds,
        tokens_rate=round(tokens / seconds),
        share_of_peak=flops / seconds / measure_peak(device, dtype),
        mean_tokens=float(np.diff(task.tokens.offsets).mean()),
    )


def reset_gpu(device: torch.device) -> float:
    """MB in use on a GPU; resets the peak."""
    import torch

    if device.type != "cuda":
        return 0.0
    torch.cuda.reset_peak_memory_stats(device)
    return torch.cuda.memory_allocated(device) / 2**20


def count_work(peer: str, task: Task) -> tuple[int, float]:
    """Tokens read and floating-point operations, forward and backward, of all updates."""
    from citescape.training.batches import order_triplets
    from citescape.training.towers import TextTower

    tower = TextTower(task.model, task.tokenizer, task.tokens, pooling="mean", budget=1)
    rows = order_triplets(task.triplets, seed=SEED, epoch=0)
    roles = np.stack([task.triplets.anchor, task.triplets.positive, task.triplets.negative])
    updates = [roles[:, rows[k : k + task.batch]].ravel() for k in range(0, len(rows), task.batch)]
    read = [np.unique(papers) if peer == "citescape" else papers for papers in updates]
    tokens = sum(tower.tokens(papers) for papers in read)
    return tokens, 3 * sum(tower.flops(papers) for papers in read)


def compare(models: Iterable[str], job: Path) -> list[measure.Row]:
    """A row per peer and model; first losses must be equal."""
    rows: list[measure.Row] = []
    for model in models:
        plain: measure.Row = {}
        for peer in PEERS:
            row = measure.run_alone(__file__, "--child", peer, model, job)
            plain = plain or row
            if abs(row["first_loss"] - plain["first_loss"]) > EQUAL:
                losses = f"{row['first_loss']} and {plain['first_loss']}"
                raise RuntimeError(f"{peer} disagrees on {model}: first losses of {losses}")
            faster = row["triplets_rate"] / plain["triplets_rate"]
            rows.append({"model": model, "peer": peer, **row, "faster": round(faster, 2)})
            rows[-1]["first_loss"] = f"{row['first_loss']:.5f}"
    return rows


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    from citescape.encoders.pretrained import resolve_precision

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--precision", choices=("auto", "float32", "bfloat16"), default="auto")
    parser.add_argument("--archive", type=Path, default=ARCHIVE)
    parser.add_argument("--quick", action="store_true", help="MiniLM, few short texts")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(*options.child)
    if not options.archive.exists():
        raise SystemExit(f"no archive at {options.archive}; name one with --archive")
    name = "quick" if options.quick else options.device
    scale, precision = SCALES[name], resolve_precision(options.precision)
    with tempfile.TemporaryDirectory() as folder:
        job = {"scale": name, "device": options.device, "precision": precision}
        path = Path(folder) / "job.json"
        texts = read_texts(options.archive, scale.papers)
        path.write_text(json.dumps({**job, "texts": texts}), encoding="utf-8")
        rows = compare(scale.triplets, path)
    measure.print_table(rows, COLUMNS)
    if options.quick:
        return
    notes = NOTES.format(
        archive=options.archive.name,
        tokens=rows[0]["mean_tokens"],
        longest=scale.tokens,
        precision=precision,
        batch=scale.batch,
        device="a GPU" if options.device == "cuda" else f"{THREADS} threads of a processor",
    )
    kept = "train" if options.device == "cpu" else "train_cuda"
    libraries = ("torch", "transformers", "accelerate")
    written = measure.write_results(kept, rows, libraries=libraries, notes=notes, columns=COLUMNS)
    print(f"\nwritten to {written}")


if __name__ == "__main__":
    main()
