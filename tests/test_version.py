"""The version of `pyproject.toml` is the version everywhere."""

from __future__ import annotations

import json
import re
import runpy
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from ruamel.yaml import YAML

import citescape
from citescape.cli.main import platform
from citescape.demo.jats_writer import write_corpus
from citescape.demo.world import generate_world
from citescape.runs.directory import RunRecord

ROOT = Path(__file__).parents[1]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def test_package_and_command_have_the_version() -> None:
    # a difference only here means that the package was installed before the version changed
    assert citescape.__version__ == VERSION
    result = CliRunner().invoke(platform, ["--version"])
    assert result.stdout.split()[-1] == VERSION


def test_citation_changelog_and_documentation_have_the_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert str(YAML(typ="safe").load(ROOT / "CITATION.cff")["version"]) == VERSION
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (.+)$", changelog, re.MULTILINE)
    assert newest
    assert newest[1].split()[0] == VERSION
    monkeypatch.setattr(sys, "path", [*sys.path])  # conf.py adds a folder to it
    settings = runpy.run_path(str(ROOT / "docs" / "conf.py"))
    assert settings["version"] == settings["release"] == VERSION


def test_runs_record_the_version_in_file_and_graph(tmp_path: Path) -> None:
    write_corpus(generate_world(papers=50, seed=3), tmp_path / "papers")
    with citescape.open(tmp_path / "corpus.lbug", runs=tmp_path / "runs", create=True) as corpus:
        corpus.ingest(tmp_path / "papers", workers=1)
        corpus.score()
        written = corpus.cypher("MATCH (r:Run) RETURN r.versions AS versions").to_dicts()
    records = [path.read_text(encoding="utf-8") for path in tmp_path.glob("runs/*/run.json")]
    assert records
    assert written
    versions = [json.loads(x)["versions"] for x in records]
    versions += [json.loads(row["versions"]) for row in written]
    assert {x["citescape"] for x in versions} == {VERSION}


def test_every_record_names_the_version() -> None:
    assert RunRecord.create("toy", {}, {}).versions["citescape"] == VERSION
