"""Types of the service's responses. ``image_enhancement.models`` is their public location."""
