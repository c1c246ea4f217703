# `make play` serves the game, `make test` tests it, `make check` is all that CI checks.

SHELL = /bin/bash
HOST = 127.0.0.1
PORT = 8000
ARGS =

VENV = .venv
BIN = $(VENV)/bin
PYTHON = $(BIN)/python

.PHONY: help setup play test check lint types templates format messages clean

help:
	@echo "make play                  serve the game here; HOST=0.0.0.0 for the phones in the house, PORT=8000"
	@echo "make test                  every test that this machine can run; ARGS=--all leaves nothing out"
	@echo "make check                 all that CI checks: format, lint, types, templates, translations, tests"
	@echo "make format                format Python and templates"
	@echo "make messages              bring the translation files up to date"
	@echo "make clean                 remove what can be made again; games in data/ stay"

setup: $(VENV)/.ready
	@$(PYTHON) manage.py catalogues compile

# Made again only when the requirements change.
$(VENV)/.ready: requirements.txt requirements-dev.txt
	@python=$$(for one in python3 python3.13 python3.12 python3.11; do \
	  "$$one" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null && echo "$$one" && break; \
	done); \
	if [ -z "$$python" ]; then echo "Gaple needs Python 3.11, 3.12 or 3.13, and found none." >&2; exit 1; fi; \
	"$$python" -m venv $(VENV) || { echo "Python's venv is missing; on Debian: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m pip install --quiet --disable-pip-version-check -r requirements.txt -r requirements-dev.txt
	@touch $@

play: setup
	@exec $(PYTHON) manage.py play --host $(HOST) --port $(PORT)

test: setup
	@$(PYTHON) -m tests.run $(ARGS)

check: setup lint types templates
	$(PYTHON) manage.py makemigrations --check --dry-run
	$(PYTHON) manage.py catalogues check
	GAPLE_ORIGIN=https://gaple.example.org $(PYTHON) manage.py check --deploy --fail-level WARNING
	$(PYTHON) -m tests.run --all $(ARGS)

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-logo

types: setup
	$(BIN)/mypy

templates: setup
	$(BIN)/djlint templates --lint --quiet
	$(BIN)/djade --check --target-version 5.2 $$(find templates -name '*.html')

format: setup
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .
	-$(BIN)/djade --target-version 5.2 $$(find templates -name '*.html')

messages: setup
	$(PYTHON) manage.py catalogues update

clean:
	rm -rf $(VENV) staticfiles artifacts .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -not -path './data/*' -prune -exec rm -rf {} +
