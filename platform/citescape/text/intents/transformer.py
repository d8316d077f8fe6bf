"""A pretrained transformer, fine-tuned to classify the intents of a citation from its sentence.

The input is section type and heading, then the sentence: `methods: sampling [SEP] Soils were ...`.
The lower layers are frozen, the upper ones dropped (`IntentConfig`). A linear head over the mean of
the token vectors gives one logit per intent.
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
from citescape.text.intents.contexts import CITE, INTENTS, CitationContext, normalise
from citescape.text.intents.members import Arrays, FittedMember, Margins, hold_out, targets
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

    def __call__(self, contexts: Sequence[CitationContext]) -> Margins:
        """Margins (n, 3), in batches of texts of similar length."""
        ids = self.tokenise(contexts)
        margins = np.zeros((len(contexts), len(INTENTS)))
        self.encoder.eval()
        with torch.inference_mode():
            for rows in batch_by_length(ids):
                margins[rows] = self.logits([ids[row] for row in rows]).cpu().numpy()
        return margins

    def tokenise(self, contexts: Sequence[CitationContext]) -> Ids:
        """Token ids; long sentences are truncated, and headings of more than half of the tokens."""
        if not contexts:
            return []
        headings = []  # such as `methods: sampling`
        for context in contexts:
            title = clean_title(context.title[:_HEADING]).lower()
            headings.append(f"{_WORDS.get(context.section, 'other')}: {title}")
        texts = [normalise(context.text).replace(CITE, "(citation)") for context in contexts]
        most = fitting_tokens(self.encoder, self.config.max_tokens)
        distinct = sorted(set(headings))
        tokens = self.tokenizer(distinct, add_special_tokens=False)["input_ids"]
        long = {text for text, part in zip(distinct, tokens, strict=True) if 2 * len(part) > most}

        ids: list[list[int]] = [[] for _ in contexts]
        for truncation, is_long in (("only_second", False), ("longest_first", True)):
            rows = [row for row, heading in enumerate(headings) if (heading in long) == is_long]
            if rows:
                pairs = [headings[row] for row in rows], [texts[row] for row in rows]
                encoded = self.tokenizer(*pairs, truncation=truncation, max_length=most)
                for row, tokens in zip(rows, encoded["input_ids"], strict=True):
                    ids[row] = tokens
        return ids

    def logits(self, ids: Ids) -> Tensor:
        """Logits (B, 3) of a batch of token ids."""
        tokens, mask = pad_tokens(ids, self.tokenizer, self.head.weight.device)  # (B, T)
        hidden = self.encoder(input_ids=tokens, attention_mask=mask).last_hidden_state
        pooled = mean_pool(hidden.float(), mask)  # (B, d)
        rate = self.config.dropout if self.encoder.training else 0.0
        logits: Tensor = self.head(nn.functional.dropout(pooled, rate))
        return logits

    def tensors(self) -> dict[str, npt.NDArray[Any]]:
        """Arrays of the head; the encoder is saved in a folder."""
        state = self.head.state_dict().items()
        return {f"head.{name}": value.cpu().numpy() for name, value in state}

    def save(self, folder: Path) -> None:
        """Writes the encoder as a Hugging Face model."""
        self.encoder.save_pretrained(folder / FOLDER)  # type: ignore[operator]
        self.tokenizer.save_pretrained(folder / FOLDER)

    @classmethod
    def load(cls, tensors: Arrays, folder: Path, config: IntentConfig) -> TransformerMember:
        """The inverse of `tensors` and `save`.

        Args:
            tensors: result of `tensors`.
            folder: folder of the run.
            config: settings of the training.

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
) -> FittedMember:
    """A model of all examples but the held-out share.

    Args:
        examples: labelled citations.
        config: encoder and settings of the training.
        progress: reports the steps.

    Raises:
        ConfigError: the encoder is missing, too few papers have an intent, or the training did
            not converge.
    """
    held = hold_out(examples, config)
    with fixed_randomness(config.seed, threads=config.threads):
        member = _build_member(config)
        _train(member, [examples[k] for k in np.flatnonzero(~held).tolist()], progress)
        weights = [*member.encoder.parameters(), *member.head.parameters()]
        if not all(bool(torch.isfinite(array).all()) for array in weights):
            raise ConfigError(
                "the transformer's training did not converge: found weights that are not finite; "
                f"expected a learning_rate below {config.learning_rate:g}"
            )
        margins = np.full((len(examples), len(INTENTS)), np.nan)
        margins[held] = member([examples[k].context for k in np.flatnonzero(held).tolist()])
    return FittedMember(member, margins)


def _build_member(config: IntentConfig) -> TransformerMember:
    """The encoder without its upper layers, the lower ones frozen, and a new head."""
    encoder, tokenizer = load_transformer(config.encoder or default_encoder())
    stack = getattr(getattr(encoder, "encoder", None), "layer", None)
    if isinstance(stack, nn.ModuleList):  # models such as BERT; other architectures are kept whole
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
    truth = torch.tensor(targets(examples), dtype=torch.float32, device=member.head.weight.device)
    share = truth.mean(0)
    # sqrt(without / with) each intent (3,): between equal weights of examples and of classes
    weights = ((1 - share) / share).sqrt()
    tuned = [p for p in member.encoder.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(
        [
            {"params": tuned, "lr": config.learning_rate},
            {"params": member.head.parameters(), "lr": config.head_learning_rate},
        ],
        weight_decay=config.weight_decay,
    )
    steps = list(_steps(ids, config))
    total, rise = len(steps), max(1, round(len(steps) * config.warm_up))

    def ramp(step: int) -> float:
        """The learning rate rises during the warm-up, then falls linearly to 0."""
        return min((step + 1) / rise, max(0.0, (total - step) / max(1, total - rise)))

    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, ramp)
    member.encoder.train()
    for k, rows in enumerate(steps):
        if k % _REPORTED == 0:
            progress(f"training: step {k:,} of {total:,}")
        logits = member.logits([ids[row] for row in rows])
        loss = nn.functional.binary_cross_entropy_with_logits(
            logits, truth[rows], pos_weight=weights
        )
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(tuned, 1.0)
        optimiser.step()
        schedule.step()
        optimiser.zero_grad()
    member.encoder.eval()


def _steps(ids: Ids, config: IntentConfig) -> Iterator[list[int]]:
    """Rows of each step, in random order, but with similar lengths together within a window."""
    rng = np.random.default_rng(config.seed)
    window = config.batch * 32
    for _ in range(config.epochs):
        order = rng.permutation(len(ids)).tolist()
        batches: list[list[int]] = []
        for start in range(0, len(order), window):
            by_length = sorted(order[start : start + window], key=lambda row: len(ids[row]))
            batches += [
                by_length[k : k + config.batch] for k in range(0, len(by_length), config.batch)
            ]
        for k in rng.permutation(len(batches)):
            yield batches[k]
