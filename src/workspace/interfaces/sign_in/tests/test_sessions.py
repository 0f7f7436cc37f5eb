from __future__ import annotations

from allauth.usersessions.models import UserSession

from workspace.testing.sign_in import make_person, sign_in

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile Safari/604.1"


def test_devices_are_listed_and_one_is_ended(person):
    here, there = sign_in(person, HTTP_USER_AGENT=FIREFOX), sign_in(person, HTTP_USER_AGENT=PHONE)
    page = here.get("/account/sessions").content.decode()
    assert "Firefox on Linux" in page and "Safari on iPhone" in page
    other = UserSession.objects.get(session_key=there.session.session_key)
    here.post(f"/account/sessions/{other.pk}/end")
    assert there.get("/app/account").status_code == 302
    assert here.get("/app/account").status_code == 200


def test_signing_out_everywhere_else(person):
    here, others = sign_in(person), [sign_in(person) for _ in range(2)]
    here.post("/account/sessions")
    assert [other.get("/app/account").status_code for other in others] == [302, 302]
    assert here.get("/app/account").status_code == 200


def test_the_current_session_is_not_ended_by_mistake(person):
    here = sign_in(person)
    mine = UserSession.objects.get()
    here.post(f"/account/sessions/{mine.pk}/end")
    assert here.get("/app/account").status_code == 200


def test_no_one_can_end_the_session_of_another_person(person):
    victim = sign_in(person)
    stranger = sign_in(make_person("bea@example.com"))
    theirs = UserSession.objects.get(user=person)
    assert stranger.post(f"/account/sessions/{theirs.pk}/end").status_code == 404
    assert victim.get("/app/account").status_code == 200
