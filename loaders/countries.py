"""Printed countries, and countries at the end of printed affiliations -> ISO 3166-1 codes.

A name that may be something else gives no code: a wrong country is worse than a missing one. Codes
and English names are those of ISO 3166-1; other names are what affiliations print.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_COUNTRIES = """
AD Andorra
AE United Arab Emirates|UAE|Emirates
AF Afghanistan
AG Antigua and Barbuda
AI Anguilla
AL Albania|Shqiperi
AM Armenia
AO Angola
AQ Antarctica
AR Argentina|Argentine|Argentinien
AS American Samoa
AT Austria|Österreich|Autriche|Oesterreich
AU Australia|Australie|Australien|New South Wales Australia
AW Aruba
AX Åland Islands|Aland
AZ Azerbaijan|Azerbaidjan
BA Bosnia and Herzegovina|Bosnia Herzegovina|Bosnia & Herzegovina|Bosnia|Bosna i Hercegovina
BB Barbados
BD Bangladesh
BE Belgium|Belgique|België|Belgien
BF Burkina Faso
BG Bulgaria|България
BH Bahrain
BI Burundi
BJ Benin|Bénin
BL Saint Barthélemy
BM Bermuda
BN Brunei Darussalam|Brunei|Negara Brunei Darussalam
BO Bolivia|Plurinational State of Bolivia|Bolivia Plurinational State of
BQ Bonaire
BR Brazil|Brasil|Brésil|Brasilien
BS Bahamas
BT Bhutan
BV Bouvet Island
BW Botswana
BY Belarus|Belorussia|Byelorussia|Беларусь
BZ Belize
CA Canada|Kanada
CC Cocos Islands
CD Democratic Republic of the Congo|Democratic Republic of Congo|Congo Democratic Republic
  |DR Congo|DRC|République Démocratique du Congo|Congo Kinshasa|Zaire
  |Congo the Democratic Republic of the
CF Central African Republic|République Centrafricaine
CG Republic of the Congo|Republic of Congo|Congo Brazzaville|République du Congo
CH Switzerland|Schweiz|Suisse|Svizzera
CI Côte d'Ivoire|Ivory Coast
CK Cook Islands
CL Chile|Chili
CM Cameroon|Cameroun|Kamerun
CN China|PR China|PRC|People's Republic of China|Peoples Republic of China
  |People Republic of China|PR of China|Mainland China|Chine|中国|中华人民共和国
CO Colombia|Colombie|Kolumbien
CR Costa Rica
CU Cuba
CV Cape Verde|Cabo Verde
CW Curaçao
CX Christmas Island
CY Cyprus|Chypre|Zypern|Northern Cyprus
CZ Czech Republic|Czechia|Česká republika|République tchèque|Tschechien|Tschechische Republik
DE Germany|Deutschland|Allemagne|Alemania|Federal Republic of Germany|FR Germany|West Germany
  |Alemanha|Germania
DJ Djibouti
DK Denmark|Danmark|Dänemark|Danemark
DM Dominica
DO Dominican Republic|República Dominicana
DZ Algeria|Algérie|Algerien
EC Ecuador|Équateur
EE Estonia|Eesti
EG Egypt|Arab Republic of Egypt|Égypte|Ägypten|Egipto
EH Western Sahara
ER Eritrea
ES Spain|España|Espagne|Spanien|Espanya|Espanha|Spagna
ET Ethiopia|Éthiopie|Äthiopien
FI Finland|Suomi|Finnland
FJ Fiji|Fiji Islands
FK Falkland Islands
FM Micronesia|Federated States of Micronesia
FO Faroe Islands|Faeroe Islands
FR France|Frankreich|Francia|Frankrijk|França|Corsica
GA Gabon
GB United Kingdom|UK|Great Britain|England|Scotland|Wales|Northern Ireland|Royaume Uni|Reino Unido
  |Vereinigtes Königreich|Großbritannien|Angleterre|United Kindom|GB
  |United Kingdom of Great Britain and Northern Ireland
