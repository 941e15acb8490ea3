"""pitviper/debugger/commands."""
