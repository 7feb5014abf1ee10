"""Requests to the service and its answers."""
