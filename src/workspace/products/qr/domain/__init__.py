"""Operations of QR codes, independent of the channels."""
