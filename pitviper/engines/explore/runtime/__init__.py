"""What compiled models run on: values, heaps, the record of a run."""
