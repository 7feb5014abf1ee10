"""Requests to the service, and its responses."""
