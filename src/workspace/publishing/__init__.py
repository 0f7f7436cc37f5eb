"""What a published item is: its address, its state, its visits and its submissions."""
