"""Output to terminals: escaped text, in their encoding, with styles of the program only."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
import unicodedata
from contextlib import closing
from pathlib import Path

import pexpect
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.cli.output import as_json, echo_json
from citescape.core.terminal import echo, echo_tabbed, escape, guarded_streams, wrap
from citescape.runs.result import Table, format_part
from tests.cli.conftest import GeneratedCorpus
from tests.forks import COMMAND_LINE, Forks

MAIN = [sys.executable, "-c", "from citescape.cli.main import main; main()"]
ORDERS = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C}
"""Characters that change the text direction."""


def is_unsafe(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") or ord(character) in ORDERS


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", r"\x1b[31mred"),
        ("\x9b31m\x9d0;t\x07", r"\x9b31m\x9d0;t\x07"),
        ("a\nb\tc\rd\x00\x7f", r"a\nb\tc\rd\x00\x7f"),
        ("\u202eabc\u2066\u200e\u061c", r"\u202eabc\u2066\u200e\u061c"),
        ("a\u2028b\u2029c\x85", r"a\u2028b\u2029c\x85"),
        ("bad\udcff.xml \ud800", r"bad\xff.xml \ud800"),
        (r"C:\x1b", r"C:\x1b"),
        ("麦 שלום e\u0301 👩\u200d🌾 [red]", "麦 שלום e\u0301 👩\u200d🌾 [red]"),
    ],
)
def test_escaped_characters(text: str, shown: str) -> None:
    assert escape(text) == shown
    assert escape(shown) == shown


@given(st.text(st.characters()))
def test_only_unsafe_characters_are_escaped(text: str) -> None:
    shown = escape(text)
    assert not any(map(is_unsafe, shown))
    kept = "".join(character for character in text if not is_unsafe(character))
    assert shown == text if kept == text else len(shown) > len(text)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
@given(text=st.text(st.characters()))
def test_escaped_text_fits_any_encoding(encoding: str, text: str) -> None:
    escape(text, io.TextIOWrapper(io.BytesIO(), encoding)).encode(encoding)


def test_each_argument_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    echo("a\nb", "", Path("c\x1b"))
    echo()
    echo("d", err=True, bold=True)
    assert capsys.readouterr() == ("a\\nb\n\nc\\x1b\n\n", "d\n")


def test_tabs_between_columns_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    echo_tabbed("a\x1b\tmap: 1\n")
    echo_tabbed("")
    assert capsys.readouterr().out == "a\\x1b\tmap: 1\\n\n\n"


def test_text_is_escaped_before_it_is_wrapped() -> None:
    assert wrap("aaa\nbbb ccc", 9, first=" ", rest="  ") == [r" aaa\nbbb", "  ccc"]


def test_cells_and_headers_are_one_line() -> None:
    table = Table(("na\nme", "n"), [("a\x1b", 1), ("麦\r\n", 22)])
    assert format_part(table, 80) == [
        r"na\nme   n",
        r"a\x1b    1",
        r"麦\r\n   22",
    ]


def test_output_of_libraries_is_escaped_except_line_breaks(
    capsys: pytest.CaptureFixture[str],
) -> None:
    streams = sys.stdout, sys.stderr
    with guarded_streams():
        print("a\x1b[31m\nb")
        sys.stderr.writelines(["c\r", "\x9b\n"])
        assert sys.stdout.isatty() is False
        echo("d", "e\n")
        sys.stdout.buffer.write(b"\x1b\n")
    assert (sys.stdout, sys.stderr) == streams
    assert capsys.readouterr() == ("a\\x1b[31m\nb\nd\ne\\n\n\x1b\n", "c\\r\\x9b\n")


def test_warnings_and_tracebacks_are_escaped(tmp_path: Path) -> None:
    code = (
        "import warnings\n"
        "from citescape.cli import main\n"
        "from citescape.store import graph_store as store\n"
        "def fail(*_, **__):\n"
        "    warnings.warn('w\\x1b[31m\\u202e')\n"
        "    raise ValueError('v\\x1b]0;t\\x07\\udcff')\n"
        "store.open_on_demand = fail\n"
        "main.main(['status', '--debug'])"
    )
    (tmp_path / "citescape.lbug").touch()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, b"")
    shown = done.stderr.decode()
    assert "UserWarning: w\\x1b[31m\\u202e\n" in shown
    assert shown.endswith("\nValueError: v\\x1b]0;t\\x07\\xff\n")
    assert not any(is_unsafe(character) for character in shown if character != "\n")


def test_json_output_holds_any_text(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"title": "麦\x1b\x9b\u202e\n", "nan": float("nan")}
    echo_json(value)
    output = capsys.readouterr().out
    assert output == '{"title": "麦\\u001b\x9b\u202e\\n", "nan": null}\n'
    assert as_json({"path": "a\udcff"}) == '{"path": "a\\udcff"}'


ENCODINGS = {
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
    "C": {"LC_ALL": "C"},
    "C without UTF-8": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}


def query_in(generated: GeneratedCorpus, env: dict[str, str]) -> list[bytes]:
    """Output of `platform cypher` for a hostile row, in another encoding."""
    question = "RETURN '麦 é \u202e ±' AS title, ['麦'] AS titles, -1.5 AS number"
    file = generated.papers.with_name("question.cypher")
    file.write_text(question, "utf-8")
    unset = ("LC_ALL", "LANG", "PYTHONIOENCODING", "PYTHONUTF8")
    own = {name: value for name, value in os.environ.items() if name not in unset}
    words = ("cypher", "--file", file, "--store", generated.store)
    answers = []
    with closing(Forks({**own, **env})) as forks:
        forks.warm(
            "import citescape.cli.cypher, citescape.papers.cypher, ladybug._lbug, rich.table"
        )
        for form in ([], ["--json"], ["--output", "csv"]):
            with forks.start(COMMAND_LINE, *words, *form) as fork:
                answers.append(fork.stdout.buffer.read())
                assert (fork.wait(), fork.read_errors()) == (0, "")
    return answers


@pytest.mark.parametrize("name", list(ENCODINGS))
def test_output_in_other_encodings(generated: GeneratedCorpus, name: str) -> None:
    table, as_json, as_csv = query_in(generated, ENCODINGS[name])
    encoding = {"C": "utf-8", "latin-1": "latin-1"}.get(name, "ascii")
    title = {"utf-8": "麦 é", "latin-1": r"\u9ea6 é", "ascii": r"\u9ea6 \xe9"}[encoding]
    assert rf"{title} \u202e" in table.decode(encoding)
    row = {"title": "麦 é \u202e ±", "titles": ["麦"], "number": -1.5}
    assert json.loads(as_json) == [row]
    rows = csv.DictReader(io.StringIO(as_csv.decode()))
    assert list(rows) == [{"title": row["title"], "titles": '["麦"]', "number": "-1.5"}]


def on_terminal(*arguments: str) -> str:
    """Output of a program on a terminal of 100 columns."""
    env = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    child = pexpect.spawn(
        arguments[0],
        list(arguments[1:]),
        env={**env, "TERM": "xterm"},
        encoding="utf-8",
        timeout=120,
        dimensions=(40, 100),
    )
    child.expect(pexpect.EOF)
    return str(child.before)


def test_data_cannot_style_a_table_on_a_terminal(generated: GeneratedCorpus) -> None:
    statement = "MATCH (p:Paper) RETURN 'a' + $more AS title, p.id AS id LIMIT 1"
    more = "more=\x1b[31m\x1b]0;title\x07\u202e[red]麦"
    shown = on_terminal(
        *MAIN, "cypher", statement, "--param", more, "--store", str(generated.store)
    )
    assert r"a\x1b[31m\x1b]0;title\x07\u202e[red]麦" in shown
    assert set(re.findall(r"\x1b.{0,3}", shown)) == {"\x1b[1m", "\x1b[0m"}


def test_progress_on_a_terminal_is_one_line_and_escaped() -> None:
    code = (
        "import time\n"
        "from citescape.core import progress as output\n"
        "output.PATIENCE = 0\n"
        "with output.ticking() as ticker:\n"
        "    ticker.report('reading a\\x1b[2J\\nb\\x9b\\udcff')\n"
        "    time.sleep(0.1)"
    )
    shown = on_terminal(sys.executable, "-c", code)
    line, clear = r"     0 s  reading a\x1b[2J\nb\x9b\xff", "\r\x1b[2K"
    assert shown.replace(f"{clear}{line}", "") == clear
    assert line in shown


def test_bold_text_needs_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "from citescape.core.terminal import echo; echo('a\\x1b[1m', bold=True)"
    assert on_terminal(sys.executable, "-c", code) == "\x1b[1ma\\x1b[1m\x1b[0m\r\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert done.stdout == b"a\\x1b[1m\n"


def test_the_console_escapes_its_output(generated: GeneratedCorpus, tmp_path: Path) -> None:
    env = {**os.environ, "TERM": "xterm", "XDG_STATE_HOME": str(tmp_path), "NO_COLOR": "1"}
    words = [*MAIN[1:], "cypher", "--store", str(generated.store)]
    child = pexpect.spawn(MAIN[0], words, env=env, encoding="utf-8", timeout=120)
    child.expect_exact("cypher> ")
    child.sendline("RETURN 'a' + '\u202eb\u2066' AS t; ")
    child.expect_exact(r"a\u202eb\u2066")
    child.expect_exact("cypher> ")
    child.sendline("MATCH (p:`x\u202ey`) RETURN p;")
    child.expect_exact(r"x\u202ey")
    child.sendline("exit")
    child.expect(pexpect.EOF)
