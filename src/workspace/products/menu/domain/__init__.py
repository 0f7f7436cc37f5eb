"""Operations of menus, independent of the channels."""