GD Grenada
GE Georgia
GF French Guiana|Guyane française|Guyane
GG Guernsey
GH Ghana
GI Gibraltar
GL Greenland|Grønland
GM Gambia
GN Guinea|Guinée|Guinea Conakry
GP Guadeloupe
GQ Equatorial Guinea
GR Greece|Hellas|Grèce|Griechenland|Ελλάδα|Crete Greece
GS South Georgia and the South Sandwich Islands
GT Guatemala
GU Guam
GW Guinea-Bissau
GY Guyana
HK Hong Kong|Hong Kong SAR|Hong Kong China|Hong Kong SAR China|Hong Kong PR China|Hongkong
HM Heard Island and McDonald Islands
HN Honduras
HR Croatia|Hrvatska|Kroatien|Croatie
HT Haiti|Haïti
HU Hungary|Magyarország|Ungarn|Hongrie
ID Indonesia|Indonésie|Indonesien
IE Ireland|Éire|Irlande|Irland|Irlanda
IL Israel|Israël
IM Isle of Man
IN India|Inde|Indien
IO British Indian Ocean Territory
IQ Iraq|Irak|Kurdistan Region of Iraq|Kurdistan Iraq
IR Iran|Islamic Republic of Iran|Iran Islamic Republic of|IR Iran
IS Iceland|Ísland
IT Italy|Italia|Italie|Italien|Itália
JE Jersey
JM Jamaica
JO Jordan|Hashemite Kingdom of Jordan|Jordanie
JP Japan|Japon|日本
KE Kenya|Kenia
KG Kyrgyzstan|Kyrgyz Republic
KH Cambodia|Cambodge|Kampuchea
KI Kiribati
KM Comoros
KN Saint Kitts and Nevis|St Kitts and Nevis|St Kitts
KP North Korea|DPR Korea|Democratic People's Republic of Korea
  |Democratic Peoples Republic of Korea
KR South Korea|Republic of Korea|Korea|Korea Republic of|Korea South|Rep of Korea|Corée du Sud
  |Corea del Sur|Südkorea|대한민국|ROK
KW Kuwait
KY Cayman Islands
KZ Kazakhstan|Kazakstan|Казахстан
LA Laos|Lao PDR|Lao People's Democratic Republic|Lao
LB Lebanon|Liban
LC Saint Lucia|St Lucia
LI Liechtenstein
LK Sri Lanka|Ceylon
LR Liberia
LS Lesotho
LT Lithuania|Lietuva|Litauen
LU Luxembourg|Luxemburg|Grand Duchy of Luxembourg
LV Latvia|Latvija|Lettland
LY Libya|Libyan Arab Jamahiriya
MA Morocco|Maroc|Marruecos|Marokko
MC Monaco
MD Moldova|Republic of Moldova
ME Montenegro|Crna Gora
MF Saint Martin French part
MG Madagascar
MH Marshall Islands
MK North Macedonia|Macedonia|FYR Macedonia|FYROM|Republic of Macedonia
  |Former Yugoslav Republic of Macedonia
ML Mali
MM Myanmar|Burma|Republic of the Union of Myanmar
MN Mongolia|Mongolei
MO Macao|Macau|Macau SAR|Macao SAR|Macau China|Macao China|Macau SAR China|Macao SAR China
MP Northern Mariana Islands
MQ Martinique
MR Mauritania|Mauritanie
MS Montserrat
MT Malta
MU Mauritius|Maurice
MV Maldives
MW Malawi
MX Mexico|México|Mexique|Mexiko|Mejico|Estados Unidos Mexicanos
MY Malaysia|Malaisie
MZ Mozambique|Moçambique
NA Namibia
NC New Caledonia|Nouvelle Calédonie
NE Niger
NF Norfolk Island
NG Nigeria|Nigéria
NI Nicaragua
NL Netherlands|Holland|Nederland|Pays-Bas|Niederlande|Países Bajos|Paesi Bassi
NO Norway|Norge|Norwegen|Norvège|Noruega
NP Nepal|Népal
NR Nauru
NU Niue
NZ New Zealand|Aotearoa New Zealand|Nouvelle Zélande|Neuseeland|Nueva Zelanda
OM Oman|Sultanate of Oman
PA Panama|Panamá
PE Peru|Perú|Pérou
PF French Polynesia|Polynésie française|Tahiti
PG Papua New Guinea
PH Philippines|Filipinas|Pilipinas
PK Pakistan|Islamic Republic of Pakistan
PL Poland|Polska|Pologne|Polen|Polonia
PM Saint Pierre and Miquelon
PN Pitcairn
PR Puerto Rico
PS Palestine|Palestinian Territory|State of Palestine|Palestinian Territories|Gaza Strip|West Bank
  |Occupied Palestinian Territory|Palestinian Authority
