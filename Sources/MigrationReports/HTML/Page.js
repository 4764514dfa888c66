"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  if (body.rows.length < 2) continue;
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.ariaSort === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const number = head.classList.contains("number");
      const keys = new Map([...body.rows].map(row => {
        const text = row.cells[column].textContent;
        return [row, number ? Number(text) || 0 : text];
      }));
      const words = new Intl.Collator(undefined, { numeric: true });
      const order = (a, b) => number ? keys.get(a) - keys.get(b) : words.compare(keys.get(a), keys.get(b));
      const rows = [...keys.keys()].sort((a, b) => down ? order(b, a) : order(a, b));
      body.append(...rows);
    });
  });
}
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details.reason:not([open])")];
  for (const details of opened) details.open = true;
});
addEventListener("afterprint", () => { for (const details of opened) details.open = false; });
