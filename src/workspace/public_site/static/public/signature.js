// A signature that is drawn in place of a typed one, in any guest form. Each `.signing` contains a button [data-draw]
// with the URL of the drawing library (which is loaded only for drawing), a pad with its canvas and a button
// [data-clear], which ends the drawing, optionally a button [data-again], which starts it again, and [data-drawn], the
// control that gets the strokes as JSON: [[[x, y], …], …] in pixels or, with data-grid="1000", [[x, y, x, y, …], …] in
// thousandths of the pad's width. That control emits `change`.
(() => {
  for (const box of document.querySelectorAll(".signing")) {
    const draw = box.querySelector("[data-draw]"), pane = box.querySelector(".signing-pad"), canvas = pane.querySelector("canvas");
    const drawn = box.querySelector("[data-drawn]"), grid = Number(drawn.dataset.grid || 0);
    let pad;

    const scale = () => (grid ? grid / canvas.offsetWidth : 1);
    const within = (value) => (grid ? Math.min(Math.max(Math.round(value * scale()), 0), grid) : Math.round(value));
    function put(text) {
      drawn.value = text;
      drawn.dispatchEvent(new Event("change", { bubbles: true }));
    }
    function keep() {
      const strokes = pad.toData().map(({ points }) => points.map(({ x, y }) => [within(x), within(y)]));
      put(pad.isEmpty() ? "" : JSON.stringify(grid ? strokes.map((points) => points.flat()) : strokes));
    }
    function kept() {
      const strokes = drawn.value ? JSON.parse(drawn.value) : [];
      const pairs = grid ? strokes.map((flat) => flat.flatMap((x, at) => (at % 2 ? [] : [[x / scale(), flat[at + 1] / scale()]]))) : strokes;
      return pairs.map((points) => ({ penColor: "#111", points: points.map(([x, y]) => ({ x, y, time: 0, pressure: 0.5 })) }));
    }
    function fit() {
      if (!canvas.offsetWidth) return;
      const ratio = Math.max(devicePixelRatio || 1, 1), before = kept();
      canvas.width = canvas.offsetWidth * ratio;
      canvas.height = canvas.offsetHeight * ratio;
      canvas.getContext("2d").scale(ratio, ratio);
      pad.clear();
      pad.fromData(before);
    }
    function open() {
      pane.hidden = false;
      draw.hidden = true;
      draw.setAttribute("aria-expanded", "true");
      pad = new globalThis.SignaturePad(canvas, { penColor: "#111" });
      fit();
      pad.addEventListener("endStroke", keep);
      sizes.observe(canvas);
    }
    const sizes = new ResizeObserver(fit);
    function fetchPad() {
      if (globalThis.SignaturePad) { open(); return; }
      const script = document.createElement("script");
      script.src = draw.dataset.draw;
      script.onload = open;
      document.head.append(script);
    }
    draw.hidden = false;
    draw.addEventListener("click", fetchPad);
    box.querySelector("[data-again]")?.addEventListener("click", () => { pad.clear(); put(""); });
    box.querySelector("[data-clear]").addEventListener("click", () => {
      sizes.disconnect();
      pad.clear();
      pad.off();
      pane.hidden = true;
      draw.hidden = false;
      draw.setAttribute("aria-expanded", "false");
      draw.focus();
      put("");
    });
    if (drawn.value) fetchPad();
  }
})();
