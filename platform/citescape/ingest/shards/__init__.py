"""Sources -> shards: the tables of the graph as Parquet files in a folder, without a store."""
