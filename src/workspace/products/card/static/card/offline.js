// Stores the card for use without a connection. The service worker is beside the page, whatever the case of its URL.
if ("serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {});
