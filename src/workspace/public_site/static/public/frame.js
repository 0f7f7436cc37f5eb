// In a frame: tells the page around it how high it is, when a page turns, and where to go at the end. None of it is a
// secret, and the page around may be any that the owner named, so it is told to whoever that is.
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
