"""The proof debugger: commands in, plain values out; terminal, browser and editor are its views."""
