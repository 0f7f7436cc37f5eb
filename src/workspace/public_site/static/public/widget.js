// Inserts an item of ours in place of this script: a frame as high as its content.
(() => {
  const script = document.currentScript;
  if (!script?.src) return;
  const home = new URL(script.src), options = script.dataset;
  const source = new URL(home.pathname.replace(/widget\.js$/, "embed"), home.origin);
  // data-pass: the query of this page is passed on, such as ?name=Ada or the source of a campaign
  if ("pass" in options) for (const [name, value] of new URLSearchParams(location.search)) source.searchParams.append(name, value);
  for (const name of ["theme", "layout"]) if (options[name]) source.searchParams.set(name, options[name]);
  const language = options.lang || document.documentElement.lang;
  if (language) source.searchParams.set("lang", language);

  const frame = document.createElement("iframe");
  frame.src = source.href;
  frame.title = options.title || home.hostname;
  frame.loading = "lazy";
  frame.width = "100%";
  frame.height = options.layout === "badge" ? "80" : "420";
  frame.style.border = "0";
  // the same as the page inside: if the two differ, browsers add a background
  frame.style.colorScheme = { dark: "dark", auto: "light dark" }[options.theme] || "light";
  script.after(frame);

  // After a page change, the start of the page is shown.
  const upwards = () => { if (frame.getBoundingClientRect().top < 0) frame.scrollIntoView({ block: "start" }); };
  let loads = 0;
  frame.addEventListener("load", () => { if (loads++) upwards(); });

  // Anyone can send a message to this window, so only our own frame, from our own origin, is accepted.
  window.addEventListener("message", (event) => {
    if (event.origin !== home.origin || event.source !== frame.contentWindow) return;
    const said = event.data || {};
    if (said.type === "frame:height" && Number.isFinite(said.height)) {
      frame.height = String(Math.min(Math.max(Math.ceil(said.height), 40), 20000));
      if (!options.title && said.title) frame.title = String(said.title).slice(0, 300);
    }
    if (said.type === "frame:turned") upwards();
    if (said.type === "frame:onward" && /^https?:\/\//i.test(said.url)) location.assign(said.url);
  });
})();
