// A button for what the browser's menu does, too.
const button = document.querySelector("[data-print]");
button.hidden = false;
button.addEventListener("click", () => print());
