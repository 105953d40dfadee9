# `make play` opens a match; `make test` runs the tests; `make check` runs the static checks.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
PLAYABLE := $(VENV)/playable
PEERS := $(VENV)/peers
SAMPLE := 60
WORKERS := $(shell expr $$(nproc) + 5)  # many tests wait for clocks and other programs
SEED := 1

# Python keeps what it compiled, whatever the caller's environment says: the tests start it some two hundred times.
export PYTHONDONTWRITEBYTECODE =

.PHONY: play test check soak mutants bench bench-peers pictures docs setup tools clean

play: $(PLAYABLE)
	@$(BIN)/magehall play

test: $(READY) tools
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.helpers.plain_english

soak: $(READY) tools
	$(BIN)/python -m pytest -m soak --timeout 3600 -s

# Breaks the code in SAMPLE places, drawn from SEED, and prints what no test notices.
mutants: $(READY)
	@nice $(BIN)/python -m tests.mutants --sample $(SAMPLE) --seed $(SEED)

bench: $(READY)
	@$(BIN)/python -m benchmarks

# Steps through PettingZoo and OpenSpiel, beside card games of RLCard and PettingZoo, which have an environment of their own.
bench-peers: $(READY)
	@test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	@if $(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -e '.[pettingzoo,openspiel,peers]'; \
	then $(PEERS)/bin/python -m benchmarks learning; else $(BIN)/python -m benchmarks learning; fi

# Draws the pictures of the README from the real programs; needs tmux.
pictures: $(READY) tools
	$(BIN)/python -m tests.helpers.pictures

# Builds the pages as a site in build/site.
docs: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	$(BIN)/python -m tests.helpers.site

setup: $(READY)

# Without what only tests need.
$(PLAYABLE): pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $(PLAYABLE)

$(READY): pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(READY)

# The end-to-end tests speak through the real telnet, netcat and tmux.
tools:
	@sh .ci/tools

clean:
	rm -rf $(VENV) build *.egg-info
