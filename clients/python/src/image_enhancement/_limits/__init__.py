"""What ends a call: deadlines, cancellation and checked numbers."""
