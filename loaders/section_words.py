"""Titles of sections in German, French, Spanish and Portuguese, word by word.

A title is a list of such words ("Fazit und Ausblick", "Resultados y discusión"), joined by commas
or the language's word for "and". Accents and case do not count, since capitals often lack them.
"""

from __future__ import annotations

import re
import unicodedata

from citescape.core.types import SectionType

_WORDS: dict[SectionType, tuple[str, ...]] = {
    "I": (
        "Einleitung, Einführung, Hintergrund, Problemstellung, Fragestellung, Zielsetzung, Ziele,"
        "Stand der Forschung, Literaturübersicht",
        "Introduction, Contexte, Problématique, Objectif, Objectifs, État de l'art,"
        "Revue de littérature, Revue de la littérature, Cadre théorique",
        "Introducción, Antecedentes, Marco teórico, Objetivo, Objetivos, Justificación,"
        "Planteamiento del problema, Revisión de literatura, Revisión de la literatura",
        "Introdução, Contextualização, Justificativa, Referencial teórico, Fundamentação teórica,"
        "Revisão de literatura, Revisão da literatura",
    ),
    "M": (
        "Material, Materialien, Methode, Methoden, Methodik, Patienten, Probanden, Daten,"
        "Experimenteller Teil, Versuchsaufbau, Untersuchungsgebiet, Studiendesign",
        "Matériel, Matériels, Matériaux, Méthode, Méthodes, Méthodologie, Patients, Sujets,"
        "Données, Partie expérimentale, Zone d'étude, Site d'étude",
        "Materiales, Método, Métodos, Metodología, Pacientes, Sujetos, Datos, Área de estudio,"
        "Diseño metodológico, Procedimiento",
        "Materiais, Metodologia, Casuística, Dados, Área de estudo, Percurso metodológico,"
        "Procedimentos metodológicos",
    ),
    "R": (
        "Ergebnis, Ergebnisse, Resultate, Befunde",
        "Résultat, Résultats",
        "Resultado, Resultados, Hallazgos",
    ),
    "D": (
        "Diskussion, Schlussfolgerung, Schlussfolgerungen, Schluss, Fazit, Zusammenfassung,"
        "Ausblick, Limitationen",
        "Discussion, Discussions, Conclusion, Conclusions, Conclusion générale, Perspectives,"
        "Recommandations, Limites",
        "Discusión, Conclusión, Conclusiones, Consideraciones finales, Recomendaciones,"
        "Limitaciones, Reflexiones finales",
        "Discussão, Discussões, Conclusão, Conclusões, Considerações finais, Recomendações",
    ),
}
"""Words by type, one line per language; a word of several languages is listed once."""

_JOINTS = re.compile(r"\s*,\s*|\s*/\s*|\s+(?:und|et|y|e)\s+")


def word_types(title: str) -> set[SectionType]:
    """The types of the words of a title; empty if a word is not in the table."""
    words = _JOINTS.split(_plain(title))
    found = {_TYPES.get(word) for word in words if word}
    return {kind for kind in found if kind is not None} if None not in found else set()


def _plain(text: str) -> str:
    """Lower case, without accents."""
    folded = text.casefold()
    if folded.isascii():  # most titles; many times faster
        return folded
    letters = unicodedata.normalize("NFKD", folded.replace("’", "'"))
    return "".join(c for c in letters if not unicodedata.combining(c))


_TYPES = {
    _plain(word): kind
    for kind, languages in _WORDS.items()
    for language in languages
    for word in re.split(r",\s*", language)
}
