"""A pretrained transformer, fine-tuned to tell the intents of a citation from its sentence.

Read are section type and heading, then the sentence: `methods: sampling [SEP] Soils were ...`. The
lower layers stay as they are, the uppermost are dropped (`IntentConfig`); over the mean of the
token vectors stands a linear head with one logit an intent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from citescape.core.errors import ConfigError, SourceError
from citescape.core.progress import Progress, silent
from citescape.encoders.device import choose_device
from citescape.encoders.files import default_encoder, load_transformer
from citescape.encoders.randomness import fixed_randomness
from citescape.encoders.tokens import (
    Ids,
    batch_by_length,
    fitting_tokens,
    mean_pool,
    pad_tokens,
)
from citescape.loaders.section_types import clean_title
from citescape.text.intents.contexts import CITE, INTENTS, Context, normalise
from citescape.text.intents.members import Arrays, Fitted, Margins, hold_out, targets
from citescape.text.intents.scicite import Example
from citescape.text.intents.steps import IntentConfig

FOLDER = "encoder"
_WORDS = {"I": "introduction", "M": "methods", "R": "results", "D": "discussion"}
_HEADING = 60  # characters
_REPORTED = 10  # steps


@dataclass(frozen=True)
class TransformerMember:
    """A fine-tuned encoder with its head."""

    encoder: nn.Module
    head: nn.Linear
    tokenizer: Any
    config: IntentConfig

    def __call__(self, contexts: Sequence[Context]) -> Margins:
        """Margins (n, 3): batches are of texts of like length."""
        ids = self.tokenise(contexts)
        found = np.zeros((len(contexts), len(INTENTS)))
        self.encoder.eval()
        with torch.inference_mode():
            for rows in batch_by_length(ids):
                found[rows] = self.logits([ids[row] for row in rows]).cpu().numpy()
        return found

    def tokenise(self, contexts: Sequence[Context]) -> Ids:
        """Token ids; a sentence that is too long is cut, and a heading of over half the room."""
        ids: list[list[int]] = [[] for _ in contexts]
        places = [_place(context) for context in contexts]
        texts = [normalise(context.text).replace(CITE, "(citation)") for context in contexts]
        for cut, rows in self._cuts(places):
            pairs = [places[row] for row in rows], [texts[row] for row in rows]
            found = self.tokenizer(*pairs, truncation=cut, max_length=self._room)["input_ids"]
            for row, tokens in zip(rows, found, strict=True):
                ids[row] = tokens
        return ids

    def _cuts(self, places: Sequence[str]) -> Iterator[tuple[str, list[int]]]:
        """Rows by what may be cut: where a heading takes the room, it as well as the sentence."""
        distinct = sorted(set(places))
        if not distinct:
            return
        tokens = self.tokenizer(distinct, add_special_tokens=False)["input_ids"]
        long = {one for one, ids in zip(distinct, tokens, strict=True) if 2 * len(ids) > self._room}
        for cut, among in (("only_second", False), ("longest_first", True)):
            rows = [row for row, place in enumerate(places) if (place in long) == among]
            if rows:
                yield cut, rows

    @property
    def _room(self) -> int:
        """Tokens of a heading and its sentence."""
        return fitting_tokens(self.encoder, self.config.max_tokens)

    def logits(self, ids: Ids) -> Tensor:
        """(B, 3) of a batch of token ids."""
        tokens, mask = pad_tokens(ids, self.tokenizer, self.head.weight.device)  # (B, T)
        hidden = self.encoder(input_ids=tokens, attention_mask=mask).last_hidden_state
        pooled = mean_pool(hidden.float(), mask)  # (B, d)
        rate = self.config.dropout if self.encoder.training else 0.0
        found: Tensor = self.head(nn.functional.dropout(pooled, rate))
        return found

    def tensors(self) -> dict[str, npt.NDArray[Any]]:
        """The head's; the encoder is a folder of its own."""
        state = self.head.state_dict().items()
        return {f"head.{name}": value.cpu().numpy() for name, value in state}

    def save(self, folder: Path) -> None:
        """Writes the encoder as a Hugging Face model."""
        self.encoder.save_pretrained(folder / FOLDER)  # type: ignore[operator]
        self.tokenizer.save_pretrained(folder / FOLDER)

    @classmethod
    def load(cls, tensors: Arrays, folder: Path, config: IntentConfig) -> TransformerMember:
        """What `tensors` and `save` wrote.

        Raises:
            SourceError: the folder of the encoder is missing or damaged.
        """
        try:
            encoder, tokenizer = load_transformer(str(folder / FOLDER))
        except ConfigError as error:
            raise SourceError(
                str(folder / FOLDER), "not-a-model", f"{error.__cause__}; train the model again"
            ) from error
        head = nn.Linear(*reversed(tensors["head.weight"].shape))
        head.load_state_dict(
            {name: torch.tensor(tensors[f"head.{name}"]) for name in ("weight", "bias")}
        )
        return cls(encoder.to(choose_device()).eval(), head.to(choose_device()), tokenizer, config)


