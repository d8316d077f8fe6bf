"""One source format a file: documents -> records. Loaders know no database."""
