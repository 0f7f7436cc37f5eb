"""Operations of this product. Each function is one transaction."""
