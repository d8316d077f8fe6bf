"""Optional libraries, and the extras of citescape that install them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec

from citescape.core.errors import ConfigError

EXTRAS: Mapping[str, tuple[str, ...]] = {
    "learn": (
        "accelerate",
        "faiss",
        "httpx",
        "safetensors",
        "sklearn",
        "tensorboard",
        "torch",
        "transformers",
    ),
    "map": ("igraph", "leidenalg", "matplotlib"),
    "pyg": ("torch_geometric",),
    "notebook": ("IPython", "anywidget", "networkx", "pandas", "polars", "traitlets"),
    "agents": ("mcp",),
    "cluster": ("ray",),
}
"""Extra -> the libraries that it brings, by the names that Python imports."""
_EXTRA_OF = {library: extra for extra, libraries in EXTRAS.items() for library in libraries}


def find_missing(*libraries: str) -> tuple[str, ...]:
    """Which of these optional libraries are not installed, each once."""
    return tuple(library for library in dict.fromkeys(libraries) if find_spec(library) is None)


def name_extras(libraries: Iterable[str]) -> str:
    """The package to install for some libraries, quoted for a shell: `'citescape[learn]'`."""
    needed = {_EXTRA_OF[library] for library in libraries}
    return f"'citescape[{','.join(extra for extra in EXTRAS if extra in needed)}]'"


def require(*libraries: str) -> None:
    """Checks that optional libraries are installed, before any work is done.

    Raises:
        ConfigError: a library is missing; the message names the extra that brings it.
    """
    if missing := find_missing(*libraries):
        raise ConfigError(
            f"{', '.join(missing)} not installed; run `pip install {name_extras(missing)}`"
        )


@contextmanager
def named_extras() -> Iterator[None]:
    """Turns the failed import of an optional library into an error that names its extra.

    Raises:
        ConfigError: see `require`.
    """
    try:
        yield
    except ImportError as error:
        library = (error.name or "").partition(".")[0]
        if library in _EXTRA_OF:
            require(library)
        raise
