"""Training of encoders on triplets, as a task of the training loop; validation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from citescape.core.draws import hash_ids
from citescape.encoders.documents import EncoderSettings
from citescape.sampling.draws import SPLIT, Ints, shuffle_anchors
from citescape.sampling.triplets import RANDOM, Triplets
from citescape.training.batches import UpdatePart, make_part, order_triplets, split_update
from citescape.training.checkpoint import State
from citescape.training.config import TrainConfig
from citescape.training.loop import Counts, Share, TrainingTask, train_task
from citescape.training.losses import Batch, make_loss, measure
from citescape.training.session import Session, autocast
from citescape.training.teacher import Teacher
from citescape.training.towers import Tower, choose_parameters

_TRIPLETS = 256
"""Number of triplets to validate at one time."""


class TripletTask(TrainingTask):
    """An encoder and its triplets."""

    items, unit, metric = "triplets", "tokens", "loss"
    higher_is_better, base_counts = False, True
    remedy = "a smaller --batch-tokens or --max-tokens"
    config: TrainConfig

    def __init__(
        self,
        tower: Tower,
        triplets: Triplets,
        config: TrainConfig,
        *,
        teacher: Teacher | None = None,
        settings: EncoderSettings | None = None,
    ) -> None:
        """Splits the triplets into training and validation.

        Args:
            tower: encoder to train.
            triplets: triplets in the codes of the papers of the tower.
            config: loss, schedule, validation.
            teacher: vectors whose cosines the encoder learns to reproduce.
            settings: how the encoder reads documents; needed to save it.
        """
        self.tower, self.module, self.config = tower, tower.module, config
        self.rate, self.warmup, self.divisible = (
            config.rate,
            config.warmup,
            not config.compares_triplets,
        )
        self._triplets = triplets.select_rows(~triplets.validation)
        self.held = choose_validation(triplets, anchors=config.validation_anchors)
        self._teacher, self._settings = teacher, settings
        self._loss = make_loss(config)

    @property
    def size(self) -> int:
        """Number of triplets to train on."""
        return len(self._triplets)

    def choose_parameters(self) -> list[torch.nn.Parameter]:
        """See `towers.choose_parameters`."""
        return choose_parameters(
            self.module,
            self.config.tune,
            loss=self.config.loss,
            teacher=bool(self.config.teacher),
        )

    def order(self, epoch: int) -> Ints:
        """See `order_triplets`."""
        return order_triplets(self._triplets, seed=self.config.seed, epoch=epoch)

    def split(self, rows: Ints, parts: int, epoch: int) -> list[Share]:
        """Parts of equal size; an empty part gets one triplet, with a share of 0.

        Args:
            rows: triplets of the update.
            parts: number of parts.
            epoch: not used.
        """
        del epoch
        empty = make_part(self._triplets, rows[:1])
        divided = split_update(self._triplets, rows, parts)
        return [(len(part) / len(rows), part if len(part) else empty) for part in divided]

    def compute_loss(
        self, module: torch.nn.Module, part: UpdatePart, session: Session
    ) -> tuple[torch.Tensor, Counts]:
        """Mean loss over the triplets of a part.

        Args:
            module: the tower's module, as `accelerate` wraps it.
            part: triplets and their papers.
            session: device and precision.
        """
        device = session.accelerator.device
        passes, order = self.tower.inputs(part.papers, device)
        with autocast(device, session.precision):
            vectors = module(passes)
        places = np.empty(len(order), np.int64)
        places[order] = np.arange(len(order))
        anchor, positive, negative = (
            torch.from_numpy(places[array]).to(device)
            for array in (part.anchor, part.positive, part.negative)
        )
        teacher = self._teacher.read(part.papers[order]).to(device) if self._teacher else None
        batch = Batch(vectors, anchor, positive, negative, teacher)
        # the backward pass costs twice the forward pass; without gradients of matrices, as much
        passes_of_update = 2 if self.config.tune == "bias" else 3
        flops = passes_of_update * self.tower.flops(part.papers)
        return self._loss(batch), (self.tower.tokens(part.papers), flops, 0)

    def validate(self, session: Session) -> dict[str, float]:
        """See `validate`."""
        device = session.accelerator.device
        return validate(self.tower, self.held, margin=self.config.margin, device=device)

    def save(self, folder: Path) -> None:
        """The encoder, as `citescape.encoders.saved` describes it."""
        assert self._settings
        self.tower.save(folder, self._settings)


def train_tower(
    tower: Tower,
    triplets: Triplets,
    config: TrainConfig,
    *,
    session: Session,
    state: State,
    teacher: Teacher | None = None,
) -> State:
    """Trains an encoder in place and returns the final state; for errors see `train_task`.

    Args:
        tower: encoder to train.
        triplets: triplets to train and validate on, in the codes of the papers of the tower.
        config: loss, schedule, validation.
        session: device, precision, progress, checkpoints.
        state: a new state, or a checkpoint to continue from.
        teacher: vectors whose cosines the encoder learns to reproduce.
    """
    task = TripletTask(tower, triplets, config, teacher=teacher)
    return train_task(task, session=session, state=state)


def choose_validation(triplets: Triplets, *, anchors: int) -> Triplets:
    """The validation triplets of at most `anchors` anchors; the same for every seed of training."""
    held = triplets.select_rows(triplets.validation)
    distinct, keys = np.unique(held.anchor), hash_ids(triplets.ids)
    drawn = shuffle_anchors(distinct, keys, seed=0, purpose=SPLIT)[:anchors]
    return held.select_rows(np.isin(held.anchor, drawn))


def validate(
    tower: Tower, triplets: Triplets, *, margin: float, device: torch.device
) -> dict[str, float]:
    """Figures over triplets: `loss`, and `accuracy` of all, of hard and of easy ones.

    Loss: mean of max(||a - p|| - ||a - n|| + margin, 0). Accuracy: share of triplets whose positive
    is nearer than the negative; equal distances count half. Easy: the negative was drawn at random.

    Args:
        tower: encoder.
        triplets: triplets in the codes of the papers of the tower; without triplets the result is
            empty.
        margin: margin of the loss, in units of the distance.
        device: device that computes.
    """
    if not len(triplets):
        return {}
    parts = []
    training = tower.module.training
    tower.module.eval()
    for start in range(0, len(triplets), _TRIPLETS):
        part = make_part(triplets, np.arange(start, min(start + _TRIPLETS, len(triplets))))
        vectors = encode_papers(tower, part.papers, device)
        anchor = vectors[torch.from_numpy(part.anchor).to(device)]
        ends = [vectors[torch.from_numpy(p).to(device)] for p in (part.positive, part.negative)]
        parts.append([measure(anchor, end).double().cpu().numpy() for end in ends])
    tower.module.train(training)
    near, far = np.concatenate(parts, axis=1)  # (triplets,) each

    correct = (near < far) + 0.5 * (near == far)
    easy = triplets.negative_reason == RANDOM
    with np.errstate(invalid="ignore"):  # the loss is NaN if training diverged
        figures = {"loss": float(np.maximum(near - far + margin, 0).mean())}
    for name, rows in (("accuracy", slice(None)), ("hard", ~easy), ("easy", easy)):
        if len(correct[rows]):
            figures[name] = float(correct[rows].mean())
    return figures


def encode_papers(tower: Tower, papers: Any, device: torch.device) -> torch.Tensor:
    """Vectors (papers, d) without gradient.

    Args:
        tower: encoder.
        papers: (papers,) codes; the vectors are in their order.
        device: device that computes.
    """
    passes, order = tower.inputs(papers, device)
    with torch.inference_mode():
        vectors = torch.cat([tower.module([inputs]) for inputs in passes])
    placed = torch.empty_like(vectors)
    placed[torch.from_numpy(order).to(device)] = vectors
    return placed
