// A change to try: on the designer's page its button opens the draft with that number changed; elsewhere the line
// for the ruleset's file is copied. The designer's page greets; without its greeting there is no such button.
{
  const greeting = "channel-tunnel design";
  addEventListener("message", (event) => {
    if (event.source !== parent || parent === window || event.data !== greeting) return;
    for (const button of document.querySelectorAll("button.try")) button.hidden = false;
    for (const line of document.querySelectorAll(".plain .copy")) line.hidden = true;
  });
  for (const button of document.querySelectorAll("button.try")) {
    button.addEventListener("click", () => {
      parent.postMessage({ try: { key: button.dataset.key, value: JSON.parse(button.dataset.value) } }, "*");
    });
  }
  for (const button of document.querySelectorAll("button.copy-line")) {
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(button.dataset.line);
        button.textContent = "Copied";
      } catch { // a page of a file may not write there
        getSelection().selectAllChildren(button.parentElement.querySelector("code"));
        button.textContent = "Selected";
      }
    });
  }
}
