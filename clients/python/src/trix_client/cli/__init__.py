"""`trix`, the command line: one module for each group of commands, and pure modules that draw."""

from . import accounts, leagues, playing, records, tables
from .app import app, main

__all__ = ["accounts", "app", "leagues", "main", "playing", "records", "tables"]
