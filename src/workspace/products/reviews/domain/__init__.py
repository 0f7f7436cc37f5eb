"""Operations of reviews, without the texts and formats of the channels."""
