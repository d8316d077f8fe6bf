"""Conventions of the repository that no other test checks."""

from __future__ import annotations

import importlib.util
import inspect
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "platform" / "citescape"


def test_the_source_root_does_not_hide_the_standard_library() -> None:
    assert not (ROOT / "platform" / "__init__.py").exists()
    code = "import uuid, platform; print(platform.python_implementation(), platform.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert str(ROOT / "platform") not in done.stdout


@pytest.mark.parametrize("name", ["loaders", "cypher"])
def test_links_resolve_to_the_top_level(name: str) -> None:
    link = PACKAGE / name
    assert link.is_symlink()
    assert not Path(os.readlink(link)).is_absolute()
    assert link.resolve() == (ROOT / name).resolve()
    result = importlib.util.find_spec(f"citescape.{name}")
    assert result is not None


def test_the_import_contract_covers_every_package() -> None:
    contract = (ROOT / ".importlinter").read_text(encoding="utf-8")
    assert "exhaustive = True" in contract
    for path in PACKAGE.iterdir():
        if path.name.startswith(("_", ".")) or not (path.suffix == ".py" or [*path.glob("*.py")]):
            continue
        layer = rf"^    (\w+ \| )*{path.stem}( \| \w+)*$"
        assert re.search(layer, contract, re.M), f"{path.stem} is missing in .importlinter"


def test_the_public_interface_equals_all() -> None:
    import citescape

    for name in citescape.__all__:
        assert inspect.getdoc(getattr(citescape, name))


def test_the_schema_page_equals_the_schema() -> None:
    from citescape.store.schema_doc import schema_page

    page = ROOT / "docs" / "schema.md"
    assert page.read_text(encoding="utf-8") == schema_page(), (
        "run `python -m citescape.store.schema_doc`"
    )


def test_library_queries_are_documented() -> None:
    from citescape.store.queries import library

    for query in library().values():
        assert query.doc, f"{query.name} is missing its comment block"
        if query.name.startswith("explore/"):
            assert {parameter.name for parameter in query.declared} == query.parameters, query.name


SKIPPED = {"__pycache__", "web"}
"""Folders that a wheel does not have: sources of the bundles are in `web`."""


def test_the_wheel_holds_queries_loaders_and_demo_data(tmp_path: Path) -> None:
    inside = set(zipfile.ZipFile(build_wheel(tmp_path)).namelist())
    kinds = (".css", ".cypher", ".html", ".js", ".py", ".svg", ".toml")
    for folder in ("cypher", "loaders", "platform/citescape"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in kinds and path.is_file() and not SKIPPED & set(path.parts):
                relative = path.relative_to(ROOT).as_posix().removeprefix("platform/citescape/")
                assert f"citescape/{relative}" in inside


def has_setuptools() -> bool:
    """Whether setuptools is installed in the version that `build-system` requires."""
    (required,) = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    least = int(required.removeprefix("setuptools>="))
    try:
        return int(version("setuptools").partition(".")[0]) >= least
    except PackageNotFoundError:
        return False


def build_wheel(folder: Path) -> Path:
    """The wheel, built from a copy: setuptools leaves files in the folder in which it builds."""
    copy = folder / "copy"
    skip = shutil.ignore_patterns(
        ".*", "__pycache__", "*.egg-info", "build", "dist", "benchmarks", "node_modules"
    )
    shutil.copytree(ROOT, copy, symlinks=True, ignore=skip)
    if has_setuptools():  # otherwise pip would first install it into an environment of its own
        code = "import sys; from setuptools.build_meta import build_wheel as b; b(sys.argv[1])"
        build = [sys.executable, "-c", code, str(folder)]
    elif importlib.util.find_spec("pip") is None:
        build = ["uv", "build", "--wheel", "--out-dir", str(folder), str(copy)]
    else:
        build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet"]
        build += ["--wheel-dir", str(folder), str(copy)]
    built = subprocess.run(build, cwd=copy, capture_output=True, text=True)
    offline = "No matching distribution|[Ff]ailed to (fetch|resolve)"
    if built.returncode and re.search(offline, built.stderr):
        pytest.skip("offline: setuptools, which builds the wheel, cannot be fetched")
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_tests_named_in_promises_exist() -> None:
    page = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:tests|benchmarks)/[\w/.*]+)`", page)
    assert len(named) > 20
    for path in named:
        assert [*ROOT.glob(path)], path
