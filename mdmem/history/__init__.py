"""What became of memories: what waits for a person, and what is known of their past."""
