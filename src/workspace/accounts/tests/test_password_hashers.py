from django.contrib.auth.hashers import Argon2PasswordHasher, check_password, identify_hasher, make_password


def test_hashing_uses_argon2id_with_19_mib() -> None:
    made = make_password("correct horse")
    assert "$argon2id$" in made and "m=19456,t=2,p=1" in made
    assert check_password("correct horse", made)
    assert not check_password("wrong horse", made)


def test_an_older_hash_is_accepted_and_marked_for_rehashing() -> None:
    earlier = Argon2PasswordHasher().encode("correct horse", "0123456789abcdef")
    assert check_password("correct horse", earlier)
    assert identify_hasher(earlier).must_update(earlier)
