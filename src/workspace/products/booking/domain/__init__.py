"""Operations of this product on the database, without texts for channels."""
