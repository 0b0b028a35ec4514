// Makes pages nicer where there is a script: live updates, search while typing, files by drag and drop, keyboard shortcuts. Every
// page works without it.
(() => {
  "use strict";

  // replaceById puts new versions of elements in the place of those with the same id. What somebody is using stays as it is.
  function replaceById(html, flash) {
    const doc = new DOMParser().parseFromString(html, "text/html");
    for (const fresh of doc.body.querySelectorAll(":scope > [id]")) {
      const old = document.getElementById(fresh.id);
      if (!old || old.contains(document.activeElement) || old.outerHTML === fresh.outerHTML) continue;
      const open = [...old.querySelectorAll("details[open] > summary")].map((s) => s.textContent);
      for (const d of fresh.querySelectorAll("details")) {
        if (open.includes(d.querySelector("summary")?.textContent)) d.open = true;
      }
      old.replaceWith(fresh);
      if (flash) fresh.classList.add("changed");
    }
    document.dispatchEvent(new CustomEvent("familiar:changed"));
  }

  // Live updates, while the page is looked at.
  if (document.body.dataset.live === "on" && "EventSource" in window) {
    let source;
    const listen = () => {
      if (document.hidden || source) return;
      source = new EventSource("/live?path=" + encodeURIComponent(location.pathname + location.search));
      source.addEventListener("page", (e) => replaceById(e.data, true));
      source.addEventListener("end", () => { source.close(); source = undefined; });
    };
    const rest = () => { if (document.hidden) { source?.close(); source = undefined; } else listen(); };
    document.addEventListener("visibilitychange", rest);
    addEventListener("pagehide", () => { source?.close(); source = undefined; });
    listen();
  }

  // Forms with data-search fetch their results while somebody types. The element named by data-search is replaced.
  for (const form of document.querySelectorAll("form[data-search]")) {
    let running, waiting;
    const search = async () => {
      running?.abort();
      running = new AbortController();
      const query = new URLSearchParams(new FormData(form));
      for (const [name, value] of [...query]) if (value === "") query.delete(name);
      const url = form.action.split("?")[0] + (query.size ? "?" + query : "");
      try {
        const answer = await fetch(url, { signal: running.signal, headers: { Accept: "text/html" } });
        if (!answer.ok) { location.assign(url); return; }
        const doc = new DOMParser().parseFromString(await answer.text(), "text/html");
        const fresh = doc.getElementById(form.dataset.search);
        if (fresh) document.getElementById(form.dataset.search)?.replaceWith(fresh);
        history.replaceState(null, "", url);
        document.dispatchEvent(new CustomEvent("familiar:changed"));
      } catch (e) {
        if (e.name !== "AbortError") location.assign(url);
      }
    };
    form.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 120); });
    form.addEventListener("submit", (e) => { e.preventDefault(); clearTimeout(waiting); search(); });
  }

  // Forms with data-drop take files that are dropped on them.
  for (const form of document.querySelectorAll("form[data-drop]")) {
    const input = form.querySelector("input[type=file]");
    const stop = (e) => { e.preventDefault(); form.classList.toggle("over", e.type === "dragover"); };
    form.addEventListener("dragover", stop);
    form.addEventListener("dragleave", stop);
    form.addEventListener("drop", (e) => {
      stop(e);
      if (!input || !e.dataTransfer.files.length) return;
      input.files = e.dataTransfer.files;
      form.requestSubmit();
    });
  }

  // Keyboard: / goes to the search, g and a letter to a page, as on other sites.
  let leader = 0;
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, textarea, select, [contenteditable]")) return;
    if (e.key === "/") {
      const field = document.querySelector("input[type=search]");
      if (field) { e.preventDefault(); field.focus(); field.select(); }
    } else if (e.key === "g") {
      leader = e.timeStamp;
      return;
    } else if (leader && e.timeStamp - leader < 1500) {
      document.querySelector(`a[data-shortcut="${CSS.escape(e.key)}"]`)?.click();
    }
    leader = 0;
  });
})();
