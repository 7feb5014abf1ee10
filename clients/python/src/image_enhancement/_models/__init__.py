"""What the service answers; ``image_enhancement.models`` is the public place of it."""
