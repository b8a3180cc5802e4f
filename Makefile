# Everything a user or a developer runs. Only git, make and Python 3.11 or newer are needed; the rest is set up here.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
OUT := out

.PHONY: setup test lint demo docs bench check-slow clean

setup: $(READY)

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

# The main job on a real photograph: read the tiles, settle the hand, say it, draw it.
demo: setup
	mkdir -p $(OUT)
	$(BIN)/referee photo tests/photos/hand_dark_1.jpg --rules hongkong --no-ask --out $(OUT)/demo.png
	@echo "The picture with what was read: $(OUT)/demo.png"

test: setup
	$(BIN)/python -m pytest -m "not slow" -n 2

lint: setup
	$(BIN)/ruff check .
	$(BIN)/mypy

check-slow: setup
	$(BIN)/python -m pytest -m slow -n 2
	$(BIN)/python -m hardware.soak

# Figures beside other packages, in one run on this machine.
bench: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	$(BIN)/python -m tests.bench.settle
	$(BIN)/python -m hardware.bench

# The rule book's pages, generated from the data.
docs: setup
	$(BIN)/python -m referee.describe docs/rules

clean:
	rm -rf $(VENV) $(OUT) build *.egg-info
