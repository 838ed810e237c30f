# `make run` plays a game, `make test` proves it; the rest is for those who change it. docs/contributing.md says more.
PYTHON ?= python3
BIN = .venv/bin
READY = .venv/.ready
STUBS = micropython-rp2-rpi-pico-stubs==1.29.0.post1
EXTRAS = sim,board,emulated,postgres,dask,peers,test,lint

.PHONY: setup run test lint format check generate bench pictures clean

run: $(READY)
	@$(BIN)/hapenny run $(ARGS)

setup: $(READY)

$(READY): pyproject.toml lock.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "hapenny needs Python 3.11 or newer; name one with: make $(MAKECMDGOALS) PYTHON=python3.11"; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	  || { echo "hapenny needs Python's venv module; on Debian or Ubuntu: sudo apt install python3-venv"; exit 2; }
	@echo "Setting up .venv (a few minutes, once) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint lock.txt --editable '.[$(EXTRAS)]'
	@rm -rf typings && $(BIN)/python -m pip install --quiet --disable-pip-version-check --target typings '$(STUBS)'
	@touch $@
	@echo "Set up: 'make run' plays; other commands are $(BIN)/hapenny, or hapenny after: . $(BIN)/activate"

test: $(READY)
	@$(BIN)/pytest $(ARGS)

lint: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/pyright
	@$(BIN)/pyright --project firmware
	@$(BIN)/python hardware/generate.py --check

format: $(READY)
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

check: lint test

generate: $(READY)
	@$(BIN)/python hardware/generate.py $(ARGS)

bench: $(READY)
	@$(BIN)/hapenny bench rules
	@$(BIN)/hapenny bench physics
	@$(BIN)/hapenny bench firmware

pictures: $(READY)
	@$(BIN)/python docs/pictures.py

clean:
	rm -rf .venv typings build dist .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
