"""Names of languages -> ISO 639-1, as Scopus and Web of Science write them."""

from __future__ import annotations

LANGUAGES = {
    "afrikaans": "af", "arabic": "ar", "bulgarian": "bg", "catalan": "ca", "chinese": "zh",
    "croatian": "hr", "czech": "cs", "danish": "da", "dutch": "nl", "english": "en",
    "estonian": "et", "finnish": "fi", "french": "fr", "german": "de", "greek": "el",
    "hebrew": "he", "hungarian": "hu", "icelandic": "is", "indonesian": "id", "italian": "it",
    "japanese": "ja", "korean": "ko", "latvian": "lv", "lithuanian": "lt", "malay": "ms",
    "norwegian": "no", "persian": "fa", "polish": "pl", "portuguese": "pt", "romanian": "ro",
    "russian": "ru", "serbian": "sr", "slovak": "sk", "slovenian": "sl", "spanish": "es",
    "swedish": "sv", "thai": "th", "turkish": "tr", "ukrainian": "uk", "vietnamese": "vi",
}  # fmt: skip


def language_of(text: str) -> str:
    """`English; Spanish` -> `en`, the first one; names without a code are kept, in lower case."""
    name = text.partition(";")[0].strip().lower()
    return LANGUAGES.get(name, name)
