"""The solver that seats guests by their rules."""
