"""Settings of the documentation site; `make docs` builds it."""

from __future__ import annotations

import sys
from importlib.metadata import version as read_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "citescape"
author = "The citescape authors"
copyright = "The citescape authors, MIT licence"  # noqa: A001
version = release = read_version("citescape")

extensions = ["myst_nb", "citescape_site"]
exclude_patterns = ["_build", "_ext"]

# Headings of three levels have anchors, so that pages can link to sections of each other.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist"]
# Notebooks are shown with the outputs that are stored in them.
nb_execution_mode = "off"

smartquotes = False  # `--save` stays as it is
html_theme = "furo"
html_title = "citescape"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
# Nothing is loaded from another server: the site can be read without a network.
html_baseurl = ""
nb_ipywidgets_js: dict[str, dict[str, str]] = {}
