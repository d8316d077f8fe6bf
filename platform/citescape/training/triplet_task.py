"""Encoders that learn from triplets, as a task of the training loop."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from citescape.encoders.documents import EncoderSettings
from citescape.sampling.draws import Ints
from citescape.sampling.triplets import Triplets
from citescape.training.batches import Part, make_part, order_triplets, split_update
from citescape.training.checkpoint import State
from citescape.training.config import TrainConfig
from citescape.training.loop import Counts, Share, Task, train_task
from citescape.training.losses import Batch, make_loss
from citescape.training.session import Session, autocast
from citescape.training.teacher import Teacher
from citescape.training.towers import Tower, choose_parameters
from citescape.training.validate import choose_validation, validate


class TripletTask(Task):
    """An encoder and its triplets."""

    items, unit, judged_by = "triplets", "tokens", "loss"
    higher, counts_base = False, True
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
        """Splits the triplets, in the codes of the tower's papers, by training and validation.

        `settings`, how the encoder reads documents, are needed to save it.
        """
        self.tower, self.module, self.config = tower, tower.module, config
        self.rate, self.warmup, self.divisible = config.rate, config.warmup, not config.over_batches
        self._triplets = triplets.take(~triplets.validation)
        self.held = choose_validation(triplets, anchors=config.validation_anchors)
        self._teacher, self._settings = teacher, settings
        self._loss = make_loss(config)

    @property
    def size(self) -> int:
        """Number of triplets to train on."""
        return len(self._triplets)

    def choose_parameters(self) -> list[torch.nn.Parameter]:
        """See `towers.choose_parameters`."""
        taught = bool(self.config.teacher)
        return choose_parameters(
            self.module, self.config.tune, loss=self.config.loss, taught=taught
        )

    def order(self, epoch: int) -> Ints:
        """See `order_triplets`."""
        return order_triplets(self._triplets, seed=self.config.seed, epoch=epoch)

    def split(self, rows: Ints, parts: int, epoch: int) -> list[Share]:
        """Parts of equal size; an empty part gets one triplet, with a share of 0."""
        del epoch
        empty = make_part(self._triplets, rows[:1])
        divided = split_update(self._triplets, rows, parts)
        return [(len(part) / len(rows), part if len(part) else empty) for part in divided]

    def compute_loss(
        self, module: torch.nn.Module, part: Part, session: Session
    ) -> tuple[torch.Tensor, Counts]:
        """Mean over the triplets of a part."""
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
        taught = self._teacher.read(part.papers[order]).to(device) if self._teacher else None
        batch = Batch(vectors, anchor, positive, negative, taught)
        each_way = 2 if self.config.tune == "bias" else 3
        flops = each_way * self.tower.flops(part.papers)
        return self._loss(batch), (self.tower.tokens(part.papers), flops, 0)

    def validate(self, session: Session) -> dict[str, float]:
        """See `validate.validate`."""
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
    """Trains an encoder in place and returns the final state.

    See `TripletTask` and `train_task` for arguments and errors.
    """
    task = TripletTask(tower, triplets, config, teacher=teacher)
    return train_task(task, session=session, state=state)
