"""Creates jobs and waits for their end."""
