"""Python in README and docs compiles, and blocks that are marked run."""

from __future__ import annotations

import ast
import re
import shutil
from pathlib import Path

import pytest

import citescape
from tests.cli.conftest import Made
from tests.docs.pages import Block, list_blocks

BLOCKS = list(list_blocks("python"))
DOI = re.compile(r"10\.\d{4}/[\w./-]+\w")


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_a_block_compiles(block: Block) -> None:
    compile(complete(block.text), str(block), "exec")


def complete(text: str) -> str:
    """An entry of a mapping as the whole of one; a module stays as it is."""
    return f"{{{text}}}" if re.match(r'"\w+": ', text) else text


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_methods_of_a_corpus_exist(block: Block) -> None:
    for node in ast.walk(ast.parse(complete(block.text))):
        words = attributes(node)
        if words[:1] == ["corpus"]:
            member = citescape.Corpus
            for word in words[1:2]:
                assert hasattr(member, word), f"{block}: corpus.{word}"


def attributes(node: ast.AST) -> list[str]:
    """`corpus.evaluate.mdcr` as its words."""
    words: list[str] = []
    while isinstance(node, ast.Attribute):
        words.insert(0, node.attr)
        node = node.value
    return [node.id, *words] if isinstance(node, ast.Name) else []


RUNNABLE = [block for block in BLOCKS if block.runs]


def test_blocks_are_run() -> None:
    assert len(RUNNABLE) >= 5
    assert any(block.page.name == "README.md" for block in RUNNABLE)


@pytest.mark.parametrize("block", RUNNABLE, ids=str)
def test_a_marked_block_runs(
    block: Block, made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a copy of the generated corpus, whose papers stand in for those of the page."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(made.store, "citescape.lbug")
    shutil.copytree(made.runs, "runs")
    Path("papers").symlink_to(made.papers)
    with citescape.open("citescape.lbug") as corpus:
        pairs = corpus.cypher(
            "MATCH (a:Paper)-[c:CITES]->(b:Paper) WHERE a.fulltext AND c.mentions > 0 "
            "RETURN a.id AS citing, b.id AS cited ORDER BY citing, cited LIMIT 1"
        )
    ids = iter(pairs.arrow.to_pylist()[0].values())
    text = DOI.sub(lambda _: next(ids), block.text)
    exec(compile(text, str(block), "exec"), {"citescape": citescape})
