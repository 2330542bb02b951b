# `make run` and `make test` need Python 3.11+ and make, nothing else.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test test-long lint bench setup lock clean

run: .venv/run.done
	@exec $(BIN)/python deploy/run.py

setup: .venv/dev.done

test: .venv/dev.done
	$(BIN)/pytest $(ARGS)

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/run.done: requirements.txt | .venv/bin/python
	$(BIN)/python -m pip install -qq --require-hashes -r requirements.txt
	touch $@

.venv/dev.done: requirements.txt requirements-dev.txt | .venv/bin/python
	$(BIN)/python -m pip install -qq --require-hashes -r requirements.txt -r requirements-dev.txt
	touch $@ .venv/run.done
