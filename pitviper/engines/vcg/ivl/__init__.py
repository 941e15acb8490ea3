"""A small intermediate language: what has to hold for one member, without heaps or permissions."""
