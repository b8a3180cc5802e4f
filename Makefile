PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: setup test lint demo bench check-slow

setup: $(READY)

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

test: setup
	$(BIN)/python -m pytest -m "not slow" -n 2

lint: setup
	$(BIN)/ruff check .
	$(BIN)/mypy

check-slow: setup
	$(BIN)/python -m pytest -m slow -n 2
