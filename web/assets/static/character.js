// Makes the pages about a persona's character nicer: what would be wrong is shown while somebody types, and lists grow a row when
// the last one is filled.
(() => {
  "use strict";

  const form = document.querySelector("form[data-check]");
  if (!form) return;

  // Problems are shown beside the fields that they are about.
  const show = (found) => {
    for (const box of form.querySelectorAll("[id^='problem-']")) {
      const name = box.id.slice("problem-".length);
      const texts = found[name] ?? [];
      box.replaceChildren(...texts.map((text) => Object.assign(document.createElement("p"), { textContent: text })));
      if (name === "") box.hidden = texts.length === 0;
      for (const control of form.querySelectorAll(`[data-field="${CSS.escape(name)}"] [aria-invalid]`)) {
        control.setAttribute("aria-invalid", String(texts.length > 0));
      }
    }
  };
  let waiting, running;
  const check = async () => {
    running?.abort();
    running = new AbortController();
    try {
      const answer = await fetch(form.dataset.check, { method: "POST", body: new URLSearchParams(new FormData(form)), signal: running.signal });
      if (answer.ok) show((await answer.json()).problems ?? {});
    } catch (e) {
      if (e.name !== "AbortError") console.debug("check what was typed", e);
    }
  };
  form.addEventListener("input", (e) => {
    if (e.target.name?.startsWith("try_")) return;
    clearTimeout(waiting); waiting = setTimeout(check, 400);
  });

  // What is tried is answered in place, and Enter sends it.
  for (const button of document.querySelectorAll("button[data-try]")) {
    button.addEventListener("click", async (e) => {
      e.preventDefault();
      const text = document.getElementById("try-text");
      const sent = new URLSearchParams(new FormData(form));
      sent.set(button.name, button.value);
      const buttons = document.querySelectorAll("button[data-try]");
      for (const b of buttons) b.disabled = true;
      try {
        const answer = await fetch(button.formAction, { method: "POST", body: sent });
        const doc = new DOMParser().parseFromString(await answer.text(), "text/html");
        const talk = doc.getElementById("talk");
        if (!talk) { form.requestSubmit(button); return; }
        document.getElementById("talk").replaceWith(talk);
        text.value = doc.getElementById("try-text").value;
      } catch (problem) {
        console.debug("try the persona", problem);
      } finally {
        for (const b of buttons) b.disabled = false;
        text.focus();
      }
    });
  }
  document.getElementById("try-text")?.addEventListener("keydown", (e) => {
    if (e.key !== "Enter" || e.shiftKey || e.isComposing) return;
    e.preventDefault();
    document.querySelector("button[data-try]").click();
  });

  // A list has an empty row at its end.
  const grow = (rows) => {
    const last = rows.lastElementChild;
    const controls = last.matches("textarea, input") ? [last] : [...last.querySelectorAll("textarea, input")];
    if (!controls.some((c) => c.value !== "")) return;
    const next = last.cloneNode(true);
    const number = rows.children.length + 1;
    for (const c of next.matches("textarea, input") ? [next] : next.querySelectorAll("textarea, input")) {
      c.value = "";
      c.defaultValue = "";
      c.setAttribute("aria-label", c.getAttribute("aria-label").replace(/\d+$/, String(number)));
    }
    rows.append(next);
  };
  for (const rows of form.querySelectorAll("[data-rows]")) rows.addEventListener("input", () => grow(rows));
})();
