"""The `platform` command. One file a command group; heavy imports stay inside the commands."""
