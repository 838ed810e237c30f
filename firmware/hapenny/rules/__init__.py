"""The rules of shove ha'penny: the only engine; board, host and simulator all import this one."""
