// Puts a page's testimonials where this script stands: a frame that is as high as what it shows.
(() => {
  const script = document.currentScript;
  if (!script || !script.src) return;
  const home = new URL(script.src);
  const source = new URL(home.pathname.replace(/widget\.js$/, "embed"), home.origin);
  for (const name of ["theme", "layout"]) if (script.dataset[name]) source.searchParams.set(name, script.dataset[name]);
  const language = script.dataset.lang || document.documentElement.lang;
  if (language) source.searchParams.set("lang", language);

  const frame = document.createElement("iframe");
  frame.src = source.href;
  frame.title = script.dataset.title || "Reviews";
  frame.loading = "lazy";
  frame.width = "100%";
  frame.height = script.dataset.layout === "badge" ? "80" : "420";
  frame.style.border = "0";
  script.after(frame);

  // Anybody may send a message to this window: only our own frame, on our own origin, may say how high it is.
  window.addEventListener("message", (event) => {
    if (event.origin !== home.origin || event.source !== frame.contentWindow) return;
    const told = event.data;
    if (!told || told.type !== "reviews:height" || !Number.isFinite(told.height)) return;
    frame.height = String(Math.min(Math.max(Math.ceil(told.height), 40), 20000));
  });
})();
