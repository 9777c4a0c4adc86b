# make demo: environment, install, main job. make test: environment, install, tests. Nothing else is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# The tests start hundreds of processes, and each would compile anew all that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test check bench clean
.DEFAULT_GOAL := test

demo: $(VENV)/.installed
	@$(BIN)/turngate demo

test: $(VENV)/.installed
	$(BIN)/python -m pytest -n auto --dist worksteal -rs

check: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The episodes come last: the last line is their ratio to the floor.
EPISODES := tests/bench/bench_episodes.py
bench: $(VENV)/.installed
	@for file in $(sort $(filter-out $(EPISODES),$(wildcard tests/bench/bench_*.py))) $(EPISODES); do echo "== $$file"; $(BIN)/python $$file || exit 1; done

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .import_linter_cache

# uv installs in seconds what takes pip minutes; where it can't be had, pip does the same.
$(VENV)/.installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "turngate needs Python 3.11 or newer: make PYTHON=python3.12 …" >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt uv pip || true
	@if $(BIN)/python -m uv --version >/dev/null 2>&1; then \
		$(BIN)/python -m uv pip install --quiet --python $(BIN)/python -c constraints.txt -e . --group dev; \
	else \
		$(BIN)/python -m pip install --quiet -c constraints.txt -e . --group dev; \
	fi
	@touch $@
