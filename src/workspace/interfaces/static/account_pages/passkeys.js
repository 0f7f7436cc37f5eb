// Shows what passkeys need only where they work, and says why where they do not.
(() => {
  "use strict";
  const isNumber = /^[\d.]+$|:/.test(location.hostname);
  const works = Boolean(window.PublicKeyCredential) && !isNumber;
  const say = (text) =>
    document.querySelectorAll("[data-passkey-note]").forEach((note) => {
      note.textContent = text;
      note.hidden = false;
    });

  function linkToTheName() {
    const there = new URL(location.href);
    there.hostname = "localhost";
    document.querySelectorAll("[data-passkey-note]").forEach((note) => {
      const link = document.createElement("a");
      link.href = there.href;
      link.textContent = there.host;
      note.append(" Here that is ", link, ".");
    });
  }

  document.querySelectorAll("[data-passkey]").forEach((part) => {
    part.hidden = !works;
  });
  if (isNumber) {
    say("Passkeys need a name in the address bar instead of a number.");
    if (location.hostname === "127.0.0.1") linkToTheName();
  } else if (!works) {
    say("This browser does not offer passkeys.");
  }

  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    const name = event.detail.exception?.name;
    if (name === "InvalidStateError") say("This device has a passkey here already.");
    else if (name === "NotAllowedError") say("That was cancelled or took too long. Try again.");
    else say("That did not work. Try again, or sign in another way.");
  });
})();
