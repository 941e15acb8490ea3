PYTHON ?= python

.PHONY: check test format page
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

# Builds the page of `pitviper serve` from page/ into the package; needs Node 20. Commit the result.
page:
	cd page && npm ci --no-audit --no-fund && npm run build
