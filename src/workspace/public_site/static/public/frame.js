// In a frame: tells the surrounding page its height, when a page changes, and where to go at the end. None of this is
// secret, and the surrounding page may be any that the owner allowed, so it is sent to whatever page that is.
(() => {
  if (window.parent === window) return;
  const tell = (type, more) => window.parent.postMessage({ type: `frame:${type}`, ...more }, "*");
  let last = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === last) return;
    last = height;
    tell("height", { height, title: document.title });
  }).observe(document.body);
  document.addEventListener("turned", () => tell("turned"));
  const onward = document.querySelector("a[data-onward]");
  if (onward) tell("onward", { url: onward.href });
})();
