"""`trix`, the command line: one module for each group of commands, and pure modules that draw."""

from . import accounts, playing, records, tables, tournaments
from .app import app, main

__all__ = ["accounts", "app", "main", "playing", "records", "tables", "tournaments"]
