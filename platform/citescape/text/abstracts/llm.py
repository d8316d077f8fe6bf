"""An instruction-tuned LLM as a splitter (FLeW, section 3.2), whose answers are checked.

After an answer that breaks the contract, the request is repeated with the error; after `attempts`
answers, the fallback splits the abstract.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import TypeVar

from citescape.core.errors import ConfigError, ServiceError
from citescape.runs.directory import RunRecord
from citescape.text.abstracts.abstract import SENTENCES_VERSION
from citescape.text.abstracts.chat import AbstractRefusedError, Chat, ServerBusyError
from citescape.text.abstracts.contract import INSTRUCTION, AnswerError, read_answer
from citescape.text.abstracts.facets import FacetLabels, Sentences, Splitter
from citescape.text.abstracts.headings import HEADINGS_VERSION

Input = TypeVar("Input")
Output = TypeVar("Output")
REASONS = {
    "empty": "without text",
    "too_long": "too long to be sent",
    "contract": "answers that broke the contract",
    "no_answer": "no answer",
    "refused": "refused by the server",
}
"""Reason for which an abstract is not split by the LLM -> its text in messages."""
_LONGEST = 20_000
"""Maximum characters; the fallback splits longer abstracts."""
_PATIENCE = 10
"""Number of consecutive abstracts without an answer after which the labelling ends."""
_PROBE = "Rice is a crop. We sowed it in May. It grew."
"""An abstract that any server should accept."""


@dataclass
class LlmSplitter:
    """Sends several abstracts in parallel; `fallback` labels those that fail."""

    chat: Chat
    fallback: Splitter
    attempts: int = 3
    """Maximum number of answers per abstract."""
    record: RunRecord = field(init=False)
    answers: int = 0
    """Number of answers received."""
    fell_back: Counter[str] = field(default_factory=Counter)
    """Number of abstracts that the fallback labelled, by reason (`REASONS`)."""
    messages: dict[str, str] = field(default_factory=dict)
    """Last message of the server, by reason."""
    last_labels: list[FacetLabels | None] = field(default_factory=list)
    """Labels of the abstracts of the last call, kept after an error; None if not labelled."""
    _unanswered: int = 0
    """Number of consecutive abstracts without an answer."""
    _lock: Lock = field(default_factory=Lock)
    _probing: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        config = {
            "llm": self.chat.config.model,
            "instruction": INSTRUCTION,
            "headings": HEADINGS_VERSION,
            "sentences": SENTENCES_VERSION,
        }
        self.record = RunRecord.create("split-llm", config, {}, libraries=("citescape", "httpx"))

    @property
    def batch(self) -> int:
        """Number of abstracts per call; small, so that little is lost if the program is killed."""
        return max(4 * self.chat.config.parallel, 16)

    def __call__(self, abstracts: Sequence[Sentences]) -> list[FacetLabels]:
        """Labels of each abstract; after an error `last_labels` holds those received so far.

        Raises:
            ConfigError: the server refuses all requests.
            ServiceError: the server no longer answers.
        """
        self.last_labels = [None] * len(abstracts)
        reasons: dict[int, str] = {}
        for k, split in run_in_parallel(self._split, abstracts, threads=self.chat.config.parallel):
            if isinstance(split, str):
                reasons[k] = split
            else:
                self.last_labels[k] = FacetLabels(split, "llm", self.record.id)
        self.fell_back.update(reasons.values())
        failed = sorted(reasons)
        for k, labels in zip(failed, self.fallback([abstracts[k] for k in failed]), strict=True):
            self.last_labels[k] = labels
        return [labels for labels in self.last_labels if labels is not None]

    def _split(self, sentences: Sentences) -> tuple[str, ...] | str:
        """The facets of one abstract, or the reason for the fallback."""
        text = "".join(sentences)
        if not text.strip():
            return "empty"
        if len(text) > _LONGEST:
            return "too_long"
        messages = _messages(text)
        for _ in range(self.attempts):
            try:
                answer = self._request(messages)
            except (AbstractRefusedError, ServerBusyError) as error:
                refused = isinstance(error, AbstractRefusedError)
                reason = "refused" if refused else "no_answer"
                self.messages[reason] = str(error)
                return reason
            try:
                return read_answer(answer, sentences)
            except AnswerError as error:
                correction = f"Wrong: {error}. Answer again, the whole JSON object."
                messages = [
                    *messages[:2],
                    {"role": "assistant", "content": answer},
                    {"role": "user", "content": correction},
                ]
        return "contract"

    def _request(self, messages: Sequence[dict[str, str]]) -> str:
        """One answer of the server.

        Raises:
            AbstractRefusedError: the server refuses this request, but has answered others.
            ServerBusyError: the server does not answer this request.
            ConfigError: the server refuses all requests.
            ServiceError: the server has not answered for many abstracts.
        """
        try:
            answer = self.chat.complete(messages)
        except ServerBusyError as error:
            self._count_unanswered(error)
            raise
        except AbstractRefusedError:
            self._probe()
            raise
        with self._lock:
            self.answers += 1
            self._unanswered = 0
        return answer

    def _probe(self) -> None:
        """Sends an abstract that any server should accept, unless it has answered before."""
        with self._probing:
            if self.answers:
                return
            try:
                self.chat.complete(_messages(_PROBE))
            except ServerBusyError as error:
                self._count_unanswered(error)
                raise
            except AbstractRefusedError as error:
                config = self.chat.config
                raise ConfigError(
                    f"{error}; see --llm {config.url} and --llm-model {config.model}"
                ) from error
            with self._lock:
                self.answers += 1

    def _count_unanswered(self, error: ServerBusyError) -> None:
        with self._lock:
            self._unanswered += 1
            # a server that has never answered is given up after the first round of requests
            first_round = min(_PATIENCE, self.chat.config.parallel)
            if self._unanswered >= (_PATIENCE if self.answers else first_round):
                raise ServiceError(
                    f"{error}; expected an OpenAI-compatible server there: start it or name "
                    "another with --llm, then repeat the command: abstracts already split are kept"
                ) from error


def _messages(text: str) -> list[dict[str, str]]:
    return [
        {"role": "system", "content": INSTRUCTION},
        {"role": "user", "content": text.strip()},
    ]


def run_in_parallel(
    work: Callable[[Input], Output], inputs: Sequence[Input], *, threads: int
) -> Iterator[tuple[int, Output]]:
    """Index of each input and result of `work`, in the order in which they finish.

    The first exception or Ctrl-C ends it at once: the threads are daemons, while those of
    `ThreadPoolExecutor` would delay the end of the program until a server answers.

    Args:
        work: function of one input.
        inputs: each is processed once.
        threads: maximum number of threads.
    """
    stopped = Event()
    todo: SimpleQueue[tuple[int, Input]] = SimpleQueue()
    done: SimpleQueue[tuple[int, Future[Output]]] = SimpleQueue()
    for item in enumerate(inputs):
        todo.put(item)

    def run_thread() -> None:
        while not stopped.is_set():
            try:
                k, value = todo.get_nowait()
            except Empty:
                return
            outcome: Future[Output] = Future()
            try:
                outcome.set_result(work(value))
            except BaseException as error:
                outcome.set_exception(error)
            done.put((k, outcome))

    try:
        for _ in range(min(threads, len(inputs))):
            Thread(target=run_thread, daemon=True).start()
        for _ in inputs:
            k, outcome = done.get()
            yield k, outcome.result()
    finally:
        stopped.set()
