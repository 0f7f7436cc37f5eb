"""Operations of seating charts, without the texts and formats of the channels."""
