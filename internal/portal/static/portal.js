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

// Search as you type: the list is fetched again as the filters change.
const filters = document.getElementById("filters");
if (filters) {
  const results = document.getElementById("results");
  let waiting, asked = 0;
  const search = async () => {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(filters)) if (value) query.set(name, value);
    const mine = ++asked;
    const answer = await fetch(filters.dataset.results + "?" + query, { credentials: "same-origin" });
    const text = await answer.text();
    if (mine !== asked || !answer.ok || answer.redirected) return;
    results.innerHTML = text;
    history.replaceState(null, "", filters.getAttribute("action") + (query.size ? "?" + query : ""));
  };
  const soon = () => { clearTimeout(waiting); waiting = setTimeout(search, 120); };
  filters.addEventListener("input", soon);
  filters.addEventListener("submit", (event) => { event.preventDefault(); clearTimeout(waiting); search(); });
}

// A quote as rows are chosen.
for (const form of document.querySelectorAll("form[data-quote]")) {
  const said = form.querySelector("[data-said]"), all = form.querySelector("[data-all]");
  const boxes = [...form.querySelectorAll("input[name=item]")];
  if (!said) continue;
  const before = said.textContent;
  let waiting, asked = 0;
  const quote = async () => {
    const mine = ++asked;
    if (!boxes.some((box) => box.checked)) { said.textContent = before; said.className = "quiet"; return; }
    const answer = await fetch(form.action, { method: "POST", headers: { "X-Fragment": "1" }, body: new URLSearchParams(new FormData(form)) });
    const text = await answer.text();
    if (mine !== asked || !answer.ok || answer.redirected) return;
    said.textContent = text;
    said.className = "said";
  };
  form.addEventListener("change", () => { clearTimeout(waiting); waiting = setTimeout(quote, 80); });
  if (all) {
    all.hidden = false;
    all.addEventListener("change", () => { for (const box of boxes) box.checked = all.checked; });
  }
}

// Live tail: what is new is put above the rows that are there.
const tail = document.getElementById("tail");
if (tail) {
  const rows = document.getElementById("rows"), said = document.getElementById("tail-said");
  let timer, after = tail.dataset.after;
  tail.hidden = false;
  const look = async () => {
    try {
      const answer = await fetch(tail.dataset.tail + "&after=" + after, { credentials: "same-origin" });
      if (answer.ok && !answer.redirected) {
        const fresh = document.createElement("tbody");
        fresh.innerHTML = await answer.text();
        const found = [...fresh.rows];
        if (found.length) {
          after = found[0].dataset.seq;
          for (const row of found) row.classList.add("fresh");
          rows.prepend(...found);
          while (rows.rows.length > 500) rows.lastElementChild.remove();
        }
        said.textContent = "Live. New requests appear as they are logged.";
      }
    } catch { said.textContent = "The server is not responding. Trying again."; }
    timer = setTimeout(look, 1000);
  };
  tail.addEventListener("click", () => {
    const on = tail.getAttribute("aria-pressed") !== "true";
    tail.setAttribute("aria-pressed", on);
    tail.textContent = on ? "Stop" : "Follow live";
    clearTimeout(timer);
    if (on) look(); else said.textContent = "";
  });
}

// Ctrl+Enter runs a query.
const explorer = document.getElementById("explorer");
if (explorer) {
  explorer.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); explorer.requestSubmit(); }
  });
}
