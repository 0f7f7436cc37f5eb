// Shows what passkeys need only if the browser supports them, and otherwise says why not.
(() => {
  "use strict";
  const texts = document.currentScript.dataset;
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
      const [before, after] = texts.useName.split("%(address)s");
      note.append(` ${before}`, link, after);
    });
  }

  document.querySelectorAll("[data-passkey]").forEach((part) => {
    part.hidden = !works;
  });
  if (isNumber) {
    say(texts.needName);
    if (location.hostname === "127.0.0.1") linkToTheName();
  } else if (!works) {
    say(texts.unsupported);
  }

  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    const name = event.detail.exception?.name;
    if (name === "InvalidStateError") say(texts.exists);
    else if (name === "NotAllowedError") say(texts.cancelled);
    else say(texts.failed);
  });
})();
