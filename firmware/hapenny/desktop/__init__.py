"""What no board carries: code that only a computer runs, or MicroPython on one."""
