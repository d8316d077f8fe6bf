"""An instruction-tuned LLM as a splitter (FLeW, section 3.2), held to its contract.

An answer that breaks the contract is asked for again, with what was wrong; after `attempts` another
splitter takes the abstract, and that is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

from citescape.errors import ServiceError
from citescape.runs import RunRecord, library_versions, run_id
from citescape.text.abstracts.chat import Chat, ServerBusyError
from citescape.text.abstracts.contract import INSTRUCTION, AnswerError, read_answer
from citescape.text.abstracts.facets import Labels, Sentences, Splitter
from citescape.text.abstracts.parallel import in_parallel


@dataclass(frozen=True)
class LlmConfig:
    """How the LLM is asked."""

    attempts: int = 3
    """Answers to one abstract."""
    parallel: int = 4
    """Requests at once."""
    longest: int = 20_000
    """Characters; longer abstracts are the fallback's."""
    patience: int = 10
    """Abstracts in a row without any answer after which the server is given up."""


@dataclass
class LlmSplitter:
    """Asks for each abstract, several at once; `fallback` labels those that fail."""

    chat: Chat
    fallback: Splitter
    config: LlmConfig = field(default_factory=LlmConfig)
    record: RunRecord = field(init=False)
    attempts: int = 0
    """Answers asked for so far."""
    problem: str = ""
    """Why the server gave no answer, the last time."""
    _silent: int = 0
    """Abstracts in a row that the server did not answer."""
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        config = {"llm": self.chat.config.model, "instruction": INSTRUCTION}
        self.record = RunRecord(
            id=run_id("split-llm", config, {}),
            command="split label",
            config=config,
            inputs={},
            versions=library_versions("citescape", "httpx"),
        )

    def __call__(self, abstracts: Sequence[Sentences]) -> list[Labels]:
        """Labels of each abstract.

        Raises:
            ConfigError: the server refused.
            ServiceError: it answers no more.
        """
        found = in_parallel(self._ask, abstracts, threads=self.config.parallel)
        return self._fill(abstracts, found)

    def _fill(
        self, abstracts: Sequence[Sentences], found: Sequence[tuple[str, ...] | None]
    ) -> list[Labels]:
        """The LLM's labels, and the fallback's where there are none."""
        left = [one for one, facets in zip(abstracts, found, strict=True) if facets is None]
        others = iter(self.fallback(left))
        return [
            next(others) if facets is None else Labels(facets, "llm", self.record.id)
            for facets in found
        ]

    def _ask(self, sentences: Sentences) -> tuple[str, ...] | None:
        """The facets of one abstract, or None."""
        text = "".join(sentences)
        if not text.strip() or len(text) > self.config.longest:
            return None
        messages = [
            {"role": "system", "content": INSTRUCTION},
            {"role": "user", "content": text.strip()},
        ]
        for _ in range(self.config.attempts):
            answer = self._answer(messages)
            if answer is None:
                return None
            try:
                return read_answer(answer, sentences)
            except AnswerError as error:
                wrong = f"Wrong: {error}. Answer again, the whole JSON object."
                said = {"role": "assistant", "content": answer}
                messages = [*messages[:2], said, {"role": "user", "content": wrong}]
        return None

    def _answer(self, messages: Sequence[dict[str, str]]) -> str | None:
        """One answer, or None if the server gave none.

        Raises:
            ServiceError: nor to so many abstracts before, or to any so far.
        """
        try:
            answer = self.chat.ask(messages)
        except ServerBusyError as error:
            with self._lock:
                self._silent += 1
                self.problem = str(error)
                few = min(self.config.patience, self.config.parallel)
                if self._silent >= (self.config.patience if self.attempts else few):
                    raise ServiceError(
                        f"{error}; expected an OpenAI-compatible server there: start it or name "
                        "another with --llm; what is split stays, the same command goes on"
                    ) from error
            return None
        with self._lock:
            self.attempts += 1
            self._silent = 0
        return answer
