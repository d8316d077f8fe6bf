"""A child process as the sandbox starts it, but it runs Python in place of Cypher.

The value of each expression, or its error, is the answer: what a query could do that has taken
over the engine.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "platform"))

from citescape.sandbox import child


def run(store: Any, request: dict[str, Any]) -> dict[str, Any]:
    """Runs each program, which sets `value`."""
    import ctypes
    import os
    import resource
    import socket
    import subprocess
    import threading

    modules = (ctypes, os, resource, socket, subprocess, threading)
    names = {module.__name__: module for module in modules}
    values = {}
    for name, program in request["programs"].items():
        scope = {**names, "store": store, "value": None}
        try:
            exec(program, scope)
            values[name] = f"value {scope['value']!r}"
        except BaseException as error:
            values[name] = type(error).__name__
    return {"values": values}


child._run = run
child.main()
