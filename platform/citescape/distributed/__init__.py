"""Files and tasks beyond one machine: storage, processes, exchanges between tasks."""
