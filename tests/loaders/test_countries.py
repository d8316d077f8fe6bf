"""Printed countries and affiliations -> ISO 3166 codes; ambiguous names give none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.loaders.countries import CODES, country_code, country_of_affiliation


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("US", ["USA", "U.S.A.", "U. S. A.", "us", "United States of America", "États-Unis"]),
        ("CN", ["P.R. China", "P. R. China", "People’s Republic of China", "PRC", "中国"]),
        ("KR", ["Republic of Korea", "Korea", "South Korea", "Korea, Republic of", "대한민국"]),
        ("KP", ["DPR Korea", "Democratic People's Republic of Korea"]),
        ("TW", ["Taiwan", "Taiwan (R.O.C.)", "Taiwan, Province of China", "台灣"]),
        ("NL", ["The Netherlands", "the Netherlands.", "Pays-Bas", "Nederland"]),
        ("GB", ["UK", "U.K.", "England", "Scotland", "Wales", "Northern Ireland", "Reino Unido"]),
        ("CI", ["Côte d'Ivoire", "Cote d’Ivoire", "Ivory Coast"]),
        ("CD", ["DR Congo", "Democratic Republic of the Congo"]),
        ("CG", ["Republic of the Congo"]),
        ("IR", ["Iran (Islamic Republic of)", "Islamic Republic of Iran"]),
        ("TR", ["Türkiye", "Turkey", "TÜRKİYE"]),
        ("JP", ["日本", "Japan", "jp"]),
        ("RU", ["Россия", "Russian Federation"]),
        ("", ["", "Congo", "Rice", "XX", "Virgin Islands", "America", "\x00"]),
    ],
)
def test_countries(code: str, printed: list[str]) -> None:
    assert {name: country_code(name) for name in printed} == dict.fromkeys(printed, code)


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("TW", "Dept. of Agronomy, Taipei 10617, Taiwan; "),
        ("TW", "Academia Sinica, Taipei, Taiwan, Republic of China"),
        ("HK", "The University of Hong Kong, Hong Kong, China"),
        ("US", "Duke University, Durham, North Carolina United States of America"),
        ("US", "University of California, Davis, CA 95616"),
        ("US", "NCAR, Boulder, Colorado 80309-1234."),
        ("US", "Iowa State University, Ames, Iowa"),
        ("CN", "CAAS, Beijing 100081, China, 100081"),
        ("CN", "Sichuan Agricultural University, Chengdu, 611130 China"),
        ("CN", "CAS, Kunming 650201, Peoples Republic of China (e-mail: a@b.cn)"),
        ("GB", "Imperial College, London, UK, SW7 2AZ"),
        ("GB", "Rothamsted Research, Harpenden, Herts, England. Tel: +44 1, France"),
        ("BD", "BRRI, Gazipur, Dhaka-1000 Bangladesh"),
        ("PG", "NARI, Lae, Papua New Guinea"),
        ("GN", "IRAG, Conakry, Guinea"),
        ("GQ", "Malabo, Equatorial Guinea"),
        ("GE", "Ilia State University, Tbilisi, Georgia"),
        ("", "University of Georgia, Athens, Georgia"),
        ("", "University of New England"),
        ("", "Las Cruces, New Mexico State"),
        ("", "University of Sydney, New South Wales"),
        ("", "The University of Queensland, St. Lucia"),
        ("", "Princeton, New Jersey and Jersey"),
        ("", "Justus Liebig University, Giessen, DE 35392"),
        ("", "Give it to us"),
        ("", "China Agricultural University"),
        ("", "12345; 67890"),
    ],
)
def test_the_country_at_the_end_of_an_affiliation(code: str, printed: str) -> None:
    assert country_of_affiliation(printed) == code


def test_a_long_word_is_read_in_one_pass() -> None:
    """A search that began at each of its characters would take hours."""
    word = "x" * 2_000_000
    assert country_of_affiliation(f"{word}, Peru") == "PE"
    assert country_of_affiliation(f"Lima, Peru {word}@{word}") == "PE"


@given(st.text())
def test_any_text_gives_a_known_code_or_none(text: str) -> None:
    assert country_code(text) in {"", *CODES}
    assert country_of_affiliation(text) in {"", *CODES}
