"""One source format a file -> the records of `citescape.core.types`; knows no database."""
