"""Science mapping, in Python: networks, communities, accuracy, topics, maps, files for others."""
