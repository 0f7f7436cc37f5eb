"""What all channels call: tools, their arguments, and their answers."""
