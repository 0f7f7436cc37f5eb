// Runs before the first paint, so that a remembered theme does not flash. Stored: "light", "dark" or nothing (the
// system's).
(() => {
  const root = document.documentElement;
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const kept = () => {
    try { return localStorage.getItem("look"); } catch { return null; }
  };
  const show = () => {
    const choice = kept();
    const dark = choice ? choice === "dark" : system.matches;
    root.classList.toggle("dark", dark);
    root.classList.toggle("light", !dark);
    document.dispatchEvent(new CustomEvent("look", { detail: dark }));
  };
  root.classList.add("js");
  show();
  system.addEventListener("change", show);
  window.addEventListener("storage", show);
  window.toggleLook = () => {
    const next = root.classList.contains("dark") ? "light" : "dark";
    const isSystem = (next === "dark") === system.matches;
    try {
      if (isSystem) localStorage.removeItem("look"); else localStorage.setItem("look", next);
    } catch { /* private windows store nothing */ }
    show();
    if (root.classList.contains("dark") !== (next === "dark")) {
      root.classList.toggle("dark");
      root.classList.toggle("light");
    }
  };
})();
