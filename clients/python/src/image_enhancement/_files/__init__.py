"""Images on their way in, and where results are read."""
