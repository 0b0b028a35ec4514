// Draws the memory over time, see web/timeline: a dot for each memory, an area for each class, and a scrubber over the days. What
// is left of a memory is computed as memory/history computes it.
(() => {
  "use strict";

  const FRESH = 0, FADING = 1, FADED = 2, DORMANT = 3, ABSENT = 4;
  const PINNED_FLAG = 1, DORMANT_FLAG = 2;

  // unpack reads what web/timeline packs: the length of the header, the header, and arrays of numbers.
  function unpack(buffer) {
    const length = new DataView(buffer).getUint32(0, true); // the upper half is for alignment
    const bytes = new Uint8Array(buffer, 8, length);
    let text = "";
    for (let i = 0; i < length; i += 4096) text += String.fromCharCode.apply(null, bytes.subarray(i, Math.min(i + 4096, length)));
    const f = JSON.parse(text);
    let at = 8 + length;
    const take = (Kind, n) => {
      const part = new Kind(buffer, at, n);
      at += n * Kind.BYTES_PER_ELEMENT;
      return part;
    };
    f.id = take(Float64Array, f.lives);
    f.stored = take(Float64Array, f.lives);
    f.gone = take(Float64Array, f.lives);
    f.from = take(Float64Array, f.phases);
    f.since = take(Float64Array, f.phases);
    f.rate = take(Float64Array, f.phases);
    f.start = take(Uint32Array, f.lives + 1);
    f.sector = take(Uint8Array, f.lives);
    f.flag = take(Uint8Array, f.phases);
    return f;
  }

  // phaseAt returns the phase of a life at a time: the last that began, or the first.
  function phaseAt(f, life, time) {
    let low = f.start[life], high = f.start[life + 1] - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (f.from[middle] <= time) low = middle; else high = middle - 1;
    }
    return low;
  }

  // retentionOf returns what is left of a memory in a phase, 0 to 1.
  function retentionOf(f, phase, time) {
    if ((f.flag[phase] & PINNED_FLAG) || time <= f.since[phase]) return 1;
    return Math.exp(-f.rate[phase] * (time - f.since[phase]));
  }

  // stateAt writes what a memory was at a time into out, [class, retention, pinned].
  function stateAt(f, life, time, out) {
    out[0] = ABSENT;
    out[1] = 0;
    out[2] = 0;
    if (time < f.stored[life] || time >= f.gone[life]) return out;
    const phase = phaseAt(f, life, time), left = retentionOf(f, phase, time);
    const pinned = f.flag[phase] & PINNED_FLAG;
    out[1] = left;
    out[2] = pinned;
    if (f.flag[phase] & DORMANT_FLAG) out[0] = DORMANT;
    else if (pinned || left >= 0.5) out[0] = FRESH;
    else out[0] = left >= 0.1 ? FADING : FADED;
    return out;
  }

  if (typeof document === "undefined") { // in tests
    globalThis.familiarTime = { unpack, stateAt };
    return;
  }

  const player = document.getElementById("player");
  if (!player || !("fetch" in window)) return;
  const field = document.getElementById("field"), area = document.getElementById("area");
  const scrub = document.getElementById("scrub"), play = document.getElementById("play");
  const title = document.getElementById("player-day"), note = document.getElementById("player-note");
  const calm = matchMedia("(prefers-reduced-motion: reduce)"), dark = matchMedia("(prefers-color-scheme: dark)");
  const numbers = new Intl.NumberFormat("en");
  const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]; // as the pages write them
  const names = ["fresh", "fading", "faded", "dormant"];
  const counters = [...player.querySelectorAll("[data-count]")];

  let film, colours, stamps, spots, pixels, image, background, index = Number(scrub.value), drawn = -1, hovered = -1;

  // Colours come from the stylesheet, so that both themes have theirs.
  function readColours() {
    const probe = document.createElement("span");
    player.append(probe);
    const rgb = (name) => {
      probe.style.color = `var(${name})`;
      const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      pen.fillStyle = getComputedStyle(probe).color;
      pen.fillRect(0, 0, 1, 1);
      return pen.getImageData(0, 0, 1, 1).data;
    };
    colours = {
      classes: ["--accent", "--good", "--warn", "--line-strong"].map(rgb),
      ink: rgb("--ink"), muted: rgb("--muted"), surface: rgb("--surface"), line: rgb("--line"),
    };
    probe.remove();
  }
  const css = (c, alpha = 1) => `rgb(${c[0]} ${c[1]} ${c[2]} / ${alpha})`;

  // drawShape draws the sign of a class into a square: a disc, a disc with a hole, a ring, a small cross. Pinned is a diamond.
  function drawShape(pen, kind, pinned, x, y, size, colour) {
    const r = size / 2 * 0.86, cx = x + size / 2, cy = y + size / 2;
    pen.fillStyle = pen.strokeStyle = css(colour);
    pen.lineWidth = Math.max(1, size / 7);
    pen.beginPath();
    if (kind === DORMANT) {
      const d = r * 0.5;
      pen.moveTo(cx - d, cy - d); pen.lineTo(cx + d, cy + d);
      pen.moveTo(cx - d, cy + d); pen.lineTo(cx + d, cy - d);
      pen.stroke();
    } else if (pinned) {
      pen.moveTo(cx, cy - r); pen.lineTo(cx + r, cy); pen.lineTo(cx, cy + r); pen.lineTo(cx - r, cy);
      pen.closePath();
      pen.fill();
    } else if (kind === FRESH) {
      pen.arc(cx, cy, r, 0, 7);
      pen.fill();
    } else if (kind === FADING) {
      pen.arc(cx, cy, r * 0.95, 0, 7);
      pen.arc(cx, cy, r * 0.38, 0, 7, true);
      pen.fill("evenodd");
    } else {
      pen.arc(cx, cy, r * 0.72, 0, 7);
      pen.stroke();
    }
  }

  const SHADES = 8; // of each class: fresher is stronger

  // makeStamps draws each shape in each shade once, as pixels.
  function makeStamps(size) {
    stamps = [];
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = size;
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    for (let kind = FRESH; kind <= DORMANT; kind++) {
      for (const pinned of [0, 1]) {
        for (let shade = 0; shade < SHADES; shade++) {
          const c = colours.classes[kind], part = 0.55 + 0.45 * (shade / (SHADES - 1));
          const mixed = [0, 1, 2].map((i) => Math.round(c[i] * part + colours.surface[i] * (1 - part)));
          pen.fillStyle = css(colours.surface);
          pen.fillRect(0, 0, size, size);
          if (size < 4) {
            pen.fillStyle = css(mixed);
            if (kind === FRESH || kind === FADING) pen.fillRect(0, 0, size - (kind === FADING && size > 1 ? 1 : 0), Math.max(1, size - 1));
            else pen.fillRect(0, 0, 1, 1);
          } else drawShape(pen, kind, pinned, 0, 0, size, mixed);
          stamps.push(new Uint32Array(pen.getImageData(0, 0, size, size).data.buffer));
        }
      }
    }
  }

  // arrange gives every memory its place: a band per sector, and in it columns from the oldest to the newest. It never moves.
  function arrange(width, height, scale) {
    const bands = film.sectors.map(() => []);
    for (let i = 0; i < film.lives; i++) bands[film.sector[i]].push(i);
    const filled = bands.map((lives, sector) => ({ lives, name: film.sectors[sector] })).filter((b) => b.lives.length);
    const gap = Math.round(20 * scale);
    let size = Math.round(24 * scale), rows;
    for (; size > 1; size--) {
      const columns = Math.floor(width / size);
      rows = filled.map((b) => Math.ceil(b.lives.length / columns));
      if (rows.reduce((sum, n) => sum + n * size + gap, 0) <= height) break;
    }
    rows = filled.map((b) => Math.ceil(b.lives.length / Math.floor(width / size)));
    spots = { x: new Uint16Array(film.lives), y: new Uint16Array(film.lives), size, bands: [] };
    let top = 0;
    filled.forEach((band, n) => {
      spots.bands.push({ name: band.name, top });
      top += gap;
      band.lives.forEach((life, i) => {
        spots.x[life] = Math.floor(i / rows[n]) * size;
        spots.y[life] = top + (i % rows[n]) * size;
      });
      top += rows[n] * size;
    });
  }

  // fit makes the canvases as large as they are shown, and everything that depends on it.
  function fit() {
    const scale = Math.min(devicePixelRatio || 1, 2), width = Math.max(1, Math.floor(field.clientWidth * scale));
    field.width = width;
    field.height = Math.max(1, Math.round(field.clientHeight * scale));
    arrange(width, field.height, scale);
    makeStamps(spots.size);
    const pen = field.getContext("2d", { alpha: false });
    image = pen.createImageData(field.width, field.height);
    pixels = new Uint32Array(image.data.buffer);
    area.width = Math.max(1, Math.floor(area.clientWidth * scale));
    area.height = Math.floor(120 * scale);
    drawBackground(scale);
    for (const s of player.querySelectorAll(".swatch")) {
      const kind = Number(s.dataset.class);
      const swatch = s.getContext("2d");
      swatch.clearRect(0, 0, s.width, s.height);
      drawShape(swatch, kind, 0, 2, 2, 20, colours.classes[kind]);
    }
    spots.scale = scale;
    drawn = -1;
  }

  // drawBackground draws the classes over all days once; a frame adds only the cursor.
  function drawBackground(scale) {
    background = document.createElement("canvas");
    background.width = area.width;
    background.height = area.height;
    const pen = background.getContext("2d"), last = film.counts.length - 1;
    const total = (i) => film.counts[i][0] + film.counts[i][1] + film.counts[i][2] + film.counts[i][3];
    let most = 1;
    for (let i = 0; i <= last; i++) most = Math.max(most, total(i));
    pen.fillStyle = css(colours.surface);
    pen.fillRect(0, 0, area.width, area.height);
    const below = new Array(last + 1).fill(0);
    const x = (i) => (last ? i / last : 0.5) * area.width, y = (n) => area.height * (1 - 0.92 * n / most);
    for (let kind = FRESH; kind <= DORMANT; kind++) {
      pen.beginPath();
      for (let i = 0; i <= last; i++) pen.lineTo(x(i), y(below[i] + film.counts[i][kind]));
      for (let i = last; i >= 0; i--) pen.lineTo(x(i), y(below[i]));
      pen.fillStyle = css(colours.classes[kind], 0.55);
      pen.fill();
      pen.beginPath();
      for (let i = 0; i <= last; i++) pen.lineTo(x(i), y(below[i] += film.counts[i][kind]));
      pen.setLineDash([[], [6, 3], [2, 3], [1, 5]][kind].map((n) => n * scale));
      pen.lineWidth = 1.5 * scale;
      pen.strokeStyle = css(colours.classes[kind]);
      pen.stroke();
    }
  }

  const state = [0, 0, 0];

  // draw shows a day.
  function draw() {
    if (drawn === index) return;
    drawn = index;
    const time = film.ends[index], size = spots.size, width = field.width;
    const c = colours.surface;
    pixels.fill((255 << 24 | c[2] << 16 | c[1] << 8 | c[0]) >>> 0);
    for (let life = 0; life < film.lives; life++) {
      if (film.stored[life] > time) continue;
      stateAt(film, life, time, state);
      if (state[0] === ABSENT) continue;
      const shade = Math.min(SHADES - 1, state[1] * SHADES | 0);
      const stamp = stamps[(state[0] * 2 + (state[2] ? 1 : 0)) * SHADES + shade];
      let at = spots.y[life] * width + spots.x[life], from = 0;
      for (let row = 0; row < size; row++, at += width) {
        for (let column = 0; column < size; column++) pixels[at + column] = stamp[from++];
      }
    }
    const pen = field.getContext("2d", { alpha: false });
    pen.putImageData(image, 0, 0);
    pen.fillStyle = css(colours.muted);
    pen.font = `${12 * spots.scale}px system-ui, sans-serif`;
    for (const b of spots.bands) pen.fillText(b.name, 0, b.top + 14 * spots.scale);
    drawCursor();
    drawNumbers();
  }

  function drawCursor() {
    const pen = area.getContext("2d"), last = film.ends.length - 1;
    pen.drawImage(background, 0, 0);
    const x = Math.min(area.width - 1, Math.max(1, (last ? index / last : 0.5) * area.width));
    pen.strokeStyle = css(colours.ink);
    pen.lineWidth = 2 * spots.scale;
    pen.beginPath();
    pen.moveTo(x, 0);
    pen.lineTo(x, area.height);
    pen.stroke();
  }

  function drawNumbers() {
    const counts = film.counts[index], day = dayName(index);
    for (const c of counters) c.textContent = numbers.format(counts[Number(c.dataset.count)]);
    title.textContent = day;
    scrub.setAttribute("aria-valuetext", day + ": " + names.map((n, i) => `${counts[i]} ${n}`).join(", "));
  }

  const dayName = (i) => {
    const [year, month, day] = film.days[i].split("-").map(Number);
    return `${day} ${months[month - 1]} ${year}`;
  };

  // Moving: a frame at a time, the lists when it rests.
  let frame = 0, resting, fetching, playing = 0;
  function show(next) {
    index = Math.min(Math.max(next, 0), film.ends.length - 1);
    scrub.value = index;
    if (!frame) frame = requestAnimationFrame(() => { frame = 0; draw(); });
    clearTimeout(resting);
    resting = setTimeout(rest, 300);
  }

  async function rest() {
    if (playing) return;
    fetching?.abort();
    fetching = new AbortController();
    const url = `${player.dataset.page}?day=${film.days[index]}&span=${player.dataset.span}`;
    try {
      const answer = await fetch(url, { signal: fetching.signal, headers: { Accept: "text/html" } });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const id of ["around", "other-days"]) {
        const fresh = page.getElementById(id), old = document.getElementById(id);
        if (fresh && old && !old.contains(document.activeElement)) old.replaceWith(fresh);
      }
      const day = document.getElementById("day");
      if (day !== document.activeElement) day.value = film.days[index];
      history.replaceState(null, "", url);
    } catch (e) {
      if (e.name !== "AbortError") note.textContent = "The lists could not be read. Reload the page.";
    }
  }

  // step plays: the whole time in about twenty seconds, or in calm steps for those who want no motion.
  function step(now) {
    if (!playing) return;
    const last = film.ends.length - 1, calmly = calm.matches;
    const passed = (now - playing) / (calmly ? 50000 : 20000) * last;
    let next = step.from + (calmly ? Math.floor(passed / Math.max(1, last / 25)) * Math.max(1, Math.round(last / 25)) : Math.floor(passed));
    if (next >= last) { show(last); stop(); return; }
    if (next !== index) show(next);
    requestAnimationFrame(step);
  }
  function stop() {
    playing = 0;
    play.setAttribute("aria-pressed", "false");
    play.textContent = "Play";
    clearTimeout(resting);
    resting = setTimeout(rest, 100);
  }
  play.addEventListener("click", () => {
    if (playing) { stop(); return; }
    step.from = index >= film.ends.length - 1 ? 0 : index;
    playing = performance.now();
    play.setAttribute("aria-pressed", "true");
    play.textContent = "Pause";
    requestAnimationFrame(step);
  });
  scrub.addEventListener("input", () => { if (playing) stop(); show(Number(scrub.value)); });
  document.getElementById("chooser").addEventListener("submit", (e) => { e.preventDefault(); rest(); });
  document.getElementById("day").addEventListener("input", (e) => {
    const chosen = film.days.indexOf(e.target.value);
    if (chosen >= 0) { if (playing) stop(); show(chosen); }
  });
  document.getElementById("span").addEventListener("change", (e) => { player.dataset.span = e.target.value; rest(); });
  area.addEventListener("pointerdown", (e) => { area.setPointerCapture(e.pointerId); toPointer(e); });
  area.addEventListener("pointermove", (e) => { if (e.buttons) toPointer(e); });
  function toPointer(e) {
    if (playing) stop();
    const box = area.getBoundingClientRect();
    show(Math.round((e.clientX - box.left) / box.width * (film.ends.length - 1)));
  }

  // A dot tells what it is and leads to its memory. The lists do the same for keyboards.
  function lifeAt(e) {
    const box = field.getBoundingClientRect(), size = spots.size;
    const x = (e.clientX - box.left) / box.width * field.width, y = (e.clientY - box.top) / box.height * field.height;
    for (let i = 0; i < film.lives; i++) {
      if (x >= spots.x[i] && x < spots.x[i] + size && y >= spots.y[i] && y < spots.y[i] + size) {
        return stateAt(film, i, film.ends[index], state)[0] === ABSENT ? -1 : i;
      }
    }
    return -1;
  }
  field.addEventListener("pointermove", (e) => {
    const life = lifeAt(e);
    if (life === hovered) return;
    hovered = life;
    field.classList.toggle("points", life >= 0);
    note.textContent = life < 0 ? total() : `Memory ${film.id[life]}: ${names[state[0]]}, ${Math.round(state[1] * 100)} % left${state[2] ? ", pinned" : ""}`;
  });
  field.addEventListener("click", (e) => {
    const life = lifeAt(e);
    if (life >= 0) location.assign(`${player.dataset.memory}/${film.id[life]}`);
  });

  const total = () => film.all > film.lives ? `The newest ${numbers.format(film.lives)} of ${numbers.format(film.all)} memories are drawn; the numbers count all.` : "";

  async function start() {
    const answer = await fetch(player.dataset.lives);
    if (answer.ok) film = unpack(await answer.arrayBuffer());
    if (!film?.ends.length) { player.hidden = true; return; }
    scrub.max = film.ends.length - 1;
    note.textContent = total();
    const redraw = () => { readColours(); fit(); draw(); };
    show(index);
    redraw();
    clearTimeout(resting); // the page is that of this day already
    dark.addEventListener("change", redraw);
    let width = field.clientWidth;
    new ResizeObserver(() => {
      if (field.clientWidth === width) return;
      width = field.clientWidth;
      redraw();
    }).observe(field);
    player.dataset.ready = "yes";
  }
  start();
})();
