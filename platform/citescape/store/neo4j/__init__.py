"""The server engine, over Bolt."""
