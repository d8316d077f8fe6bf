"""Runs functions in programs of their own, which may be killed, without importing torch in each.

`python -m tests.forks` imports what trainings need, which takes five seconds of a processor. Then
each call is a fork of it.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]


class Outcome(NamedTuple):
    """How a program ended."""

    status: int
    """Exit status; negative: the signal that ended it."""
    stdout: str
    stderr: str


def run_forked(function: str, *arguments: Any) -> Outcome:
    """Calls `module:name` in a fork, with arguments that JSON can hold."""
    server = _server()
    assert server.stdin
    assert server.stdout
    print(json.dumps([function, arguments]), file=server.stdin, flush=True)
    return Outcome(*json.loads(server.stdout.readline()))


@cache
def _server() -> subprocess.Popen[str]:
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.forks"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(server.communicate)
    return server


def _serve() -> None:
    """Answers each line of standard input with the outcome of a call."""
    import ladybug
    import pandas
    import polars
    import pyarrow
    import torch.distributed.launcher.api
    import transformers.models.bert.modeling_bert
    import transformers.models.bert.tokenization_bert
    from torch.utils.tensorboard import SummaryWriter
    from transformers import AutoModel, AutoTokenizer
    from transformers.conversion_mapping import get_checkpoint_conversion_mapping

    import citescape.cli.main
    import citescape.corpus
    import citescape.training.train
    from citescape.core.draws import hash_ids

    del ladybug, pandas, polars, torch, transformers, citescape
    del AutoModel, AutoTokenizer, SummaryWriter
    get_checkpoint_conversion_mapping("bert")  # regular expressions of all kinds of models
    hash_ids(pyarrow.array(["x"]))  # loads what numba has compiled
    for line in sys.stdin:
        with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as error:
            child = os.fork()
            if not child:
                os.dup2(output.fileno(), 1)
                os.dup2(error.fileno(), 2)
                _call(*json.loads(line))
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            output.seek(0)
            error.seek(0)
            print(json.dumps([status, output.read(), error.read()]), flush=True)


def _call(function: str, arguments: list[Any]) -> None:
    """Calls a function and ends the process."""
    status = 1
    try:
        resolve_name(function)(*arguments)
        status = 0
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    _serve()
