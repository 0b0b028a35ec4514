// Draws the map of topics, see web/timeline. The server has placed everything; this moves and enlarges it, and reads texts when
// somebody points at them. The list beside it does the same without a pointer.
(() => {
  "use strict";

  // The list: what a topic contains opens in place.
  document.addEventListener("click", async (e) => {
    const link = e.target.closest("a[data-expand]");
    if (!link || e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
    e.preventDefault();
    const item = link.closest("li"), open = item.querySelector(":scope > ul");
    if (open) {
      open.hidden = !open.hidden;
      link.setAttribute("aria-expanded", String(!open.hidden));
      return;
    }
    try {
      const answer = await fetch(link.href, { headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const below = page.getElementById("below");
      if (!answer.ok || !below) { location.assign(link.href); return; }
      below.removeAttribute("id");
      if (page.querySelector(".pager a[rel=next]")) {
        const more = document.createElement("li"), rest = document.createElement("a");
        rest.href = link.href;
        rest.textContent = "All of them";
        more.append(rest);
        below.append(more);
      }
      item.append(below);
      link.setAttribute("aria-expanded", "true");
    } catch { location.assign(link.href); }
  });
  for (const link of document.querySelectorAll("a[data-expand]")) link.setAttribute("aria-expanded", "false");

  const atlas = document.getElementById("atlas"), canvas = document.getElementById("chart");
  if (!atlas) return;
  const note = document.getElementById("atlas-note"), dark = matchMedia("(prefers-color-scheme: dark)");
  let m, colours, scale = 1, view = { x: 0, y: 0, zoom: 1 }, whole = 1, frame = 0, over = -1, chosen = -1;

  function readColours() {
    const probe = document.createElement("span");
    atlas.append(probe);
    const of = (name) => { probe.style.color = `var(${name})`; return getComputedStyle(probe).color; };
    colours = {
      sectors: ["--accent", "--good", "--warn", "--bad", "--line-strong"].map(of),
      ink: of("--ink"), muted: of("--muted"), surface: of("--surface"), raised: of("--raised"), line: of("--line"), strong: of("--line-strong"),
    };
    probe.remove();
  }

  // shape draws the sign of a sector: a disc, a square, a triangle, a diamond, a hexagon.
  function shape(pen, sector, x, y, r) {
    if (sector === 0) { pen.moveTo(x + r, y); pen.arc(x, y, r, 0, 7); return; }
    const corners = [0, 4, 3, 4, 6][sector], turn = [0, Math.PI / 4, -Math.PI / 2, 0, 0][sector], size = r * 1.1;
    for (let i = 0; i <= corners; i++) {
      const a = turn + i * 2 * Math.PI / corners;
      pen[i ? "lineTo" : "moveTo"](x + size * Math.cos(a), y + size * Math.sin(a));
    }
  }

  function fit() {
    scale = Math.min(devicePixelRatio || 1, 2);
    canvas.width = Math.max(1, Math.floor(canvas.clientWidth * scale));
    canvas.height = Math.max(1, Math.floor(canvas.clientHeight * scale));
    let reach = 20;
    for (const [x, y, r] of m.groups) reach = Math.max(reach, Math.hypot(x, y) + r);
    for (let i = 0; i < m.ids.length; i++) reach = Math.max(reach, Math.hypot(m.x[i], m.y[i]) + m.r[i]);
    whole = Math.min(canvas.width, canvas.height) / (2 * reach + 8);
  }

  const sx = (x) => (x - view.x) * view.zoom + canvas.width / 2, sy = (y) => (y - view.y) * view.zoom + canvas.height / 2;

  function draw() {
    frame = 0;
    const pen = canvas.getContext("2d", { alpha: false });
    pen.fillStyle = colours.surface;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    const seen = (x, y, r) => x + r > 0 && y + r > 0 && x - r < canvas.width && y - r < canvas.height;
    pen.strokeStyle = colours.line;
    pen.lineWidth = scale;
    for (const [gx, gy, gr] of m.groups) {
      const x = sx(gx), y = sy(gy), r = gr * view.zoom;
      if (!seen(x, y, r)) continue;
      pen.beginPath();
      pen.arc(x, y, r, 0, 7);
      pen.fillStyle = colours.raised;
      pen.globalAlpha = 0.55;
      pen.fill();
      pen.globalAlpha = 1;
      pen.stroke();
    }
    pen.beginPath();
    for (const [a, b] of m.edges) { pen.moveTo(sx(m.x[a]), sy(m.y[a])); pen.lineTo(sx(m.x[b]), sy(m.y[b])); }
    pen.strokeStyle = colours.strong;
    pen.globalAlpha = m.edges.length > 500 ? 0.16 : 0.4;
    pen.stroke();
    // Two strokes per sector and freshness, not one per node.
    const shades = [0.3, 0.55, 1];
    for (let sector = 0; sector < m.sectors.length; sector++) {
      for (let shade = 0; shade < 3; shade++) {
        pen.beginPath();
        for (let i = 0; i < m.ids.length; i++) {
          if (m.sector[i] !== sector || (m.left[i] >= 50 ? 2 : m.left[i] >= 10 ? 1 : 0) !== shade) continue;
          const x = sx(m.x[i]), y = sy(m.y[i]), r = m.r[i] * view.zoom;
          if (seen(x, y, r)) shape(pen, sector, x, y, Math.max(r, 0.7));
        }
        pen.fillStyle = pen.strokeStyle = colours.sectors[sector];
        pen.globalAlpha = shades[shade];
        pen.fill();
        if (shade === 0) { pen.globalAlpha = 0.9; pen.lineWidth = scale; pen.stroke(); }
      }
    }
    pen.globalAlpha = 1;
    drawLabels(pen, seen);
    for (const i of [chosen, over]) {
      if (i < 0) continue;
      pen.beginPath();
      pen.arc(sx(m.x[i]), sy(m.y[i]), Math.max(m.r[i] * view.zoom + 3 * scale, 5 * scale), 0, 7);
      pen.strokeStyle = colours.ink;
      pen.lineWidth = 2 * scale;
      pen.stroke();
    }
  }

  // drawLabels names the groups that are large enough, the largest first, where no other name stands.
  function drawLabels(pen, seen) {
    pen.font = `${12 * scale}px system-ui, sans-serif`;
    pen.textAlign = "center";
    const taken = [];
    const order = m.groups.map((g, i) => i).sort((a, b) => m.groups[b][2] - m.groups[a][2]);
    for (const i of order) {
      const [gx, gy, gr] = m.groups[i], r = gr * view.zoom;
      if (r < 26 * scale) break;
      const x = sx(gx), y = sy(gy) - r - 4 * scale;
      if (!seen(x, y, r)) continue;
      let text = m.labels[i];
      const most = Math.max(8, Math.floor(r * 2.6 / (6 * scale)));
      if (text.length > most) text = text.slice(0, most) + "…";
      const half = pen.measureText(text).width / 2, line = 14 * scale;
      if (taken.some((t) => Math.abs(t.x - x) < t.half + half && Math.abs(t.y - y) < line)) continue;
      taken.push({ x, y, half });
      pen.lineWidth = 3 * scale;
      pen.strokeStyle = colours.surface;
      pen.strokeText(text, x, y);
      pen.fillStyle = colours.ink;
      pen.fillText(text, x, y);
    }
  }

  const redraw = () => { if (!frame) frame = requestAnimationFrame(draw); };
  function zoomTo(zoom, x = canvas.width / 2, y = canvas.height / 2) {
    zoom = Math.min(Math.max(zoom, whole * 0.5), whole * 60);
    view.x += (x - canvas.width / 2) * (1 / view.zoom - 1 / zoom);
    view.y += (y - canvas.height / 2) * (1 / view.zoom - 1 / zoom);
    view.zoom = zoom;
    redraw();
  }
  const showAll = () => { view = { x: 0, y: 0, zoom: whole }; redraw(); };

  // at returns the node below the pointer, the nearest of those that are close.
  function at(e) {
    const box = canvas.getBoundingClientRect();
    const x = (e.clientX - box.left) * scale, y = (e.clientY - box.top) * scale;
    let best = -1, least = Infinity;
    for (let i = 0; i < m.ids.length; i++) {
      const d = Math.hypot(sx(m.x[i]) - x, sy(m.y[i]) - y) - Math.max(m.r[i] * view.zoom, 4 * scale);
      if (d < Math.min(least, 2 * scale)) { best = i; least = d; }
    }
    return best;
  }

  // Texts are read when somebody rests on a memory. They are kept while the page is open.
  const texts = new Map();
  let waiting, reading;
  function tell(i) {
    clearTimeout(waiting);
    if (i < 0) return;
    waiting = setTimeout(async () => {
      reading = i;
      try {
        if (!texts.has(i)) {
          const answer = await fetch(`${atlas.dataset.node}/${m.ids[i]}`);
          texts.set(i, answer.ok ? await answer.json() : undefined);
        }
      } catch { return; }
      if (reading === i) write(i, texts.get(i));
    }, 120);
  }
  function write(i, it) {
    const text = document.createElement("p"), meta = document.createElement("p");
    if (!it) { text.textContent = "It is not there any more."; note.replaceChildren(text); return; }
    text.dir = "auto";
    text.textContent = it.text;
    meta.className = "meta";
    const link = document.createElement("a");
    link.href = it.path;
    link.textContent = "Open this memory";
    meta.append(...[it.author, it.day, m.sectors[m.sector[i]], `${m.left[i]} % left`, m.children[i] ? `${m.children[i]} below it` : ""]
      .filter(Boolean).map((t) => { const s = document.createElement("span"); s.textContent = t; return s; }), link);
    note.replaceChildren(text, meta);
  }

  // Pointers: one drags, two zoom.
  const pointers = new Map();
  let moved = 0;
  canvas.addEventListener("pointerdown", (e) => { canvas.setPointerCapture(e.pointerId); pointers.set(e.pointerId, e); moved = 0; });
  canvas.addEventListener("pointermove", (e) => {
    const before = pointers.get(e.pointerId);
    if (!before) {
      const now = at(e);
      if (now !== over) { over = now; canvas.classList.toggle("points", now >= 0); redraw(); if (chosen < 0) tell(now); }
      return;
    }
    moved += Math.abs(e.clientX - before.clientX) + Math.abs(e.clientY - before.clientY);
    const other = [...pointers.values()].find((p) => p.pointerId !== e.pointerId);
    if (other) {
      const spread = (p) => Math.hypot(p.clientX - other.clientX, p.clientY - other.clientY) || 1, box = canvas.getBoundingClientRect();
      zoomTo(view.zoom * spread(e) / spread(before), ((e.clientX + other.clientX) / 2 - box.left) * scale, ((e.clientY + other.clientY) / 2 - box.top) * scale);
    } else {
      view.x -= (e.clientX - before.clientX) * scale / view.zoom;
      view.y -= (e.clientY - before.clientY) * scale / view.zoom;
    }
    pointers.set(e.pointerId, e);
    redraw();
  });
  for (const end of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(end, (e) => {
      if (pointers.delete(e.pointerId) && end === "pointerup" && moved < 5) { chosen = at(e); tell(chosen); redraw(); }
    });
  }
  canvas.addEventListener("wheel", (e) => {
    if (!e.ctrlKey && document.activeElement !== canvas) return; // the page scrolls over a map that nobody uses
    e.preventDefault();
    const box = canvas.getBoundingClientRect();
    zoomTo(view.zoom * Math.exp(-e.deltaY / 400), (e.clientX - box.left) * scale, (e.clientY - box.top) * scale);
  }, { passive: false });
  canvas.addEventListener("keydown", (e) => {
    const step = 60 * scale / view.zoom;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    if (moves[e.key]) { view.x += moves[e.key][0]; view.y += moves[e.key][1]; redraw(); }
    else if (e.key === "+" || e.key === "=") zoomTo(view.zoom * 1.4);
    else if (e.key === "-") zoomTo(view.zoom / 1.4);
    else if (e.key === "0" || e.key === "Home") showAll();
    else return;
    e.preventDefault();
  });
  document.getElementById("zoom-in").addEventListener("click", () => zoomTo(view.zoom * 1.6));
  document.getElementById("zoom-out").addEventListener("click", () => zoomTo(view.zoom / 1.6));
  document.getElementById("zoom-all").addEventListener("click", showAll);

  // legend draws the sign of each sector.
  function legend() {
    for (const sign of atlas.querySelectorAll(".swatch")) {
      const sector = Number(sign.dataset.sector), pen = sign.getContext("2d");
      pen.clearRect(0, 0, sign.width, sign.height);
      pen.beginPath();
      shape(pen, sector, 12, 12, 9);
      pen.fillStyle = colours.sectors[sector];
      pen.fill();
    }
  }

  async function start() {
    const answer = await fetch(atlas.dataset.nodes);
    if (answer.ok) m = await answer.json();
    if (!m?.ids?.length) { atlas.hidden = true; return; }
    m.groups ??= [];
    m.edges ??= [];
    m.labels ??= [];
    document.getElementById("atlas-more").hidden = !m.more;
    const renew = () => { readColours(); legend(); fit(); redraw(); };
    renew();
    showAll();
    dark.addEventListener("change", renew);
    let width = canvas.clientWidth;
    new ResizeObserver(() => {
      if (canvas.clientWidth === width) return;
      width = canvas.clientWidth;
      const all = view.zoom === whole;
      fit();
      if (all) showAll(); else redraw();
    }).observe(canvas);
    atlas.dataset.ready = "yes";
  }
  start();
})();
