"""What a tool is: its arguments, its answer, and its catalog."""
