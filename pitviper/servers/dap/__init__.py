"""pitviper/servers/dap."""
