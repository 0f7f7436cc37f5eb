"""Operations of menus, without the texts and formats of the channels."""
