"""The creation of jobs and the wait for their end."""
