"""A package, so that a library which installs a `tests` of its own does not come first."""
