"""Tests that need packages: those of the extra "async", and those of the examples."""
