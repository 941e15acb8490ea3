"""pitviper/debugger/obligations."""