PT Portugal
PW Palau
PY Paraguay
QA Qatar
RE Réunion|La Réunion|Reunion Island|Île de la Réunion
RO Romania|România|Roumanie|Rumänien|Rumania
RS Serbia|Srbija|Serbie|Serbien|Republic of Serbia
RU Russia|Russian Federation|Russie|Russland|Rusia|Россия
RW Rwanda
SA Saudi Arabia|Kingdom of Saudi Arabia|KSA|Arabie Saoudite|Saudi-Arabien
SB Solomon Islands
SC Seychelles
SD Sudan|Soudan
SE Sweden|Sverige|Schweden|Suède|Suecia
SG Singapore|Republic of Singapore|Singapur
SH Saint Helena
SI Slovenia|Slovenija|Slovénie|Slowenien
SJ Svalbard and Jan Mayen|Svalbard
SK Slovakia|Slovak Republic|Slovensko|Slovenská republika|Slovaquie|Slowakei
SL Sierra Leone
SM San Marino
SN Senegal|Sénégal
SO Somalia|Somaliland
SR Suriname|Surinam
SS South Sudan
ST Sao Tome and Principe|São Tomé e Príncipe
SV El Salvador
SX Sint Maarten
SY Syria|Syrian Arab Republic|Syrie|Syrien
SZ Eswatini|Swaziland
TC Turks and Caicos Islands
TD Chad|Tchad
TF French Southern Territories
TG Togo
TH Thailand|Thaïlande|ประเทศไทย
TJ Tajikistan
TK Tokelau
TL Timor-Leste|East Timor
TM Turkmenistan
TN Tunisia|Tunisie|Tunesien
TO Tonga
TR Turkey|Türkiye|Turkiye|Turquie|Türkei|Turquía
TT Trinidad and Tobago|Trinidad & Tobago|Trinidad
TV Tuvalu
TW Taiwan|Taiwan ROC|Taiwan Republic of China|ROC|Taiwan PR China|Taiwan China
  |Taiwan Province of China|台灣|臺灣|台湾
TZ Tanzania|United Republic of Tanzania|Tanzania United Republic of|Zanzibar|Tanzanie
UA Ukraine|Україна
UG Uganda|Ouganda
UM United States Minor Outlying Islands
US United States of America|United States|USA|US|US of America|United States America|Unites States
  |États-Unis|États-Unis d'Amérique|Estados Unidos|Estados Unidos de América|Vereinigte Staaten
  |Stati Uniti|EE UU|EUA
