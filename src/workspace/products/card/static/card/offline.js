// Keeps the card for a place without signal: the worker stands beside the page, whatever the case of its address.
if ("serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {});
