"""The program model: what is executed, apart from any source language."""
