"""A database backend for a trial and for tests: PostgreSQL out of a wheel, started when first needed."""
