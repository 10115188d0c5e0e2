"""The command line: thin doors to the stages. `registry` names the commands, `main` is the entry."""
