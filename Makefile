# Two commands do all the set-up: `make run` and `make test`.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Where byte code may not be kept, each of the many processes that a service and its tests start compiles all it imports.
unexport PYTHONDONTWRITEBYTECODE
LOCKED := $(shell cat requirements.lock pyproject.toml | sha256sum | cut -c1-16)
PACKAGES := $(VENV)/packages-$(LOCKED)
COMPILED := $(VENV)/compiled-$(LOCKED)
SCRIPTS := $(VENV)/scripts
COLLECTED := $(VENV)/collected-$(LOCKED)

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

setup: $(COMPILED) $(SCRIPTS) ## create .venv, install the lock, compile the hot loops and build the pages' scripts

$(PACKAGES): requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	HATCH_BUILD_NO_HOOKS=true $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	rm -f $(VENV)/packages-*
	touch $@

$(COMPILED): $(PACKAGES)
	@echo "compiling the hot loops, once: a minute or two"
	$(BIN)/python -c "from fettle.app.kernel_tasks.job_analysis import compile_all; compile_all()"
	rm -f $(VENV)/compiled-*
	touch $@

# Not by the installation, whose hook would build them: so they can be built while the hot loops are compiled.
$(SCRIPTS): $(PACKAGES) hatch_build.py $(wildcard viewer/*.json viewer/*.mjs viewer/src/* viewer/src/*/*)
	$(BIN)/python hatch_build.py
	touch $@

run: setup ## start the service
	$(BIN)/fettle serve

system-packages:
	@sh tests/system-packages.sh

# Byte code of the tests and of all that they import, written by one process: four that start together would each do it.
collected: $(COLLECTED)

$(COLLECTED): $(PACKAGES)
	$(BIN)/python -m pytest -q --collect-only > /dev/null
	rm -f $(VENV)/collected-*
	touch $@

# Four processes on two cores: a third of the time a test of the service waits for another process. Threads of
# OpenBLAS would only take cores from each other.
test: setup system-packages collected ## run every test
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 4 --dist loadgroup --durations 25

check: lint types generated ## format, lint, types (Python and TypeScript), import contracts, generated files

lint: $(PACKAGES)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports

types: $(PACKAGES)
	$(BIN)/mypy

generated: $(PACKAGES) $(SCRIPTS)
	$(BIN)/python -m pytest -q tests/viewer tests/codegen

generate: setup ## write the files that follow from the typed result: OpenAPI, JSON Schema, client, TypeScript
	$(BIN)/python -m codegen

fmt: setup ## format the code and mend what the linter can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: setup ## measure against the floor (see benchmarks/)
	$(BIN)/python -m benchmarks

benchmark-report: setup system-packages ## measure all that we claim and write docs/benchmark.md; SECTIONS="labeled fit" for some of it
	$(BIN)/python -m benchmarks.report $(SECTIONS)

docs: setup ## build the documentation into build/docs, with its links checked
	$(BIN)/python -m mkdocs build

screenshots: setup system-packages ## take the pictures of the dashboard in docs/screenshots
	$(BIN)/python docs/make_screenshots.py

.PHONY: help setup run test check lint types generated generate fmt bench benchmark-report docs screenshots system-packages collected
