"""Domain: what is done in this product, without the texts and shapes of its channels."""
