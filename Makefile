# Meldlog's commands. A machine needs Python >= 3.11 and make, nothing else: uv is installed inside .venv.

PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.stamp
# Tests run on as many processes as there are cores; PYTEST passes further arguments on.
PYTEST_WORKERS ?= auto
PYTEST ?=
BENCH ?=

# The stamp holds the folder it was made in: an environment copied along with its folder would run the old folder's code.
ifneq ($(shell cat $(STAMP) 2>/dev/null),$(CURDIR))
.PHONY: $(STAMP)
endif

# Whoever set a package index of their own for pip meant uv as well.
ifdef PIP_INDEX_URL
export UV_DEFAULT_INDEX ?= $(PIP_INDEX_URL)
endif
# uv brings certificates of its own; where the system has some, they also know the proxy of a closed network.
ifneq ($(wildcard /etc/ssl/certs/*),)
export UV_SYSTEM_CERTS ?= true
endif

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup run test check format bench lock pictures vendor clean

help: ## Show this help
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

setup: $(STAMP) ## Create .venv with the locked dependencies and the meldlog command
	@:

$(STAMP): pyproject.toml requirements.lock
	@PYTHON='$(PYTHON)' sh scripts/setup.sh '$(CURDIR)'

# make hands SIGTERM on to the service and waits for it; should make itself be killed, the kernel ends the service.
run: setup ## Start the service with its embedded store
	@exec $$(command -v setpriv >/dev/null && echo setpriv --pdeathsig TERM) $(BIN)/meldlog serve

test: setup ## Run every test
	$(BIN)/python -m pytest -n $(PYTEST_WORKERS) tests $(PYTEST)

check: setup ## Lint, formatting, types and import rules, as CI checks them
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup ## Format the code and put right what ruff can
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: setup ## Measure the service, its store and its bots on this machine
	$(BIN)/uv pip install --quiet --require-hashes --no-deps --requirement requirements-bench.lock
	PYTHONPATH=bench $(BIN)/python -m meldlog_bench --out build/bench.json $(BENCH)

lock: setup ## Renew the lock files from pyproject.toml
	$(BIN)/uv pip compile --quiet --upgrade --universal --generate-hashes --python-version 3.11 \
		--custom-compile-command 'make lock' --extra service --group dev --output-file requirements.lock pyproject.toml
	$(BIN)/uv pip compile --quiet --upgrade --universal --generate-hashes --python-version 3.11 \
		--custom-compile-command 'make lock' --extra bench --constraint requirements.lock \
		--output-file requirements-bench.lock pyproject.toml

pictures: setup ## Take the pictures of docs/web.md anew; needs Chromium
	$(BIN)/python -m tests.web.pictures

vendor: ## Fetch what the web client takes from npm, as pinned, and copy it into the tree; needs node and npm
	cd scripts/vendor && npm ci && node vendor.mjs

clean: ## Remove .venv and everything that tools leave behind
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
