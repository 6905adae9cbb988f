# Everything sets itself up: a virtual environment in .venv, with what pyproject.toml names.

NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	$$python -c '$(NEW_ENOUGH)' 2>/dev/null && echo $$python && break; done)
BIN := .venv/bin
# One more than the cores of a small machine: tests wait for servers.
WORKERS := -n 3 --dist worksteal
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help demo examples year test tested test-beam test-engines fast mypy basedpyright bench bench-beam compatibility package release docs docs-publish docs-check format clean

help:
	@echo "make demo    set up, and run the main job on real data"
	@echo "make examples  set up, and run the worked systems: cells, answers, and what is refused"
	@echo "make year    set up, and move the key of a year of flights, in a run that is killed and goes on; DATA=path takes another file of flights, RUNNER=FnApiRunner moves them as a pipeline"
	@echo "make test    set up, and run the whole check: ruff, mypy, pyright, pytest"
	@echo "make test-beam  set up an environment with Apache Beam, and run the tests of pipelines"
	@echo "make test-engines  set up an environment with Spark, Ray and Dask, and run the code of docs/engines.md"
	@echo "make fast    set up, and run ruff and all tests but the slow ones"
	@echo "make bench   set up, and measure; the last line is the speed of reads and writes, as JSON"
	@echo "make bench-beam  measure pipelines of Apache Beam against btmodel alone; ROWS='10000 100000' takes other numbers of rows"
	@echo "make compatibility  set up, and test the wheel with the oldest and newest libraries on each Python that is here"
	@echo "make package  set up, build the sdist and the wheel in dist, and use both in environments of their own"
	@echo "make release  test, compatibility and package; then it says how to publish"
	@echo "make docs    set up, and build the site in build/docs/site"
	@echo "make docs-publish TO=folder  set up, build the site, and copy it beside the versions in that folder"
	@echo "make docs-check  set up, build the site, and look at it and at the studio in Chromium: accessibility, errors, width; needs npm"
	@echo "make format  write generated files anew, and format the code"

demo: .venv/installed
	@$(BIN)/python -m examples.demo

examples: .venv/installed
	@$(BIN)/python -m examples.worked

year: $(if $(RUNNER),.venv-beam/installed,.venv/installed-arrow)
	@$(if $(RUNNER),.venv-beam/bin,$(BIN))/python -m examples.year $(if $(DATA),--data "$(DATA)") $(if $(RUNNER),--runner=$(RUNNER))

test: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(MAKE) --no-print-directory -j 2 basedpyright tested

# The tests begin once mypy has ended, as some take what it has cached, and beside basedpyright, which has one thread.
tested: mypy
	$(BIN)/pytest $(WORKERS)

test-beam: .venv-beam/installed
	.venv-beam/bin/pytest tests/beam

test-engines: .venv-engines/installed
	.venv-engines/bin/pytest tests/engines

fast: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/pytest $(WORKERS) -m "not slow"

mypy: .venv/installed-dev
	$(BIN)/mypy src codegen examples

basedpyright: .venv/installed-dev
	$(BIN)/basedpyright

bench: .venv/installed-dev
	$(BIN)/python -m tests.bench.review_bench
	$(BIN)/python -m tests.bench.generate_bench
	$(BIN)/python -m tests.bench.repository_bench
	$(BIN)/python -m tests.bench.watching_bench
	$(BIN)/python -m tests.bench.service_bench
	$(BIN)/python -m tests.bench.fresh_instance_bench
	$(BIN)/python -m tests.bench.memory_bench
	$(BIN)/python -m tests.bench.server_bench
	$(BIN)/python -m tests.bench.migrate_bench
	$(BIN)/python -m tests.bench.move_bench
	$(BIN)/python -m tests.bench.files_bench
	$(BIN)/python -m tests.bench.changes_bench
	$(BIN)/python -m tests.bench.views_bench
	$(BIN)/python -m tests.bench.sql_bench
	$(BIN)/python -m tests.bench.simulate_bench
	$(BIN)/python -m tests.bench.speed_bench

bench-beam: .venv-beam/installed
	.venv-beam/bin/python -m tests.bench.beam_bench $(ROWS)

compatibility: .venv/installed-dev
	$(PIP) uv
	$(BIN)/python tests/compatibility.py

package: .venv/installed-dev
	rm -rf dist
	$(PIP) build twine uv
	$(BIN)/python -m build --quiet
	$(BIN)/python -m twine check --strict dist/*
	$(BIN)/python tests/packages.py dist

release: test compatibility package
	@$(BIN)/python codegen/release.py

docs: .venv/installed-dev
	$(BIN)/python codegen/site.py build/docs
	cd build/docs && $(CURDIR)/$(BIN)/zensical build --strict
	$(BIN)/python codegen/site_versions.py build/docs/site

docs-publish: docs
	@test -n "$(TO)" || { echo "Name the folder that the web server shows: make docs-publish TO=/path/to/folder" >&2; exit 1; }
	$(BIN)/python codegen/site_versions.py build/docs/site "$(TO)"

docs-check: docs
	npm install --silent --no-save --prefix build/axe axe-core@4
	$(BIN)/python -m tests.site_check build/docs/site build/axe/node_modules/axe-core/axe.min.js $(PAGES)

format: .venv/installed-dev
	PATH=$(CURDIR)/$(BIN):$$PATH $(BIN)/python codegen/sync_twins.py
	$(BIN)/python codegen/public_names.py
	$(BIN)/python codegen/rule_pages.py
	$(BIN)/btmodel generate
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist

.venv/bin/python:
	@"$(PYTHON)" -c '$(NEW_ENOUGH)' 2>/dev/null || \
		{ echo "btmodel needs Python 3.11 or newer, and found none. Name one: make PYTHON=/path/to/python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -m venv .venv || \
		{ rm -rf .venv; echo "$(PYTHON) cannot make a virtual environment (on Debian: apt install python3-venv)" >&2; exit 1; }

.venv/installed: .venv/bin/python pyproject.toml
	@echo "setting up .venv ..."
	@$(PIP) --editable '.[simulate]'
	@touch $@

.venv/installed-arrow: .venv/bin/python pyproject.toml
	@echo "setting up .venv with what files of Parquet need ..."
	@$(PIP) --editable '.[arrow,simulate]'
	@touch $@ .venv/installed

.venv/installed-dev: .venv/bin/python pyproject.toml
	@echo "setting up .venv with what the tests need ..."
	@$(PIP) --editable '.[dev]'
	@touch $@ .venv/installed .venv/installed-arrow

.venv-engines/installed: pyproject.toml
	@echo "setting up .venv-engines with Spark, Ray and Dask ..."
	@$(PYTHON) -m venv .venv-engines
	@.venv-engines/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[arrow,pandas,testing]' pytest pyspark ray 'dask[dataframe]' 'pandas<3'
	@touch $@

.venv-beam/installed: pyproject.toml
	@echo "setting up .venv-beam with Apache Beam ..."
	@$(PYTHON) -m venv .venv-beam
	@.venv-beam/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[arrow,beam,testing]' mypy pytest
	@touch $@
