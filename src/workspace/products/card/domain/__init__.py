"""Operations of this product. Each is a function with one transaction."""
