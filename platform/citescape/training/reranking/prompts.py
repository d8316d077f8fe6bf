"""Generative models as rerankers: asked yes or no about query and candidate in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from citescape.training.reranking.pairs import Frame, Pairs


@dataclass(frozen=True)
class Prompt:
    """What stands around query and candidate, and which answers are looked at."""

    before: str
    query: str
    """Right before the query, and tokens with it; likewise `candidate`."""
    between: str
    candidate: str
    after: str
    yes: str
    no: str = ""
    """Empty: the score is the logit of `yes` alone, else its lead over this one."""

    def frame(self, tokenizer: Any) -> Frame:
        """What is the same for all pairs, as tokens; special ones before a text stay there."""
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
"""By the `model_type` of config.json. Instruction and question are those of DAVINCI, section 6.3;
what stands around them is as the cards of Qwen3-Reranker and bge-reranker-v2-gemma have it."""


class Answer:
    """Logit of yes as the next token, less that of no where there is one: (B,)."""

    def __init__(self, model: Any, tokenizer: Any, prompt: Prompt) -> None:
        words = filter(None, (prompt.yes, prompt.no))
        self._model = model
        self._words = [tokenizer(word, add_special_tokens=False)["input_ids"][0] for word in words]

    def __call__(self, pairs: Pairs, _signals: torch.Tensor) -> torch.Tensor:
        """Of pairs padded at their end, which a token before does not see."""
        told = self._model.base_model(input_ids=pairs.ids, attention_mask=pairs.mask)
        last = pairs.mask.sum(1) - 1
        states = told.last_hidden_state[torch.arange(len(last), device=last.device), last]  # (B, d)
        logits = self._model.get_output_embeddings()(states)[:, self._words].float()
        found: torch.Tensor = logits[:, 0] - logits[:, 1:].sum(1)
        return found
