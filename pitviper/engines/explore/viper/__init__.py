"""From a source language to the program model."""
