from __future__ import annotations

from pathlib import Path

import pytest

from citescape.recommend.drafts.draft import Draft, DraftPlace, read_draft

DRAFT = r"""\documentclass{article}
\newcommand{\foo}[1]{bar #1}
\title[short]{Rust of \emph{wheat}%
 in M\"unster}
\begin{document}
\maketitle
\begin{abstract}
Wheat matters~\citep{a,b}. We study rust.

It spreads.
\end{abstract}
\section{Introduction}
Rust fungi reduce yields by 5\,\% in
% a comment \cite{?}
many regions \citep[see][]{}, e.g. in wheat (Fig.~\ref{f}),
as Wu et al. (2010) say. It was known before.~[?] Then what?
\begin{verbatim}
Nothing \cite{?}
\end{verbatim}
\verb|\cite{?}| \iffalse Nothing [?] \fi
\subsection*{Of \textit{maths}}
Where
\[ x = 1 \]
holds\footnote{As others said \textcite{?}.} for $\alpha$ \autocite{smith, TODO}.
\begin{itemize} \item One point\todo{cite} here. \item Two\todo{reword} \end{itemize}
\end{document}
After all [?].
"""


def read(text: str, folder: Path) -> Draft:
    path = folder / "draft.tex"
    path.write_text(text, encoding="utf-8")
    return read_draft(path)


def test_a_whole_draft(tmp_path: Path) -> None:
    found = read(DRAFT, tmp_path)
    assert found.title == "Rust of wheatin Münster"  # as in TeX, a comment removes the blanks
    assert found.abstract == "Wheat matters. We study rust. It spreads."
    yields = "Rust fungi reduce yields by 5 % in many regions, e.g. in wheat (Fig.), as say."
    assert found.places == (
        DraftPlace(15, yields, r"\citep[see][]{}", "Introduction"),
        DraftPlace(16, "It was known before.", "[?]", "Introduction"),
        DraftPlace(24, "As others said.", r"\textcite{?}", "Of maths"),
        DraftPlace(24, "Where holds for α.", r"\autocite{smith, TODO}", "Of maths"),
        DraftPlace(25, "One point here.", r"\todo{cite}", "Of maths"),
    )
    assert found.notes == ()


@pytest.mark.parametrize("command", ["cite", "citep", "citet", "autocite", "parencite", "textcite"])
@pytest.mark.parametrize("keys", ["", "?", "TODO", "smith2010,?"])
def test_citation_commands_without_keys_are_markers(command: str, keys: str) -> None:
    marker = f"\\{command}{{{keys}}}"
    found = read_draft(f"\\section{{A}}\nRust spreads~{marker}.")
    assert found.places == (DraftPlace(2, "Rust spreads.", marker, "A"),)


def test_citation_commands_with_keys_are_no_markers() -> None:
    text = r"Rust \cite{a} and \citet*{b} and \nocite{?} spreads [?]."
    assert [place.sentence for place in read_draft(text).places] == ["Rust and spreads."]


def test_a_title_keeps_citation_like_text(tmp_path: Path) -> None:
    text = "\\title{[60]fullerene after Wu (2001)\\cite{}}\\begin{document}It is \\cite{}."
    assert read(text, tmp_path).title == "[60]fullerene after Wu (2001)"


def test_included_files_are_read_in_their_place(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "two.tex").write_text("\n\nTwo grows \\cite{?}.\n\\input{parts/three}")
    (tmp_path / "parts" / "three.tex").write_text("\nThree grows [?].\n\n\\input{parts/two.tex}")
    found = read("\\section{A} One [?].\n\n\\include{parts/two}\n\nFour [?].", tmp_path)
    assert [(place.sentence, place.file, place.line, place.section) for place in found.places] == [
        ("One.", "", 1, "A"),
        ("Two grows.", "parts/two.tex", 3, "A"),
        ("Three grows.", "parts/three.tex", 2, "A"),
        ("Four.", "", 5, "A"),
    ]
    assert found.notes == (
        "parts/two.tex, included in line 4 of parts/three.tex, is not read: files include each "
        "other endlessly or too deeply",
    )


