// Shows what passkeys need only where they work, and says why where they do not.
(function () {
  "use strict";
  const isNumber = /^[\d.]+$|:/.test(location.hostname);
  const works = Boolean(window.PublicKeyCredential) && !isNumber;
  const say = (text) =>
    document.querySelectorAll("[data-passkey-note]").forEach((note) => {
      note.textContent = text;
      note.hidden = false;
    });

  document.querySelectorAll("[data-passkey]").forEach((part) => {
    part.hidden = !works;
  });
  if (isNumber) {
    const there = location.hostname === "127.0.0.1" ? " Here that is http://localhost:" + location.port + "." : "";
    say("Passkeys need a name in the address bar instead of a number." + there);
  } else if (!works) {
    say("This browser does not offer passkeys.");
  }

  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    const name = event.detail.exception && event.detail.exception.name;
    if (name === "InvalidStateError") say("This device has a passkey here already.");
    else if (name === "NotAllowedError") say("That was cancelled or took too long. Try again.");
    else say("That did not work. Try again, or sign in another way.");
  });
})();
