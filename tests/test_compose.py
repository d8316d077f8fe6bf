"""docker-compose.yml: valid, and safe to start on a laptop. No Docker needed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.neo4j.server import CURRENT, LONG_TERM

ROOT = Path(__file__).resolve().parents[1]
COMPOSE = ROOT / "docker-compose.yml"
UNITS = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


@pytest.fixture(scope="module")
def service() -> dict[str, Any]:
    """The neo4j service as plain Python data, variables not filled in."""
    loaded: dict[str, Any] = YAML(typ="safe", pure=True).load(COMPOSE)
    service: dict[str, Any] = loaded["services"]["neo4j"]
    return service


def as_bytes(size: str) -> int:
    """`2g` -> 2147483648, in the notation that Neo4j and Compose share."""
    match = re.fullmatch(r"(\d+)([kmg])", size)
    assert match, f"{size!r} is not a number followed by k, m or g"
    return int(match[1]) * UNITS[match[2]]


def test_file_follows_the_compose_specification() -> None:
    command = [sys.executable, "-m", "check_jsonschema"]
    command += ["--builtin-schema", "vendor.compose-spec", str(COMPOSE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_images_are_the_versions_of_the_tests(service: dict[str, Any]) -> None:
    """The LTS line by default, and the release that the comment and the guide name."""
    assert service["image"] == f"neo4j:${{NEO4J_VERSION:-{LONG_TERM.name}}}-community"
    assert LONG_TERM.version.startswith(f"{LONG_TERM.name}.")
    guide = ROOT / "docs" / "guides" / "neo4j.md"
    for page in (COMPOSE, guide):
        named = re.findall(r"NEO4J_VERSION=(\S+)", page.read_text("utf-8"))
        assert named == [CURRENT.version], page
    tested = re.findall(r"(?:run|tested) on (\d[\d.]+\d) \|", guide.read_text("utf-8"))
    assert tested == [LONG_TERM.version, CURRENT.version]


def test_password_comes_from_the_environment_and_has_no_default(service: dict[str, Any]) -> None:
    # `:?` makes Compose refuse to start when the variable is unset or empty.
    assert re.fullmatch(r"neo4j/\$\{NEO4J_PASSWORD:\?[^}]+\}", service["environment"]["NEO4J_AUTH"])


def test_memory_is_limited_and_fits_the_container(service: dict[str, Any]) -> None:
    environment = service["environment"]
    heap = as_bytes(environment["NEO4J_server_memory_heap_max__size"])
    page_cache = as_bytes(environment["NEO4J_server_memory_pagecache_size"])
    assert as_bytes(environment["NEO4J_server_memory_heap_initial__size"]) <= heap
    assert heap + page_cache < as_bytes(service["mem_limit"])


def test_health_check_asks_the_server(service: dict[str, Any]) -> None:
    check = service["healthcheck"]
    assert check["test"][:2] == ["CMD", "wget"]
    assert check["test"][-1] == "http://127.0.0.1:7474"
    assert {"interval", "timeout", "retries", "start_period"} <= check.keys()


def test_ports_are_bound_to_loopback(service: dict[str, Any]) -> None:
    assert service["ports"] == ["127.0.0.1:7474:7474", "127.0.0.1:7687:7687"]


def test_graph_survives_the_container(service: dict[str, Any]) -> None:
    assert service["restart"] == "unless-stopped"
    mounts = dict(volume.split(":") for volume in service["volumes"])
    declared = YAML(typ="safe", pure=True).load(COMPOSE)["volumes"]
    assert mounts == {"data": "/data", "import": "/import"}
    assert declared.keys() == mounts.keys()
