"""Warnings and log records on standard error, without secrets."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from citescape.core.redaction import redact
from citescape.core.terminal import echo
from citescape.training.processes import is_first_process


@contextmanager
def diagnostics() -> Iterator[None]:
    """Prints warnings of citescape as one line each, once; redacts those of libraries, and logs."""
    make_record = logging.getLogRecordFactory()

    def make_redacted(*arguments: Any, **options: Any) -> logging.LogRecord:
        record = make_record(*arguments, **options)
        try:
            text = record.getMessage()
        except Exception:  # the library passed wrong arguments; its work may go on
            text = f"{record.msg} {record.args}"
        record.msg, record.args = redact(text), ()
        if record.exc_info:
            record.exc_text = redact(logging.Formatter().formatException(record.exc_info))
        return record

    with warnings.catch_warnings():
        warnings.showwarning = _make_printer()
        logging.setLogRecordFactory(make_redacted)
        try:
            yield
        finally:
            logging.setLogRecordFactory(make_record)


def _make_printer() -> Callable[..., None]:
    """A replacement for `warnings.showwarning`."""
    shown: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *place: Any) -> None:
        text = f"warning: {' '.join(str(message).split())}"
        if not category.__module__.startswith("citescape."):
            filename, line_number, *_ = place
            text = warnings.formatwarning(message, category, filename, line_number).rstrip()
        if text not in shown and is_first_process():
            shown.add(text)
            echo(*redact(text).split("\n"), err=True)

    return show
