"""What every test may use: a database of this run's own, and a real worker and a real server on it."""

import os
from collections.abc import Iterator

import pytest
from django.db import connections
from hypothesis import HealthCheck, settings

settings.register_profile("dev", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("long", parent=settings.get_profile("dev"), max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))
