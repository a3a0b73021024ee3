// The board of a review. It knows no rules: every board comes with the page, and it draws what is asked for.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const SVG = document.querySelector("#v-board svg").namespaceURI;
  const pieces = Object.fromEntries(data.pieces.map(([letter, color, hanzi, title]) => [letter, { color, hanzi, title }]));
  const say = (key, values = {}) => data.texts[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const last = data.boards.length - 1;
  let ply = 0;

  const element = (tag, text, type) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (type) made.className = type;
    return made;
  };
  const drawn = (tag, attributes) => {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const signed = (value) => {
    const n = Math.round(Math.abs(value) / 10000);
    return (n === 0 ? "" : value < 0 ? "-" : "+") + (n / 100).toFixed(2);
  };
  const hanzi = (letter) => {
    const made = element("span", pieces[letter].hanzi, pieces[letter].color);
    made.lang = document.documentElement.lang === "zh-Hans" ? "zh-Hans" : "zh-Hant";
    made.title = pieces[letter].title;
    return made;
  };

  // Step 1. The board: classes and texts of its squares, and arrows above them; a flip is a ring.
  function board(squares, plies) {
    const at = {};
    const ranks = data.boards[plies][0].split("/");
    ranks.forEach((rank, r) => [...rank].forEach((c, f) => { at["abcd"[f] + (ranks.length - r)] = c; }));
    for (const cell of document.querySelectorAll("#v-board g[data-at]")) {
      const name = cell.dataset.at, piece = pieces[at[name]];
      const marked = squares.includes(name) ? (squares.length === 2 && name === squares[0] ? " hl from" : " hl") : "";
      cell.setAttribute("class", (piece ? piece.color : at[name] === "X" ? "back" : "") + marked);
      cell.querySelector("text").textContent = piece ? piece.hanzi : "";
    }
    const told = Object.entries(at).filter(([, c]) => c !== "-").map(([name, c]) => `${name} ${c === "X" ? say("face_down") : c}`);
    for (const svg of document.querySelectorAll("#v-board svg")) svg.setAttribute("aria-label", say("board", { n: plies, list: told.join(", ") }));
  }

  function arrow(svg, squares, type) {
    const [from, to] = squares.map((name) => {
      const [x, y] = svg.querySelector(`g[data-at="${name}"]`).getAttribute("transform").match(/\d+/g).map(Number);
      return [x + 24, y + 24];
    });
    const shapes = ["case", `way ${type}`].map((name) => {
      if (!to) return drawn("circle", { class: name, cx: from[0], cy: from[1], r: type === "better" ? 21 : 18 });
      const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
      const long = Math.hypot(dx, dy), [ux, uy] = [dx / long, dy / long];
      const [x, y] = [to[0] - 9 * ux, to[1] - 9 * uy];
      const wing = (side) => `${x - 9 * ux - side * 8 * uy} ${y - 9 * uy + side * 8 * ux}`;
      return drawn("path", { class: name, d: `M${from[0] + 9 * ux} ${from[1] + 9 * uy}L${x} ${y}M${wing(1)}L${x} ${y}L${wing(-1)}` });
    });
    const group = drawn("g", { class: "arrow", "aria-hidden": "true" });
    group.append(...shapes);
    svg.append(group);
  }

  function arrows(played, better) {
    for (const old of document.querySelectorAll("#v-board .arrow")) old.remove();
    for (const svg of document.querySelectorAll("#v-board svg")) {
      if (played.length) arrow(svg, played, "played");
      if (better.length) arrow(svg, better, "better");
    }
  }

  // Step 2. What is said of a ply.
  const wasBetter = (step) => step && step.mistake > data.close;

  function fan(step) {
    const outcomes = step ? [...step.fan].sort((a, b) => b[2] - a[2]) : [];
    const total = outcomes.reduce((sum, [, weight]) => sum + weight, 0);
    $("fan").hidden = outcomes.length === 0;
    $("fan").tBodies[0].replaceChildren(...outcomes.map(([letter, weight, value, came]) => {
      const row = element("tr", undefined, came ? "came" : "");
      const head = element("th");
      head.scope = "row";
      head.append(hanzi(letter));
      if (came) head.append(" ", element("small", say("came")));
      const track = element("div", undefined, "track"), bar = element("span", undefined, value < 0 ? "less" : "");
      const share = Math.min(50, Math.abs(value) / 20000);
      bar.style.width = `${share}%`;
      bar.style.left = `${value < 0 ? 50 - share : 50}%`;
      track.append(bar);
      const cell = element("td");
      cell.append(track);
      row.append(head, element("td", say("of", { n: weight, total }), "n"), cell, element("td", signed(value), "n"));
      return row;
    }));
  }

  function detail(step) {
    const before = ply - data.opened > 1 ? data.steps[ply - data.opened - 2].after : data.start;
    $("d-title").textContent = ply ? say("ply", { n: ply, last, said: data.plies[ply - 1][0] }) : say("start");
    $("d-value").textContent = step ? say("before_after", { before: signed(before), after: signed(step.after) })
      : ply < data.opened ? (ply ? say("unchosen") : "") : say("value", { value: signed(data.start) });
    const better = wasBetter(step) ? step.better.split(" ").flatMap((word) => [" ", element("span", word)]) : [];
    $("d-mistake").replaceChildren(...(better.length ? [step.why, " ", say("better", { cost: signed(step.mistake).slice(1) }), ...better] : []));
    $("d-luck").textContent = step && step.fan.length ? say("luck", { luck: signed(step.luck), after: signed(step.after), mean: signed(step.after - step.luck) }) : "";
    fan(step);
  }

  function pile(bag) {
    const parts = [...bag.matchAll(/([A-Za-z])(\d+)/g)].flatMap(([, letter, n]) => {
      const part = hanzi(letter);
      if (n > 1) part.append(element("small", n));
      return [part, " "];
    });
    $("v-down").replaceChildren(...(parts.length ? parts : [say("none")]));
  }

  // Step 3. The course of the game: where we are in it.
  const plot = document.querySelector("#course svg");
  const [left, top, width, height] = data.field;
  const now = drawn("path", { class: "now" });
  plot.append(now);
  plot.addEventListener("click", (e) => {
    const box = plot.getBoundingClientRect();
    const x = (e.clientX - box.left) / box.width * plot.viewBox.baseVal.width;
    show(Math.round((x - left) / width * data.last));
  });

  function show(n) {
    ply = Math.max(0, Math.min(Math.trunc(n) || 0, last));
    const step = data.steps[ply - data.opened - 1];
    const squares = ply ? data.plies[ply - 1][1] : [];
    // Where something else was better, both are shown on the board that the player saw.
    const shown = wasBetter(step) ? ply - 1 : ply;
    board(shown === ply ? squares : [], shown);
    arrows(squares, shown === ply ? [] : step.squares);
    detail(step);
    pile(data.boards[shown][1]);
    const value = step ? step.after : data.start;
    $("v-status").textContent = say("status", { n: ply, last, value: signed(value) }) + (shown === ply ? "" : say("status_before")) + (ply === last ? say("status_end", { end: data.end }) : "");
    const x = left + ply / data.last * width;
    now.setAttribute("d", `M${x} ${top}v${height}`);
    $("v-slider").value = ply;
    $("v-slider").setAttribute("aria-valuetext", ply ? say("at", { n: ply, said: data.plies[ply - 1][0] }) : say("start"));
    $("v-first").disabled = $("v-back").disabled = ply === 0;
    $("v-last").disabled = $("v-next").disabled = ply === last;
    $("v-mistake").disabled = mistake(1) === undefined;
    const list = $("v-plies");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const button = list.querySelector(`[data-ply="${ply}"]`);
    if (button) {
      button.setAttribute("aria-current", "true");
      if (button.offsetTop < list.scrollTop || button.offsetTop > list.scrollTop + list.clientHeight - 30) list.scrollTop = button.offsetTop - 60;
    } else list.scrollTop = 0;
  }

  /** The next mistake that is marked, or with -1 the one before. */
  function mistake(way) {
    const marked = data.steps.map((step, i) => [step.mistake, data.opened + i + 1]).filter(([cost]) => cost >= data.mistake).map(([, n]) => n);
    return way > 0 ? marked.find((n) => n > ply) : marked.findLast((n) => n < ply);
  }

  // Step 4. Buttons and keys.
  const go = { ArrowLeft: () => ply - 1, ArrowRight: () => ply + 1, Home: () => 0, End: () => last, m: () => mistake(1) ?? ply, n: () => mistake(-1) ?? ply };
  const turn = () => { for (const way of ["upright", "lying"]) $("v-board").classList.toggle(way); };
  for (const [id, key] of [["v-first", "Home"], ["v-back", "ArrowLeft"], ["v-next", "ArrowRight"], ["v-last", "End"], ["v-mistake", "m"]]) $(id).onclick = () => show(go[key]());
  $("v-turn").onclick = turn;
  $("v-slider").oninput = () => show(Number($("v-slider").value));
  for (const button of document.querySelectorAll("[data-ply]")) {
    button.onclick = () => {
      show(Number(button.dataset.ply));
      if (button.classList.contains("go")) { $("viewer").scrollIntoView({ block: "nearest" }); $("viewer").focus({ preventScroll: true }); }
    };
  }
  document.addEventListener("keydown", (e) => {
    if (e.altKey || e.ctrlKey || e.metaKey || e.target === $("v-slider") || e.target.closest?.(".box")) return;
    const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    // Elsewhere the other keys belong to the page.
    if (!key.startsWith("Arrow") && !e.target.closest?.("#viewer")) return;
    if (key === "o") turn();
    else if (go[key]) show(go[key]());
    else return;
    e.preventDefault();
  });
  // `#ply=40` opens the page there.
  show(Number(new URLSearchParams(location.hash.slice(1)).get("ply") || 0));
})();
