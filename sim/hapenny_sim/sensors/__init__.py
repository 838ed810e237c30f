"""What the board's sensors would read: magnets, Halls, line light, ADC, faults and the tolerances of one made board."""
