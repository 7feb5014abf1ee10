"""Input images, and the locations of results."""
