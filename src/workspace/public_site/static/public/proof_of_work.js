// Proof of work for a guest's form: once a guest starts to fill it in, a computation runs in the background, and its
// result is submitted with the form. Submitting never waits for it, and the form is also accepted without it (or
// without scripts).
(() => {
  const field = document.querySelector("input[data-work]");
  if (!field?.form || !window.crypto?.subtle) return; // browsers offer it only over https and on loopback
  const ANEW = 45 * 60 * 1000; // milliseconds; a challenge is valid for an hour
  const AT_ONCE = 500; // hashes between two pauses for the page
  const encoder = new TextEncoder();
  let asked = -Infinity;

  const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

  async function solve({ challenge, maxNumber, salt }) {
    const start = parseInt(challenge.slice(0, 8), 16);
    for (let from = 0; from <= maxNumber; from += AT_ONCE) {
      const sums = await Promise.all(Array.from({ length: AT_ONCE }, (_, step) =>
        crypto.subtle.digest("SHA-256", encoder.encode(salt + (from + step)))));
      const found = sums.findIndex((sum) => new DataView(sum).getUint32(0) === start && hex(sum) === challenge);
      if (found >= 0) return from + found;
      await new Promise((resume) => { setTimeout(resume, 0); });
    }
    return null;
  }

  async function work() {
    if (performance.now() - asked < ANEW) return;
    asked = performance.now();
    const mine = asked;
    field.value = "";
    try {
      const answer = await fetch(field.dataset.work, { credentials: "omit", cache: "no-store" });
      if (!answer.ok) return;
      const { algorithm, challenge, maxNumber, salt, signature } = await answer.json();
      const number = await solve({ challenge, maxNumber, salt });
      if (number === null || mine !== asked) return;
      field.value = btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));
    } catch {
      // offline or rejected: the form is submitted without it
    }
  }

  field.form.addEventListener("focusin", work);
  // back from the response: the submitted solution is used up
  addEventListener("pageshow", (event) => { if (event.persisted) { field.value = ""; asked = -Infinity; } });
})();
