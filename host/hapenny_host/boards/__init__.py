"""A board being served: its state now, what is wrong with it, and what people may have it do."""
