"use strict";
// What pages do beyond what forms and links do: copying, and the search key. Every
// page works without it.

for (const button of document.querySelectorAll("[data-copy], [data-copy-before]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const text = button.dataset.copy ?? button.previousElementSibling.textContent;
    await navigator.clipboard.writeText(text);
    const label = button.textContent;
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = label; }, 1500);
  });
}

// "/" goes to the search field, Escape closes an open menu.
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
    const search = document.getElementById("search");
    if (search) { event.preventDefault(); search.focus(); }
  }
  if (event.key === "Escape") {
    const open = document.querySelector("details.menu[open]");
    if (open) { open.open = false; open.querySelector("summary").focus(); }
  }
});

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
