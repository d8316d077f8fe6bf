"""Generative rerankers, compared with scores of whole prompts by transformers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers, processors
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    GemmaConfig,
    GemmaForCausalLM,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
    Qwen3Config,
    Qwen3ForCausalLM,
)

from citescape.core.errors import ConfigError
from citescape.training.reranking.prompts import PROMPTS
from citescape.training.reranking.rerankers import open_reranker
from citescape.training.reranking.shortlists import Shortlists
from tests.training.reranking.conftest import FILLERS, SUBJECTS, plant

QWEN = (
    "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and "
    'the Instruct provided. Note that the answer can only be "yes" or "no".<|im_end|>\n'
    "<|im_start|>user\n<Instruct>: Given a citation context and citing paper information, "
    "determine if the candidate paper is relevant to be cited in this context\n"
    "<Query>: {query}\n<Document>: {doc}<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"
)
GEMMA = (
    "<bos>A: {query}\nB: {doc}\nGiven a query A and a passage B, determine whether the passage "
    "contains an answer to the query by providing a prediction of either 'Yes' or 'No'."
)
MARKS = ["<unk>", "<pad>", "<bos>", "<|im_start|>", "<|im_end|>"]
KINDS = {
    "qwen3": (Qwen3Config, Qwen3ForCausalLM, QWEN, ("yes", "no")),
    "gemma": (GemmaConfig, GemmaForCausalLM, GEMMA, ("Yes",)),
    "llama": (LlamaConfig, LlamaForCausalLM, "", ()),
}


def write_generator(folder: Path, kind: str) -> Path:
    """A model of one layer with random weights and the words of prompts."""
    config, model = KINDS[kind][:2]
    split = pre_tokenizers.Whitespace()
    messages = f"{QWEN} {GEMMA}".format(query="", doc="")
    for mark in MARKS:
        messages = messages.replace(mark, " ")
    prompts = [word for word, _ in split.pre_tokenize_str(messages)]
    words = list(dict.fromkeys([*MARKS, *SUBJECTS, *FILLERS, *prompts]))
    word_level = Tokenizer(models.WordLevel({w: k for k, w in enumerate(words)}, unk_token="<unk>"))
    word_level.pre_tokenizer = split
    word_level.add_special_tokens([AddedToken(mark, normalized=False) for mark in MARKS])
    if kind == "gemma":
        word_level.post_processor = processors.TemplateProcessing(
            single="<bos> $A", special_tokens=[("<bos>", 2)]
        )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=word_level, unk_token="<unk>", pad_token="<pad>", bos_token="<bos>"
    )
    tokenizer.save_pretrained(folder)
    shape = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "head_dim": 8}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 2, "initializer_range": 0.5}
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model(config(vocab_size=len(words), **shape, **heads)).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("kind", sorted(PROMPTS))
def test_scores_equal_those_of_whole_prompts(kind: str, tmp_path: Path) -> None:
    folder, (_, _, prompt, words) = write_generator(tmp_path, kind), KINDS[kind]
    model = AutoModelForCausalLM.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    ids = [tokenizer.convert_tokens_to_ids(word) for word in words]
    lists = plant(4)
    reranker = open_reranker(str(folder), Path("runs"), precision="float32")
    expected = np.zeros_like(lists.scores)
    for row, codes in enumerate(lists.papers):
        for k, code in enumerate(codes):
            text = prompt.format(query=lists.queries[row], doc=lists.candidates[code])
            read = tokenizer(text, add_special_tokens=False, return_tensors="pt")
            assert tokenizer.unk_token_id not in read["input_ids"]
            with torch.inference_mode():
                logits = model(**read).logits[0, -1, ids].tolist()
            expected[row, k] = logits[0] - sum(logits[1:])
    assert expected.std() > 0.001
    np.testing.assert_allclose(reranker.score(lists), expected, atol=1e-6)
    messages = reranker.describe()
    assert messages["prompt"]["yes"] == words[0]
    assert (messages["max_tokens"], reranker.abstracts) == (512, False)


def test_long_texts_are_truncated_but_not_the_question(tmp_path: Path) -> None:
    folder = write_generator(tmp_path, "qwen3")
    frame = PROMPTS["qwen3"].frame(AutoTokenizer.from_pretrained(folder))
    single_row = np.zeros((1, 1), np.int32)
    result = []
    for words in (3, 400):
        lists = Shortlists(
            ["wheat " * words], ["rust " * words], single_row, single_row.astype(np.float32)
        )
        reranker = open_reranker(str(folder), Path("runs"), max_tokens=frame.size + 6)
        result.append(reranker.score(lists)[0, 0])
    assert result[0] == result[1]
    with pytest.raises(ConfigError, match=f"expected more than {frame.size + 1}"):
        open_reranker(str(folder), Path("runs"), max_tokens=frame.size).score(plant(1))


def test_a_generative_model_without_a_prompt_is_refused(tmp_path: Path) -> None:
    folder = write_generator(tmp_path, "llama")
    with pytest.raises(ConfigError, match=r"type 'llama'; expected .*gemma, qwen3"):
        open_reranker(str(folder), Path("runs"))
