"""What a manuscript in LaTeX cites, and where."""

from __future__ import annotations

from citescape.papers.latex_source import find_in_texts, find_nothing
from citescape.papers.manuscripts import ManuscriptCitations, read_citations


def read(text: str, **files: str) -> tuple[ManuscriptCitations, list[str]]:
    notes: list[str] = []
    texts = {f"{name}.tex": content for name, content in files.items()}
    find = find_in_texts(texts) if files else find_nothing
    return read_citations(text, "draft.tex", find, notes), notes


def test_citations_are_counted_by_the_type_of_their_section() -> None:
    """Subsections have the type above; before the first heading, and in the abstract, other."""
    found, notes = read(
        r"""\documentclass{article}\newcommand{\x}{\cite{never}}\begin{document}
        \cite{lead} \begin{abstract}\cite{a}\end{abstract}
        \section{Introduction} \citep[see][p.~3]{a, b} % \cite{comment}
        \verb|\cite{verbatim}| \textcite{a}
        \section{Materials and Methods} \subsection{Plants} \cite*{b}
        \section{Odd heading} \cite{c}
        \section*{Discussion} \nocite{d} \Citet{c}
        \end{document} \cite{after}"""
    )
    assert notes == []
    assert found.mentions == {
        "lead": {"other": 1},
        "a": {"other": 1, "I": 2},
        "b": {"I": 1, "M": 1},
        "c": {"other": 1, "D": 1},
        "d": {},
    }


def test_included_files_and_names_of_lists() -> None:
    found, notes = read(
        r"\section{Results}\input{results}\include{gone}"
        "\n\\bibliography{one,two}\\addbibresource[x=y]{three.bib}",
        results=r"\cite{r}",
    )
    assert found.mentions == {"r": {"R": 1}}
    assert found.lists == ["one.bib", "two.bib", "three.bib"]
    assert notes == [
        "gone.tex, included in line 1 of the draft, is not read: it is not among the given files"
    ]


def test_a_file_that_includes_itself_ends() -> None:
    found, notes = read(r"\input{a}", a=r"\cite{k}\input{a}")
    assert found.mentions == {"k": {"other": 1}}
    assert "endlessly" in notes[0]


def test_files_that_include_others_many_times_end() -> None:
    """Eight files that include the next one four times would be 4^8 = 65,536 texts."""
    files = {f"f{n}": f"\\input{{f{n + 1}}}" * 4 for n in range(8)}
    found, notes = read(r"\input{f0}", **files, f8=r"\cite{k}")
    assert 100 < found.mentions["k"]["other"] < 1_000
    assert len(notes) == 1
    assert "expected at most 1,000 included files" in notes[0]


def test_long_files_that_are_included_many_times_end() -> None:
    found, notes = read(r"\input{a}" * 50, a=r"\cite{k}" + "x " * 500_000)
    assert found.mentions["k"]["other"] == 19
    assert len(notes) == 1


def test_a_long_name_of_a_command_is_read_in_linear_time() -> None:
    """With backtracking, the time grows with the square of the length: minutes for this text."""
    found, _ = read("\\" + "cite" * 100_000 + r" \autocite{k} \parencite*[see][p. 1]{m}")
    assert found.mentions == {"k": {"other": 1}, "m": {"other": 1}}


def test_entries_of_the_own_list() -> None:
    found, _ = read(
        r"\section{Introduction}\cite{li}\begin{thebibliography}{9}"
        r"\bibitem[Li(2017)]{li} L. Li. \newblock \emph{Weedy rice}. 2017. "
        r"\url{https://doi.org/10.1038/ng.3825}"
        r"\bibitem{wu} Wu, PMID: 28346446\end{thebibliography}"
    )
    assert [(item.key, item.doi, item.year) for item in found.items] == [
        ("li", "10.1038/ng.3825", 2017),
        ("wu", None, None),
    ]
    assert found.items[1].pmid == "28346446"
    assert found.mentions == {"li": {"I": 1}}
