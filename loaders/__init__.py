"""One source format a file -> the records of `citescape.types`; knows no database."""
