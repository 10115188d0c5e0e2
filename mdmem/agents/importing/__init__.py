"""What others know already, as drafts of memories: one reader for each kind of source, each pure."""
