"""What the gates and fixtures share; on the path of every test (`pythonpath` in pyproject.toml)."""
