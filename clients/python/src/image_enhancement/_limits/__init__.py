"""Everything that ends a call: deadlines, cancellation, and checked numbers."""
