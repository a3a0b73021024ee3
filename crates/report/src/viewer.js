// The list of games and the board. It knows no rules: a ply is two letters, and both are put on the board as written.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const hash = new URLSearchParams(location.hash.slice(1));

  // Step 1. Light or dark: what the page was asked for, else what the system prefers.
  const root = document.documentElement;
  const theme = $("theme");
  const dark = () => getComputedStyle(root).colorScheme === "dark"
    || (!root.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  const name = () => { theme.textContent = dark() ? "Light" : "Dark"; };
  for (const wanted of ["dark", "light"]) if (hash.has(wanted)) root.dataset.theme = wanted;
  theme.hidden = false;
  theme.onclick = () => { root.dataset.theme = dark() ? "light" : "dark"; name(); };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
  name();
  if (!$("games")) return;

  // Step 2. The list, a page at a time.
  const games = data.games.map(([id, round, first, second, result, reason, length, start, side, plies, times], index) =>
    ({ index, id, round, first, second, result, reason: data.reasons[reason][0], forfeit: data.reasons[reason][1], length, start, side, plies, times }));
  const element = (tag, text, type) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (type) made.className = type;
    return made;
  };
  const option = (to, value, text) => { const o = element("option", text); o.value = value; to.append(o); };
  const score = { 1: "1–0", 0: "0–1", "=": "½–½" };
  const PAGE = 50;
  const player = $("f-player"), result = $("f-result"), reason = $("f-reason"), order = $("f-order");
  let shown = games, page = 0, current = null;
  data.players.forEach((text, i) => option(player, i, text));
  data.reasons.forEach(([text]) => option(reason, text, text));

  function results() {
    const words = player.value === "" ? ["first won", "drawn", "second won"] : ["won", "drawn", "lost"];
    const kept = result.value;
    result.replaceChildren();
    option(result, "", "all");
    ["1", "=", "0"].forEach((value, i) => option(result, value, words[i]));
    result.value = kept;
  }

  function filter() {
    const who = player.value === "" ? null : Number(player.value);
    const swapped = { 1: "0", 0: "1", "=": "=" };
    shown = games.filter((g) => (who === null || g.first === who || g.second === who)
      && (!reason.value || g.reason === reason.value)
      && (!result.value || (who === null || g.first === who ? g.result : swapped[g.result]) === result.value));
    if (order.value !== "0") shown.sort((a, b) => (a.length - b.length) * (order.value === "1" ? 1 : -1) || a.index - b.index);
    page = 0;
    list();
  }

  function list() {
    const pages = Math.max(1, Math.ceil(shown.length / PAGE));
    const rows = shown.slice(page * PAGE, (page + 1) * PAGE).map((g) => {
      const row = element("tr");
      const opener = element("td");
      const button = element("button", g.id);
      button.type = "button";
      opener.append(button);
      row.append(opener, element("td", g.round || "", "n rd"),
        element("td", data.players[g.first], g.result === "1" ? "won" : ""),
        element("td", data.players[g.second], g.result === "0" ? "won" : ""),
        element("td", score[g.result]), element("td", g.reason, g.forfeit ? "bad" : ""),
        element("td", g.length || "–", "n"));
      row.children[2].title = data.players[g.first];
      row.children[3].title = data.players[g.second];
      if (g === current) row.setAttribute("aria-current", "true");
      row.onclick = () => { open(g, 0); if ($("viewer")) { $("viewer").scrollIntoView({ block: "nearest" }); $("viewer").focus({ preventScroll: true }); } };
      return row;
    });
    $("rows").replaceChildren(...rows);
    $("l-page").textContent = `${shown.length} of ${games.length} games, page ${page + 1} of ${pages}`;
    $("l-back").disabled = page === 0;
    $("l-next").disabled = page + 1 >= pages;
  }

  const turnPage = (by) => { page += by; list(); $("rows").closest(".box").scrollTop = 0; };
  $("l-back").onclick = () => turnPage(-1);
  $("l-next").onclick = () => turnPage(1);
  player.onchange = () => { results(); filter(); };
  result.onchange = reason.onchange = order.onchange = filter;
  $("filter").onsubmit = (e) => e.preventDefault();
  $("list").hidden = false;
  $("list").classList.toggle("single", games.every((g) => !g.round || g.round === games[0].round));

  // Step 3. The board. Positions are kept for every ply of the open game, so that any of them is a look away.
  const pieces = Object.fromEntries(data.pieces.map(([letter, color, hanzi]) => [letter, { color, hanzi }]));
  const squareOf = (letter) => {
    const i = data.squares.indexOf(letter);
    return "abcd"[i % 4] + (Math.floor(i / 4) + 1);
  };
  let steps = [], ply = 0, timer = 0;

  function unpack(g) {
    const [board, bag, before] = data.starts[g.start];
    const squares = {};
    const ranks = board.split("/");
    ranks.forEach((rank, r) => [...rank].forEach((c, f) => { squares["abcd"[f] + (ranks.length - r)] = c; }));
    const down = {};
    for (const [, letter, n] of bag.matchAll(/([A-Za-z])(\d+)/g)) down[letter] = Number(n);
    const times = g.times ? g.times.split(" ").map(Number) : [];
    const made = [{ squares, down, taken: [], text: "Start", marks: [], before }];
    for (let i = 0; i + 1 < g.plies.length; i += 2) {
      const last = made[made.length - 1];
      const next = { squares: { ...last.squares }, down: last.down, taken: last.taken, before: before + i / 2 + 1, took: times[i / 2] };
      const at = squareOf(g.plies[i]), second = g.plies[i + 1];
      if (pieces[second]) {
        next.squares[at] = second;
        next.down = { ...last.down, [second]: (last.down[second] || 0) - 1 };
        next.marks = [at];
        next.text = `${at}(${second})`;
        next.said = `${pieces[second].hanzi} turned up on ${at}`;
      } else {
        const to = squareOf(second), mover = next.squares[at], prey = next.squares[to];
        next.squares[to] = mover;
        next.squares[at] = "-";
        next.marks = [at, to];
        next.text = `${at}-${to}`;
        const glyph = (c) => pieces[c] ? pieces[c].hanzi : c;
        next.said = `${glyph(mover)} ${at}–${to}`;
        if (prey && prey !== "-") {
          next.taken = [...last.taken, prey];
          next.said += ` takes ${glyph(prey)}`;
        }
      }
      made.push(next);
    }
    return made;
  }

  function pile(to, counts) {
    const parts = data.pieces.filter(([letter]) => counts[letter] > 0).map(([letter, color, hanzi]) => {
      const part = element("span", hanzi, color);
      part.lang = "zh-Hant";
      part.title = `${color} ${hanzi}`;
      if (counts[letter] > 1) part.append(element("small", counts[letter]));
      return part;
    });
    to.replaceChildren(...(parts.length ? parts.flatMap((p) => [p, " "]) : ["none"]));
  }

  function show(n) {
    ply = Math.max(0, Math.min(n, steps.length - 1));
    const step = steps[ply];
    for (const cell of document.querySelectorAll("#v-board g[data-at]")) {
      const at = cell.dataset.at, c = step.squares[at], piece = pieces[c];
      const marked = step.marks.includes(at) ? (step.marks.length === 2 && at === step.marks[0] ? " hl from" : " hl") : "";
      cell.setAttribute("class", (piece ? piece.color : c === "X" ? "back" : "") + marked);
      cell.querySelector("text").textContent = piece ? piece.hanzi : "";
    }
    const seat = (before) => data.players[before % 2 ? current.second : current.first];
    const took = step.took === undefined ? "" : `, ${(step.took / 1000).toFixed(2)} s`;
    const end = ply === steps.length - 1 ? `. End: ${score[current.result]}, ${current.reason}` : "";
    $("v-status").textContent = ply
      ? `${ply} of ${steps.length - 1}: ${step.said} (${seat(step.before - 1)}${took})${end}`
      : current.plies ? `Start, ${steps.length - 1} plies` : `The plies of this game are not in the report${end}`;
    const board = [...document.querySelectorAll("#v-board svg")];
    board.forEach((svg) => svg.setAttribute("aria-label", `Banqi board after ply ${ply}: `
      + Object.entries(step.squares).filter(([, c]) => c !== "-").map(([at, c]) => `${at} ${c === "X" ? "face down" : c}`).join(", ")));
    $("v-slider").max = steps.length - 1;
    $("v-slider").value = ply;
    $("v-slider").setAttribute("aria-valuetext", ply ? `ply ${ply}, ${step.text}` : "start");
    $("v-first").disabled = $("v-back").disabled = ply === 0;
    $("v-last").disabled = $("v-next").disabled = ply === steps.length - 1;
    const counts = {};
    step.taken.forEach((c) => { counts[c] = (counts[c] || 0) + 1; });
    pile($("v-taken"), counts);
    pile($("v-down"), step.down);
    const box = $("v-plies");
    box.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const now = box.querySelectorAll("button")[ply - 1];
    if (now) {
      now.setAttribute("aria-current", "true");
      if (now.offsetTop < box.scrollTop || now.offsetTop > box.scrollTop + box.clientHeight - 30) box.scrollTop = now.offsetTop - 60;
    } else box.scrollTop = 0;
  }

  function open(g, at) {
    stop();
    current = g;
    list();
    if (!$("viewer")) return;
    const [first, second] = [data.players[g.first], data.players[g.second]];
    $("v-title").textContent = `${g.id}: ${first} – ${second}, ${score[g.result]} (${g.reason})`;
    if (g.start === null) {
      steps = [{ squares: {}, down: {}, taken: [], text: "", marks: [], before: 0 }];
      $("v-sides").textContent = "This game cannot be shown on this board.";
    } else {
      steps = unpack(g);
      const colors = { r: ["red", "black"], b: ["black", "red"] }[g.side];
      $("v-sides").textContent = colors ? `${first} is ${colors[0]}, ${second} is ${colors[1]}.` : "";
    }
    const plies = steps.slice(1).flatMap((step, i) => {
      const button = element("button", step.text);
      button.type = "button";
      button.tabIndex = -1;
      button.onclick = () => { stop(); show(i + 1); };
      return (step.before - 1) % 2 && i ? [button] : [element("i", `${Math.floor((step.before + 1) / 2)}.`), button];
    });
    $("v-plies").replaceChildren(...plies);
    show(at);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    const play = $("v-play");
    if (play) { play.textContent = "Play"; play.setAttribute("aria-pressed", "false"); play.setAttribute("aria-label", "Play"); }
  }

  function toggle() {
    if (timer) return stop();
    if (ply === steps.length - 1) show(0);
    $("v-play").textContent = "Stop";
    $("v-play").setAttribute("aria-pressed", "true");
    $("v-play").setAttribute("aria-label", "Stop");
    timer = setInterval(() => { show(ply + 1); if (ply === steps.length - 1) stop(); }, 700);
  }

  if ($("viewer")) {
    const go = (n) => { stop(); show(n()); };
    const keys = { ArrowLeft: () => ply - 1, ArrowRight: () => ply + 1, Home: () => 0, End: () => steps.length - 1 };
    const turn = () => { for (const way of ["upright", "lying"]) $("v-board").classList.toggle(way); };
    $("v-first").onclick = () => go(keys.Home);
    $("v-back").onclick = () => go(keys.ArrowLeft);
    $("v-next").onclick = () => go(keys.ArrowRight);
    $("v-last").onclick = () => go(keys.End);
    $("v-play").onclick = toggle;
    $("v-turn").onclick = turn;
    $("v-slider").oninput = () => go(() => Number($("v-slider").value));
    $("viewer").addEventListener("keydown", (e) => {
      if (e.target === $("v-slider") || e.altKey || e.ctrlKey || e.metaKey) return;
      if (keys[e.key]) go(keys[e.key]);
      else if (e.key === " " && e.target.tagName !== "BUTTON") toggle();
      else if (e.key === "o" || e.key === "O") turn();
      else return;
      e.preventDefault();
    });
    if (hash.has("lying")) turn();
  }
  results();
  filter();
  // `#game=12&ply=40` opens the twelfth game there.
  const wanted = games[Number(hash.get("game") || 1) - 1] || games[0];
  open(hash.has("game") ? wanted : games.find((g) => g.plies) || wanted, Number(hash.get("ply") || 0));
})();
