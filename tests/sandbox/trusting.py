"""A child process as the sandbox starts it, that gives any text to the engine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "platform"))

from citescape.sandbox import child


def run(store: Any, request: dict[str, Any]) -> dict[str, Any]:
    """Runs each text in the engine, and returns the beginning of what comes back."""
    outcomes = []
    for text in request["texts"]:
        try:
            found = store._connection.execute(text)
            parts = found if isinstance(found, list) else [found]
            outcomes.append(str([part.get_all() for part in parts])[:200])
        except Exception as error:
            outcomes.append(f"{type(error).__name__}: {error}")
    return {"outcomes": outcomes}


child._run = run
child.main()
