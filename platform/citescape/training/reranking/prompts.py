"""Generative models as rerankers: the logit of the answer yes to a prompt with both texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from citescape.training.reranking.pairs import Frame, PaddedPairs


@dataclass(frozen=True)
class Prompt:
    """Text around query and candidate, and the answers."""

    before: str
    query: str
    """Prefix of the query, tokenised with it."""
    between: str
    candidate: str
    """Prefix of the candidate, tokenised with it."""
    after: str
    yes: str
    no: str = ""
    """Its logit is subtracted from that of `yes`; empty for the logit of `yes` alone."""

    def frame(self, tokenizer: Any) -> Frame:
        """The tokens that all pairs share, special tokens at the start included."""
        before = tokenizer(self.before)["input_ids"]
        between, after = (
            np.array(tokenizer(text, add_special_tokens=False)["input_ids"], np.int64)
            for text in (self.between, self.after)
        )
        return Frame(np.array(before, np.int64), between, after, types=(0,) * 5)


PROMPTS = {
    "qwen3": Prompt(
        "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query "
        'and the Instruct provided. Note that the answer can only be "yes" or "no".<|im_end|>\n'
        "<|im_start|>user\n<Instruct>: Given a citation context and citing paper information, "
        "determine if the candidate paper is relevant to be cited in this context\n<Query>:",
        " ",
        "\n<Document>:",
        " ",
        "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n",
        "yes",
        "no",
    ),
    "gemma": Prompt(
        "",
        "A: ",
        "\n",
        "B: ",
        "\nGiven a query A and a passage B, determine whether the passage contains an answer to "
        "the query by providing a prediction of either 'Yes' or 'No'.",
        "Yes",
    ),
}
"""By the `model_type` of config.json. Instruction and question are from DAVINCI, section 6.3, the
template from the model cards of Qwen3-Reranker and bge-reranker-v2-gemma."""


class Answer:
    """Scores (B,): logit of `yes` as the next token, minus that of `no` if the prompt has one."""

    def __init__(self, model: Any, tokenizer: Any, prompt: Prompt) -> None:
        words = filter(None, (prompt.yes, prompt.no))
        self._model = model
        self._words = [tokenizer(word, add_special_tokens=False)["input_ids"][0] for word in words]

    def __call__(self, pairs: PaddedPairs, _signals: torch.Tensor) -> torch.Tensor:
        """Scores (B,) of pairs, which are padded at their end."""
        output = self._model.base_model(input_ids=pairs.ids, attention_mask=pairs.mask)
        last = pairs.mask.sum(1) - 1
        rows = torch.arange(len(last), device=last.device)
        states = output.last_hidden_state[rows, last]  # (B, d)
        logits = self._model.get_output_embeddings()(states)[:, self._words].float()
        scores: torch.Tensor = logits[:, 0] - logits[:, 1:].sum(1)
        return scores
