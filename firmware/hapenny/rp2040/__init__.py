"""The RP2040's hardware; the only package that imports `machine` and `rp2`."""
