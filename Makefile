# `make demo` and `make test` need Python 3.11 or newer and nothing else: they set up .venv themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# Tests start some hundred programs: each would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-quick lint types contract pytest docs bench clean help

help:
	@echo "make demo        the whole chain on a generated corpus; ends with a report page"
	@echo "make test        lint, types, import contract, all tests (boots a real Neo4j where Java is)"
	@echo "make test-quick  lint and the fast tests, on the embedded engine, in three minutes"
	@echo "make docs        the documentation site; open docs/_build/html/index.html"
	@echo "make bench       benchmarks, peers side by side; writes benchmarks/results"
	@echo "make clean       removes .venv and caches"

# uv where it is installed, else venv and pip; redone when pyproject.toml changes.
$(STAMP): pyproject.toml
	@echo "setting up $(VENV): two to five minutes, PyTorch is large"
	@if command -v uv >/dev/null 2>&1; then \
		uv venv --quiet --allow-existing --python $(PYTHON) $(VENV) && \
		uv pip install --quiet --python $(BIN)/python --editable '.[dev]'; \
	else \
		$(PYTHON) -m venv $(VENV) && \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'; \
	fi
	@touch $@

demo: $(STAMP)
	$(BIN)/platform demo

# Types are checked beside the tests, in whose pauses there is room for it.
test: lint contract
	@$(MAKE) --no-print-directory --jobs=2 types pytest

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy
	MYPYPATH=platform:benchmarks $(BIN)/mypy benchmarks/*.py
	MYPYPATH=platform:benchmarks $(BIN)/mypy benchmarks/science/*.py

contract: $(STAMP)
	$(BIN)/lint-imports

pytest: $(STAMP)
	$(BIN)/python -m pytest --numprocesses=logical --maxprocesses=4 --dist=loadscope --no-loadscope-reorder

test-quick: lint
	$(BIN)/python -m pytest --numprocesses=logical --maxprocesses=4 --dist=loadscope -m "not slow and not neo4j"

# Warnings are errors. Nothing is fetched: the site builds and reads without a network.
docs: $(STAMP)
	$(BIN)/sphinx-build -W --keep-going --quiet -b html docs docs/_build/html
	@echo "open docs/_build/html/index.html"

bench: $(STAMP)
	@if command -v uv >/dev/null 2>&1; then \
		uv pip install --quiet --python $(BIN)/python --editable '.[bench]'; \
	else \
		$(BIN)/python -m pip install --quiet --editable '.[bench]'; \
	fi
	for stage in jats sources ingest shards ladybug_lists ladybug_pieces authors importance abstracts neo4j_load sections intents knn encode pool bm25 profiles recommend metrics train graph_embed graph_vectors score_store mutations sampling shared bands network_report leiden map map_page network_page exports explorer; do $(BIN)/python benchmarks/$$stage.py || exit 1; done
	$(BIN)/python benchmarks/table.py

clean:
	rm -rf $(VENV) docs/_build .mypy_cache .ruff_cache .pytest_cache .hypothesis
