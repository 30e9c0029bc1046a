// A change to try: on the designer's page its button opens the draft with that number changed; elsewhere the line
// for the ruleset's file is copied. More deals or training: the button begins it, elsewhere its command is copied. The designer's
// page greets, and says what these deals took; without its greeting there are no such buttons.
{
  const greeting = "channel-tunnel design";
  addEventListener("message", (event) => {
    if (event.source !== parent || parent === window) return;
    if (event.data?.took) return tellTime(event.data.took);
    if (event.data !== greeting) return;
    for (const button of document.querySelectorAll("button.try")) button.hidden = false;
    for (const line of document.querySelectorAll(".plain .copy")) line.hidden = true;
  });
  const more = document.querySelector("button.play-more");
  more?.addEventListener("click", () => {
    const { deals, decisions } = more.dataset;
    parent.postMessage({ more: { deals: Number(deals), decisions: Number(decisions) } }, "*");
  });
  const tellTime = ({ seconds, deals }) => {
    if (!more || more.dataset.decisions > 0 || !seconds || !deals) return;
    const minutes = (seconds * more.dataset.deals) / deals / 60;
    const words = minutes < 1.5 ? "a minute" : minutes < 90 ? `${Math.round(minutes)} minutes` : `${Math.round(minutes / 60)} hours`;
    more.nextElementSibling.textContent = `At most ${words}, by what these took.`;
  };
  for (const button of document.querySelectorAll("button.try[data-key]")) {
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
