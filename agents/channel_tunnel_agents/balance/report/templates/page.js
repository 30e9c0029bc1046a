"use strict";
// Tables sort by a click, or Enter or space, on a column's head; words by letters, figures by value.
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") === "descending";
      const first = head.classList.contains("figure") && !head.hasAttribute("aria-sort");
      const ascending = first ? false : up || !head.hasAttribute("aria-sort");
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => compare(a.cells[column].dataset.v, b.cells[column].dataset.v, ascending));
      table.tBodies[0].append(...rows);
    });
  });
}
// A field leaves only the rows with its words. The CSV has the rows that are shown, in their order.
for (const part of document.querySelectorAll("div.table")) {
  const body = part.querySelector("tbody"), link = part.querySelector("a.data"), field = part.querySelector(".filter");
  const rows = [...body.rows]; // a line of the file each
  const bytes = Uint8Array.from(atob(link.href.split(",")[1]), (sign) => sign.charCodeAt(0));
  const [head, ...lines] = new TextDecoder().decode(bytes).split("\n");
  link.addEventListener("click", () => {
    const shown = [...body.rows].filter((row) => !row.hidden).map((row) => lines[rows.indexOf(row)]);
    link.href = `data:text/csv;charset=utf-8,${encodeURIComponent([head, ...shown, ""].join("\n"))}`;
  });
  if (!field) continue;
  field.hidden = false;
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    const left = rows.filter((row) => !row.hidden).length;
    field.nextElementSibling.textContent = left < rows.length ? `${left} of ${rows.length} rows` : "";
  });
}
function compare(a, b, ascending) {
  if (a === "" || b === "") return (a === "") - (b === ""); // unknown values stay at the end
  const x = Number(a), y = Number(b);
  const order = Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y;
  return ascending ? order : -order;
}
// A link to a folded section, or into one, opens it.
function unfold() {
  const part = location.hash && document.getElementById(location.hash.slice(1));
  if (!part) return;
  if (part.tagName === "DETAILS") part.open = true;
  for (let fold = part.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  part.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();
// A printed page shows everything.
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details:not([open])")) {
    details.open = true;
    details.dataset.closed = "";
  }
});
addEventListener("afterprint", () => {
  for (const details of document.querySelectorAll("details[data-closed]")) {
    details.open = false;
    delete details.dataset.closed;
  }
});
