"""Operations of reviews, independent of the channels."""