def fit_transformer(
    examples: Sequence[Example], config: IntentConfig, progress: Progress = silent
) -> Fitted:
    """A model of all examples but the share that is held out.

    Raises:
        ConfigError: there is no such encoder (the message names the options), too few papers know
            an intent, or the training did not converge.
    """
    held = hold_out(examples, config)
    with fixed_randomness(config.seed, threads=config.threads):
        member = _start(config)
        taught = [example for example, out in zip(examples, held, strict=True) if not out]
        _train(member, taught, progress)
        weights = [*member.encoder.parameters(), *member.head.parameters()]
        if not all(bool(torch.isfinite(one).all()) for one in weights):
            raise ConfigError(
                "the transformer's training did not converge: found weights that are not finite; "
                f"expected a learning_rate below {config.learning_rate:g}"
            )
        margins = np.full((len(examples), len(INTENTS)), np.nan)
        judged = [example.context for example, out in zip(examples, held, strict=True) if out]
        margins[held] = member(judged)
    return Fitted(member, margins)


def _start(config: IntentConfig) -> TransformerMember:
    """The encoder without its upper layers, the lower ones fixed, under a new head."""
    encoder, tokenizer = load_transformer(config.encoder or default_encoder())
    stack = getattr(getattr(encoder, "encoder", None), "layer", None)
    if isinstance(stack, nn.ModuleList):  # BERT and its kin; others are trained as a whole
        kept = max(1, round(len(stack) * config.kept_layers))
        frozen = min(kept - 1, round(len(stack) * config.frozen_layers))
        encoder.encoder.layer = stack[:kept]  # type: ignore[union-attr]
        encoder.config.num_hidden_layers = kept  # type: ignore[union-attr]
        for part in (encoder.embeddings, *stack[:frozen]):
            part.requires_grad_(False)
    head = nn.Linear(int(encoder.config.hidden_size), len(INTENTS))  # type: ignore[union-attr, arg-type]
    nn.init.normal_(head.weight, std=0.02)
    nn.init.zeros_(head.bias)
    return TransformerMember(
        encoder.to(choose_device()), head.to(choose_device()), tokenizer, config
    )


def _train(member: TransformerMember, examples: Sequence[Example], progress: Progress) -> None:
    config = member.config
    ids = member.tokenise([example.context for example in examples])
    wanted = torch.tensor(targets(examples), dtype=torch.float32, device=member.head.weight.device)
    weights = _class_weights(wanted)
    tuned = [p for p in member.encoder.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(
        [
            {"params": tuned, "lr": config.learning_rate},
            {"params": member.head.parameters(), "lr": config.head_learning_rate},
        ],
        weight_decay=config.weight_decay,
    )
    steps = list(_steps(ids, config))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, _ramp(len(steps), config.warm_up))
    member.encoder.train()
    for k, rows in enumerate(steps):
        if k % _REPORTED == 0:
            progress(f"training: step {k:,} of {len(steps):,}")
        logits = member.logits([ids[row] for row in rows])
        loss = nn.functional.binary_cross_entropy_with_logits(
            logits, wanted[rows], pos_weight=weights
        )
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(tuned, 1.0)
        optimiser.step()
        schedule.step()
        optimiser.zero_grad()
    member.encoder.eval()


def _steps(ids: Ids, config: IntentConfig) -> Iterator[list[int]]:
    """Rows of each step: in random order, but like lengths together where that costs little."""
    rng = np.random.default_rng(config.seed)
    window = config.batch * 32
    for _ in range(config.epochs):
        order = rng.permutation(len(ids)).tolist()
        batches: list[list[int]] = []
        for start in range(0, len(order), window):
            near = sorted(order[start : start + window], key=lambda row: len(ids[row]))
            batches += [near[k : k + config.batch] for k in range(0, len(near), config.batch)]
        for k in rng.permutation(len(batches)):
            yield batches[k]


def _ramp(steps: int, warm_up: float) -> Any:
    """The learning rate rises for a while, then falls linearly to 0."""
    rise = max(1, round(steps * warm_up))
    return lambda step: min((step + 1) / rise, max(0.0, (steps - step) / max(1, steps - rise)))


def _class_weights(wanted: Tensor) -> Tensor:
    """sqrt(without / with) an intent, halfway between equal examples and equal classes: (3,)."""
    share = wanted.mean(0)
    return ((1 - share) / share).sqrt()


def _place(context: Context) -> str:
    """`methods: sampling`: where the sentence stands."""
    heading = clean_title(context.title[:_HEADING]).lower()
    return f"{_WORDS.get(context.section, 'other')}: {heading}"
