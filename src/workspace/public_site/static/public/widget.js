// Puts a thing of ours where this script stands: a frame that is as high as what it shows.
(() => {
  const script = document.currentScript;
  if (!script?.src) return;
  const home = new URL(script.src), told = script.dataset;
  const source = new URL(home.pathname.replace(/widget\.js$/, "embed"), home.origin);
  // data-pass: what this page was opened with goes along, such as ?name=Ada or where a campaign came from
  if ("pass" in told) for (const [name, value] of new URLSearchParams(location.search)) source.searchParams.append(name, value);
  for (const name of ["theme", "layout"]) if (told[name]) source.searchParams.set(name, told[name]);
  const language = told.lang || document.documentElement.lang;
  if (language) source.searchParams.set("lang", language);

  const frame = document.createElement("iframe");
  frame.src = source.href;
  frame.title = told.title || home.hostname;
  frame.loading = "lazy";
  frame.width = "100%";
  frame.height = told.layout === "badge" ? "80" : "420";
  frame.style.border = "0";
  // as the page inside: where the two differ, browsers put a ground behind it
  frame.style.colorScheme = { dark: "dark", auto: "light dark" }[told.theme] || "light";
  script.after(frame);

  // Whoever turns a page looks at its beginning.
  const upwards = () => { if (frame.getBoundingClientRect().top < 0) frame.scrollIntoView({ block: "start" }); };
  let loads = 0;
  frame.addEventListener("load", () => { if (loads++) upwards(); });

  // Anybody may send a message to this window: only our own frame, on our own origin, is listened to.
  window.addEventListener("message", (event) => {
    if (event.origin !== home.origin || event.source !== frame.contentWindow) return;
    const said = event.data || {};
    if (said.type === "frame:height" && Number.isFinite(said.height)) {
      frame.height = String(Math.min(Math.max(Math.ceil(said.height), 40), 20000));
      if (!told.title && said.title) frame.title = String(said.title).slice(0, 300);
    }
    if (said.type === "frame:turned") upwards();
    if (said.type === "frame:onward" && /^https?:\/\//i.test(said.url)) location.assign(said.url);
  });
})();
