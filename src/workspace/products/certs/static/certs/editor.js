// The picture of a certificate follows what is typed: the form is sent to be rendered, and nothing is saved. Drawn
// signatures become the picture for the field beside them.
(() => {
  const form = document.querySelector("form[data-picture]");
  const seen = document.querySelector("[data-seen]"), told = document.querySelector("[data-told]");
  if (!form || !seen) return;
  const said = told.textContent;
  let timer, asked;

  async function draw() {
    asked?.abort();
    asked = new AbortController();
    const body = new FormData(form);
    for (const [name, value] of [...body]) if (value instanceof File) body.delete(name);
    seen.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(form.dataset.picture, { method: "POST", body, signal: asked.signal, headers: { Accept: "application/json" } });
      const found = await answer.json();
      if (found.picture) seen.src = found.picture;
      const wrong = (found.issues || []).map(({ label, message }) => `${label}: ${message}`);
      told.textContent = [found.problem, ...wrong].filter(Boolean).join(" ") || said;
      told.toggleAttribute("data-wrong", Boolean(found.problem || wrong.length));
      seen.removeAttribute("aria-busy");
    } catch (problem) {
      if (problem.name !== "AbortError") seen.removeAttribute("aria-busy");
    }
  }
  function soon(event) {
    if (event.target.form !== form || event.target.type === "file") return;
    clearTimeout(timer);
    timer = setTimeout(draw, event.type === "change" ? 60 : 300);
  }
  document.addEventListener("input", soon);
  document.addEventListener("change", soon);
  form.addEventListener("input", (event) => {
    // choosing a color also selects it
    if (event.target.type !== "color") return;
    const count = [...form.querySelectorAll("[type=color]")].indexOf(event.target) + 1;
    const ways = form.querySelectorAll("[name=_colors]");
    if (!ways[2].checked && !(count === 1 && ways[1].checked)) ways[count].checked = true;
  });

  // the drawing without the empty space around it
  function trimmed(canvas) {
    const { width, height } = canvas, data = canvas.getContext("2d").getImageData(0, 0, width, height).data;
    let [left, top, right, bottom] = [width, height, 0, 0];
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (data[(y * width + x) * 4 + 3]) {
      left = Math.min(left, x); right = Math.max(right, x); top = Math.min(top, y); bottom = Math.max(bottom, y);
    }
    const out = document.createElement("canvas");
    out.width = right - left + 13;
    out.height = bottom - top + 13;
    out.getContext("2d").drawImage(canvas, left, top, right - left + 1, bottom - top + 1, 6, 6, right - left + 1, bottom - top + 1);
    return out;
  }
  for (const box of document.querySelectorAll("[data-sign]")) {
    const begin = box.querySelector("[data-begin]"), pane = box.querySelector("[data-pad]"), canvas = pane.querySelector("canvas");
    const file = box.parentElement.querySelector("[type=file]");
    let pad;
    function open() {
      begin.hidden = true;
      pane.hidden = false;
      const ratio = 3; // pixels of the screen, because it will be printed
      canvas.width = canvas.offsetWidth * ratio;
      canvas.height = canvas.offsetHeight * ratio;
      canvas.getContext("2d").scale(ratio, ratio);
      pad ||= new globalThis.SignaturePad(canvas, { penColor: "#111", minWidth: 0.8, maxWidth: 2.4 });
      pad.clear();
    }
    function end() {
      pane.hidden = true;
      begin.hidden = false;
    }
    begin.addEventListener("click", () => {
      if (globalThis.SignaturePad) { open(); return; }
      const script = document.createElement("script");
      script.src = box.dataset.sign;
      script.onload = open;
      document.head.append(script);
    });
    box.querySelector("[data-again]").addEventListener("click", () => pad.clear());
    box.querySelector("[data-end]").addEventListener("click", end);
    box.querySelector("[data-take]").addEventListener("click", () => {
      if (pad.isEmpty()) return;
      trimmed(canvas).toBlob((blob) => {
        const held = new DataTransfer();
        held.items.add(new File([blob], "signature.png", { type: "image/png" }));
        file.files = held.files;
        file.dispatchEvent(new Event("change", { bubbles: true }));
        end();
      });
    });
    box.hidden = false;
  }
})();