def test_skipped_files_are_reported(tmp_path: Path) -> None:
    (tmp_path / "secret.tex").write_text("Secret [?].")
    folder = tmp_path / "draft"
    folder.mkdir()
    (folder / "link.tex").symlink_to(tmp_path / "secret.tex")
    text = "Here [?].\n\\input{../secret}\n\\input{link}\n\\input{/etc/passwd}\n\\input{gone}"
    found = read(text, folder)
    assert [place.sentence for place in found.places] == ["Here."]
    outside = f"is not read: it is outside {folder}"
    assert found.notes == (
        f"../secret.tex, included in line 2 of the draft, {outside}",
        f"link.tex, included in line 3 of the draft, {outside}",
        f"/etc/passwd.tex, included in line 4 of the draft, {outside}",
        "gone.tex, included in line 5 of the draft, is not read: there is no such file in "
        f"{folder}",
    )
    assert "the draft is not a file" in read_draft(text).notes[0]


@pytest.mark.parametrize(
    "text",
    [
        r"\section{A \emph{b} Rust spreads \cite{?}.",
        "\\section{A {\n\nRust spreads \\cite{?}.",
        r"\textbf{Rust {spreads \cite{?}.",
        r"}}} Rust \emph spreads} \cite{?}.",
        "\\footnote{Rust spreads \\cite{?}.",
        "$ Rust spreads \\cite{?}.",
        "\\begin{foo} Rust spreads \\cite{?}.",
        "\\end{foo}\\title{ \n\n Rust spreads \\cite{?}.",
    ],
)
def test_unbalanced_braces_are_tolerated(text: str) -> None:
    (place,) = read_draft(text).places
    assert "spreads" in place.sentence or place.section


def test_a_paragraph_ends_after_a_comment() -> None:
    text = "\\section{A}\nOne word % no\n\nRust spreads% no\n   fast\\cite{?}."
    assert [place.sentence for place in read_draft(text).places] == ["Rust spreadsfast."]


def test_markers_in_tables_and_reference_lists_are_reported() -> None:
    found = read_draft(
        r"""\section{One} It grows \cite{}.
        \begin{table}\caption{Of wheat \cite{?}.}
        \begin{tabular}{ll} a & b \cite{} \\ c [?] & d \end{tabular} \end{table}
        \bibitem{a} Wu [?].
        \bibitem{b} Li [?].

        It spreads [?].
        \begin{thebibliography}{9} \bibitem{x} Xu

        [?]. \end{thebibliography} It ends [?].
        \section*{References} Wu [?].
        \section{Last} It fell [?]. \begin{tabular} e [?]"""
    )
    assert [place.sentence for place in found.places] == [
        *("It grows.", "Of wheat.", "It spreads.", "It ends.", "It fell.")
    ]
    assert found.notes == ("skipped: markers in tables (3), the reference list (4)",)


@pytest.mark.parametrize(
    "piece",
    [
        *("\\begin{tabular}", "\\begin{thebibliography}", "\\bibitem", "\\bibitem\n\n"),
        *("\\[", "\\begin{equation}", "\\begin{verbatim}", "\\verb|", "\\iffalse", "$$", "{"),
        *(
            "\\section{",
            "\\footnote{",
            "\\cite[",
            "\\" + "cite" * 30,
            "\\cite{?",
            "\\input{",
            "\\todo{",
            "%",
            "\\title{",
        ),
    ],
)
def test_many_unclosed_pieces_take_no_time(piece: str) -> None:
    found = read_draft("Rust spreads \\cite{?}.\n\n" + f"{piece} a\n" * 10_000)
    assert found.places[0] == DraftPlace(1, "Rust spreads.", "\\cite{?}", "")
