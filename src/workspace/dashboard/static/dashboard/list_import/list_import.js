// A chosen file shows its preview at once. Without this script, the button does.
(() => {
  document.addEventListener("change", (event) => {
    const input = event.target;
    if (!(input instanceof HTMLInputElement) || input.type !== "file" || !input.files?.length) return;
    const form = input.closest("#list-import");
    const button = form?.querySelector('button[name="step"][value="look"]');
    if (form instanceof HTMLFormElement && button instanceof HTMLElement) form.requestSubmit(button);
  });
})();
