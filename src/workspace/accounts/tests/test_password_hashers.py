from django.contrib.auth.hashers import Argon2PasswordHasher, check_password, identify_hasher, make_password


def test_a_guess_costs_megabytes_and_not_a_hundred() -> None:
    made = make_password("correct horse")
    assert "$argon2id$" in made and "m=19456,t=2,p=1" in made
    assert check_password("correct horse", made)
    assert not check_password("wrong horse", made)


def test_an_earlier_hash_opens_and_is_to_be_made_anew() -> None:
    earlier = Argon2PasswordHasher().encode("correct horse", "0123456789abcdef")
    assert check_password("correct horse", earlier)
    assert identify_hasher(earlier).must_update(earlier)
