"""Operations of QR codes, without the texts and formats of the channels."""
