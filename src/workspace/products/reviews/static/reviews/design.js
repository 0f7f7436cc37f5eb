// The widget beside the form for its design: the chosen layout is shown before it is saved, as high as on a website.
(() => {
  const frame = document.querySelector(".rv-preview");
  if (!frame) return;
  document.addEventListener("change", (event) => {
    if (event.target.name !== "layout") return;
    const source = new URL(frame.src);
    source.searchParams.set("layout", event.target.value);
    frame.src = source.href;
  });
  window.addEventListener("message", (event) => {
    const told = event.data;
    if (event.origin !== location.origin || event.source !== frame.contentWindow) return;
    if (told && told.type === "frame:height" && Number.isFinite(told.height)) frame.style.height = `${Math.min(told.height, 900) + 18}px`;
  });
})();
