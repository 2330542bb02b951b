# `make run` and `make test` need Python 3.11+ and make, nothing else.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes
LOCK := $(BIN)/pip-compile --quiet --no-header --strip-extras --generate-hashes --allow-unsafe \
	--no-emit-index-url --no-emit-trusted-host --no-emit-find-links

WORKERS ?= 2

export PORT

.PHONY: run setup test test-long test-streams test-storm test-bots lint bench lock client clean

run: .venv/run.done  ## a trial: everything, with a league that plays, until Ctrl-C
	@test -x $(BIN)/python || \
		{ echo "The environment in .venv is incomplete: no python in it. Make it anew: make clean run"; exit 1; }
	@exec $(BIN)/python -m deploy.run

setup: .venv/dev.done  ## the environment for development

test: .venv/dev.done  ## ARGS="tests/engine -k doubling" chooses; WORKERS=0 runs them one after another
	@exec $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile $(ARGS)

test-streams: .venv/dev.done  ## 200 matches with 800 streams at once
	STREAM_MATCHES=200 $(BIN)/python -m pytest -s tests/games/test_streams_many.py

test-storm: .venv/dev.done  ## 200 tournaments in which all goes wrong that can; STORM_SEED=17 plays one of them again
	@STORM_SEEDS=$${STORM_SEEDS:-200} $(BIN)/python -m pytest -n $(WORKERS) tests/tournaments/test_storm.py $(ARGS)

test-bots: .venv/dev.done  ## 10,000 matches of all levels under all rules; BOT_MATCHES=500 fewer
	@BOT_MATCHES=$${BOT_MATCHES:-10000} $(BIN)/python -m pytest -n $(WORKERS) tests/bots/test_levels.py $(ARGS)

test-long: .venv/dev.done  ## many more hypothesis examples
	HYPOTHESIS_PROFILE=long $(BIN)/python -m pytest $(ARGS)

lint: .venv/dev.done
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/bench.done
	@exec $(BIN)/python -m tests.bench

lock: .venv/dev.done  ## newer versions of everything: UPGRADE=--upgrade
	$(LOCK) $(UPGRADE) requirements.in -o requirements.txt
	$(LOCK) $(UPGRADE) requirements-dev.in -o requirements-dev.txt
	$(LOCK) $(UPGRADE) requirements-bench.in -o requirements-bench.txt

client: .venv/dev.done  ## the synchronous half of clients/python, from the asynchronous one
	@$(BIN)/python clients/python/make_sync.py

clean:  ## the environment and all caches; the data in .data stay
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis staticfiles
	rm -rf clients/python/build clients/python/src/*.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +

# Each mark is made last: an environment without its mark is half made, and is made anew or finished.

.venv/made.done:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Trix needs Python 3.11 or newer: make PYTHON=/path/to/python3.11"; exit 1; }
	@echo "Making the environment in .venv: about a minute."
	@$(PYTHON) -c 'import signal, venv; signal.signal(signal.SIGINT, signal.SIG_DFL); venv.main(["--clear", ".venv"])'
	@touch $@

.venv/run.done: requirements.txt .venv/made.done
	@$(PIP) -r requirements.txt
	@touch $@

.venv/dev.done: requirements.txt requirements-dev.txt clients/python/pyproject.toml .venv/made.done
	@$(PIP) -r requirements.txt -r requirements-dev.txt
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e clients/python
	@touch .venv/run.done $@

.venv/bench.done: requirements-bench.txt .venv/dev.done
	@$(PIP) -r requirements-bench.txt
	@touch $@
