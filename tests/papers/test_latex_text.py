from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.papers.latex_text import to_plain
from citescape.recommend.drafts.marks import MARK, Marks


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"M\"uller, M{\"u}ller, M\"{u}ller, \'{\i}", "Müller, Müller, Müller, í"),
        (r"\v{S}kvor \c{c}a \c c \H{o} \r{A} \k{a} \d{s}", "Škvor ça ç ő Å ą ṣ"),
        (r"Stra\ss e, \O rsted, \L{}\'od\'z, \ae{}on", "Straße, Ørsted, Łódź, æon"),
        (r"\emph{Oryza \textbf{sativa}} {\bf L.}", "Oryza sativa L."),
        (r"5\,\% of 10~kg \& \$3 \_ \#1", "5 % of 10 kg & $3 _ #1"),
        (r"$\alpha_{1}^2 \pm 3$, $\Delta T \leq 2$, H$_2$O", "α1^2 ±3, ΔT ≤2, H2O"),
        (r"$\varepsilon$ and $\lambda$ or $\unknown$", "ε and λ or"),
        (r"``quoted'' --- 3--5", "“quoted” — 3–5"),
        (r"Fig.~\ref{fig:x} and \label{y}Table", "Fig. and Table"),
        (r"see \href{http://x.y}{this page} \url{http://z}", "see this page"),
        (r"\SI{5}{mg} of \unknown[opt]{words}", "5 mg of words"),
        (r"one\\ two\\[2pt] three \\* four", "one two three four"),
        (r"hy\-phen\/ated", "hyphenated"),
        ("open { and \\textbf{ or } shut }}", "open and or shut"),
        ("\\", ""),
        (r"\textbf", ""),
        (r"\frac", ""),
        ("", ""),
    ],
)
def test_commands_become_text(text: str, expected: str) -> None:
    assert to_plain(text) == expected.replace("^", "")


def test_a_marker_is_not_read_as_a_command_option() -> None:
    marks = Marks()
    text = rf"\LaTeX{marks.add('', 1, '[?]')} and \\{marks.add('', 1, '[?]')}"
    assert MARK.findall(to_plain(text)) == MARK.findall(text)


@given(st.text(st.sampled_from("\\{}$[]%&~^_\"'`ab cemphurl\n") | st.characters(codec="utf-8")))
def test_any_text_is_one_line_without_braces(text: str) -> None:
    plain = to_plain(text)
    assert plain == " ".join(plain.split())


@pytest.mark.parametrize("piece", ["{", "}", "\\emph{", "$", "\\", "[", "\\foo[", "\\cite{", "\\c"])
def test_many_unclosed_pieces_take_no_time(piece: str) -> None:
    assert len(to_plain(piece * 50_000)) < 51_000
