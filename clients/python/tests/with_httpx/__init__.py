"""Tests that need the packages of the extra "async"."""
