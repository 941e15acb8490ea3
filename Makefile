PYTHON ?= python

.PHONY: check test format
check:
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .
	$(PYTHON) -m mypy
	lint-imports
	$(PYTHON) -m pytest -m smoke

test:
	$(PYTHON) -m pytest -n 2

format:
	$(PYTHON) -m ruff format .
	$(PYTHON) -m ruff check --fix .