UY Uruguay
UZ Uzbekistan
VA Holy See|Vatican City
VC Saint Vincent and the Grenadines
VE Venezuela|Bolivarian Republic of Venezuela|Venezuela Bolivarian Republic of
VG British Virgin Islands
VI US Virgin Islands|United States Virgin Islands
VN Vietnam|Viet Nam|SR Vietnam|Việt Nam
VU Vanuatu
WF Wallis and Futuna
WS Samoa
XK Kosovo
YE Yemen
YT Mayotte
ZA South Africa|Republic of South Africa|Afrique du Sud|Suid-Afrika|Südafrika|Sudáfrica|RSA
ZM Zambia
ZW Zimbabwe
"""
"""Code and names; an indented line continues the one above. XK is not in ISO 3166-1, which leaves
it to users; Kosovo is printed often."""

_STATES = (
    "AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|"
    "DE Delaware|DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|"
    "IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|"
    "MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|"
    "NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|"
    "OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|"
    "SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|"
    "WV West Virginia|WI Wisconsin|WY Wyoming"
)
_STATE_CODES = "|".join(entry[:2] for entry in _STATES.split("|") if entry[:2] != "DE")
_STATE_NAMES = "|".join(entry[3:] for entry in _STATES.split("|"))
_STATE_ZIP = re.compile(rf"(?:^|[\s,])(?:{_STATE_CODES}|{_STATE_NAMES}),? +\d{{5}}(?:-\d{{4}})?$")
"""`CA 95616` at the end. `DE 35392` is also how Germany is written."""
_STATE_ALONE = frozenset(entry[3:].casefold() for entry in _STATES.split("|")) - {
    "georgia", "washington", "maryland", "florida", "montana", "district of columbia",
}  # fmt: skip
"""States whose name at the end of an affiliation is hardly ever another place."""

_WHOLE = frozenset(("republic of china", "guinea", "us", "roc", "rsa", "lao", "mali", "chad",
                    "niger", "jordan", "drc", "rok", "ksa", "prc", "gb", "emirates", "maurice",
                    "wales", "reunion", "dominica", "grenada", "bonaire", "corsica"))  # fmt: skip
"""Names that count at the end of an affiliation only between its commas: as last words of more text
they may be something else (`New South Wales`, a person called Jordan)."""
_NEVER_LAST = frozenset(
    ("georgia", "jersey", "saint lucia", "st lucia", "montserrat", "saint helena")
)
"""Countries whose names affiliations also end in as states, suburbs, towns."""
_GEORGIAN = frozenset(("tbilisi", "batumi", "kutaisi", "telavi", "rustavi", "gori", "zugdidi"))
_PART_OF_CHINA = frozenset(("HK", "MO", "TW"))
"""Codes of their own, with or without `China` after them."""

_NOT_WORD = re.compile(r"[^\w]+|_")
_LONE = re.compile(r"\b(\w) (?=\w\b)")
_ARTICLE = re.compile(r"^(?:the|republic of(?: the)?|kingdom of(?: the)?|state of) (?=\w)")
_CONTACT = re.compile(
    r"(?:\b(?:e-?mails?|tel|telephone|phone|fax|orcid|(?:present|current|permanent) address|"
    r"corresponding authors?|correspondence)\b|https?://|(?<!\S)\S+@\S+).*",
    re.IGNORECASE | re.DOTALL,
)
"""What may follow the address."""
_SEPARATOR = re.compile(r"[,;:|()\[\]\n]| [-–—] |\. +(?=[A-Z][a-z])")
_LONGEST = 6  # words of a name
_READ = 200  # last characters of an affiliation


def _fold(text: str) -> str:
    """Lower case without accents and punctuation; single letters are joined (`U.S.A.`, `P. R.`)."""
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text)
        text = "".join(c for c in decomposed if not unicodedata.combining(c))
        text = unicodedata.normalize("NFKC", text)
    return _LONE.sub(r"\1", _NOT_WORD.sub(" ", text.casefold()).strip())


def _names() -> dict[str, str]:
    names = {"republic of china": "TW"}
    for line in _COUNTRIES.replace("\n  ", "").strip().splitlines():
        code, _, printed = line.partition(" ")
        names |= {_fold(name): code for name in printed.split("|")}
    return names


_NAMES = _names()
CODES = frozenset(_NAMES.values())


def country_code(printed: str) -> str:
    """The code of a country; empty if unknown.

    Args:
        printed: the name of a country, or its code of two letters.
    """
    text = printed.strip()
    if len(text) == 2 and text.upper() in CODES:
        return text.upper()
    return _known(_fold(text)) or country_of_affiliation(text)


def _known(folded: str) -> str:
    """The code of a whole name."""
    return _NAMES.get(folded) or _NAMES.get(_ARTICLE.sub("", folded), "")


@lru_cache(maxsize=65536)
def country_of_affiliation(printed: str) -> str:
    """The code of the country at the end of a printed affiliation; empty if that is not sure.

    Args:
        printed: the affiliation: `Rice Institute, Davis, CA 95616`.
    """
    text = _CONTACT.sub("", printed)[-_READ:].rstrip(" .,;:()[]-/\n")
    parts = [part.strip(" .") for part in _SEPARATOR.split(text)]
    parts = [part for part in parts if _has_words(part)]
    if not parts:
        return ""
    code = _of_part(parts[-1])
    if code == "CN" and len(parts) > 1 and (own := _of_part(parts[-2])) in _PART_OF_CHINA:
        return own
    if _fold(parts[-1]) == "georgia" and _GEORGIAN & {*_fold(text).split()}:
        return "GE"
    if not code and (_STATE_ZIP.search(text) or parts[-1].casefold() in _STATE_ALONE):
        return "US"
    return code


def _has_words(part: str) -> bool:
    """Whether a part is more than a post code (`100081`, `SW7 2AZ`)."""
    return any(not any(c.isdigit() for c in word) for word in part.split())


def _of_part(part: str) -> str:
    """The code of the country in the last words of a part, without a post code after it."""
    words = _fold(part).split()
    while words and any(c.isdigit() for c in words[-1]):
        words.pop()
    whole = " ".join(words)
    if whole in _NEVER_LAST or (whole == "us" and "US" not in part.replace(".", "")):
        return ""
    if code := _known(whole):
        return code
    for length in range(min(_LONGEST, len(words) - 1), 0, -1):
        name = " ".join(words[-length:])
        if name in _NAMES:
            unsure = name in _NEVER_LAST or (name in _WHOLE and not words[-length - 1].isdecimal())
            return "" if unsure or words[-length - 1] == "new" else _NAMES[name]
    return ""
