# Every target does its own set-up, which takes no time if nothing has changed.
.DEFAULT_GOAL := help
PYTHON ?= python3
export PYTHON
# Tests start many processes, and pytest rewrites the modules they import. Byte code saves that work the next
# time.
unexport PYTHONDONTWRITEBYTECODE
BIN := .venv/bin
ARGS ?=
# Two more processes than CPUs; a process that is done early takes tests from the others.
SIDE_BY_SIDE := -n auto --dist worksteal
# Tests and mypy at the same time. Once the tests are done, errors of mypy are far above, so they are shown again.
beside_types = $(MAKE) --no-print-directory --jobs 2 types $(1) || { $(BIN)/mypy --no-error-summary; exit 1; }

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: ## set up, then serve on 127.0.0.1:8000 with a demo account
	@setup/install.sh
	@exec $(BIN)/python -m service demo --no-browser $(ARGS)

.PHONY: test
test: install browser ## set up, then lint, types and the whole test suite
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	+@$(call beside_types,suite)

.PHONY: thorough
thorough: install browser ## all cases of which `make test` runs a sample: file variants, orientations, balancers, requests
	$(BIN)/pytest $(SIDE_BY_SIDE) -m thorough $(ARGS)

.PHONY: check
check: install ## lint, types and the most telling tests, within a minute
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	+@$(call beside_types,quick)

# Many tests wait rather than compute, and mypy is a single process, so both run at the same time. Tests
# marked `alone` count things, or measure the memory of their own processes, and mypy affects neither.
.PHONY: types suite quick
types:
	$(BIN)/mypy
suite:
	$(BIN)/pytest $(SIDE_BY_SIDE) -m "not thorough" $(ARGS)
quick:
	$(BIN)/pytest $(SIDE_BY_SIDE) -m "not long and not alone and not thorough" $(ARGS)

.PHONY: install
install: ## only the set-up: system headers, .venv, pinned dependencies
	@setup/install.sh bulk captions cluster dev docs mcp parquet traces

.PHONY: lock
lock: ## pin everything in requirements/ again, with hashes; ARGS=--upgrade takes newer versions
	@setup/lock.sh $(ARGS)

.PHONY: browser
browser: ## install Chromium and Node.js for the tests of the web pages, if apt is allowed
	@setup/browser.sh

.PHONY: lint
lint: install ## only lint and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

.PHONY: format
format: install ## reformat the code and fix what ruff can fix
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

.PHONY: bench
bench: install browser ## speed compared with other tools, as a table
	@setup/install.sh bench
	$(BIN)/python -m benchmarks.speed $(ARGS)

.PHONY: fidelity
fidelity: install ## pictures compared with the path-traced references, as a table
	$(BIN)/python -m benchmarks.fidelity $(ARGS)

.PHONY: rubric
rubric: install ## measure our pictures for the properties of product photographs
	$(BIN)/python -m benchmarks.rubric $(ARGS)

.PHONY: docs
docs: install ## build the documentation as a site, in build/site
	$(BIN)/python setup/site.py $(ARGS)

.PHONY: frames
frames: install ## redraw the device frames
	@[ -d /usr/share/fonts/opentype/inter ] || setup/apt.sh fonts-inter
	$(BIN)/python -m frames.generator $(ARGS)

.PHONY: references
references: ## path-trace the references again, with Blender in a .venv of its own
	@setup/references.sh
	.venv-references/bin/python -m benchmarks.references $(ARGS)

.PHONY: container
container: install ## build the image twice and run it with as few rights as possible; needs buildah and runc
	$(BIN)/python -m benchmarks.container $(ARGS)

.PHONY: bulk
bulk: install ## manifests on a Dask cluster: its cost, and what survives when its processes are killed
	$(BIN)/python -m benchmarks.bulk $(ARGS)

.PHONY: sets
sets: install ## a store set of 360 pictures, drawn whole and then unchanged
	$(BIN)/python -m benchmarks.sets $(ARGS)

.PHONY: films
films: install browser ## films of a recorded page on a phone and a laptop that move; needs ffmpeg
	$(BIN)/python -m benchmarks.films $(ARGS)

.PHONY: clients
clients: install browser ## what the clients cost beside curl, and how soon a link is served
	$(BIN)/python -m benchmarks.clients $(ARGS)

.PHONY: sizing
sizing: install ## renders a second by processors and memory; needs wrk
	$(BIN)/python -m benchmarks.sizing $(ARGS)

.PHONY: wheel
wheel: install ## build the package in dist/, install it in an empty environment and render with it
	@setup/wheel.sh

.PHONY: reuse
reuse: install ## whether every file says whose it is
	@setup/install.sh reuse
	$(BIN)/reuse lint

.PHONY: audit
audit: install ## whether what users are given is locked and may be passed on; its licences in dist/NOTICES.txt
	$(BIN)/python setup/audit.py $(ARGS)

.PHONY: sbom
sbom: install ## what is in the image, as CycloneDX in dist/sbom.json; needs buildah
	@setup/install.sh sbom
	$(BIN)/python -m benchmarks.sbom $(ARGS)

.PHONY: gallery
gallery: install browser ## draw the documentation's pictures and contact sheets anew
	$(BIN)/python -m benchmarks.gallery $(ARGS)
	$(BIN)/python -m benchmarks.studio_pictures

.PHONY: soak
soak: install ## thousands of mixed renders, watching memory and files
	$(BIN)/python -m benchmarks.soak $(ARGS)

.PHONY: cluster
cluster: install ## three instances behind nginx and HAProxy: limits, failures, restarts, attacks
	$(BIN)/python -m benchmarks.cluster $(ARGS)

.PHONY: fuzz
fuzz: install ## hostile pictures and settings for as long as you like
	$(BIN)/python -m benchmarks.fuzz $(ARGS)

.PHONY: mutants
mutants: install ## small faults put into the code, one at a time: do the tests notice?
	$(BIN)/python -m benchmarks.mutants $(ARGS)

.PHONY: sanitize
sanitize: install ## the tests of the kernels, built with the compiler's checks of memory and arithmetic
	@setup/sanitize.sh $(ARGS)

.PHONY: clean
clean: ## remove what was built and cached, but not var/ with its database
	rm -rf .venv .venv-lock .venv-references .setup.lock .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist *.egg-info
	rm -f service/render/kernels/*.so service/codec/formats/png/*.so
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
