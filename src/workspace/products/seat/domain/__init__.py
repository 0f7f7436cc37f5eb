"""Operations of seating charts, independent of the channels."""
