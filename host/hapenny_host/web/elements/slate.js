// The slate, where the score is shown: names, chalk marks, whose turn, what was called. It fills /tv, and is a card on /play.
import { chalk, chalkFilter, mark } from "chalk";

const WHITE = "#f1efe6";
const GOLD = "#f2d27a";
const RED = "#ff8f80";
const BLUE = "#a9d4ea";
const DUST = "rgba(241,239,230,.2)";
const SLATE_W = 1200;
const HIGH = 1080;
const CALL_H = 230; // room for the call under the slate on an upright screen
const UPRIGHT = window.matchMedia("(max-aspect-ratio: 1/1)");
const ROWS_TOP = 268;
const ROW = 86;

export default {
  template: `
    <div :class="['slate', mode]" :style="{ aspectRatio: size.w + '/' + size.h }">
      <svg :viewBox="'0 0 ' + size.w + ' ' + size.h" class="slate-ground" v-html="ground" aria-hidden="true"></svg>
      <svg :viewBox="'0 0 ' + size.w + ' ' + size.h" class="slate-chalk" role="img" :aria-label="spoken" :data-notice="noticeText()[0]" :data-match="view.number">
        <g v-html="filters"></g>
        <g v-for="part in parts" :key="part.key" :filter="part.filter && 'url(#' + mode + '-' + part.filter + ')'" v-html="part.svg"></g>
        <g v-html="plain"></g>
      </svg>
      <slot></slot>
    </div>`,
  props: {
    view: { type: Object, default: () => ({}) }, // a MatchView
    trouble: { type: String, default: "" }, // why there is no board, "" if there is one
    alarm: { type: String, default: "" },
    mode: { type: String, default: "tv" }, // tv | card
  },
  data() {
    return { fresh: new Set(), stale: false, missed: 0, upright: UPRIGHT.matches };
  },
  computed: {
    darts() {
      return this.view.preset === "darts";
    },
    /** On /tv the call and the board are right of the slate. On an upright screen the call is below it. */
    size() {
      if (this.mode !== "tv") return { w: SLATE_W, h: HIGH };
      return this.upright ? { w: SLATE_W, h: HIGH + CALL_H } : { w: 1920, h: HIGH };
    },
    sides() {
      return this.view.sides ?? [];
    },
    ground() {
      return ground(this.size, this.mode);
    },
    filters() {
      return `<defs>${chalkFilter(this.mode + "-fine", 1)}${chalkFilter(this.mode + "-bold", 1.6)}${DISC}</defs>`;
    },
    /** Groups of chalk. Each is filtered by itself, so that a change redraws little. */
    parts() {
      if (!this.sides.length) return [{ key: "title", filter: "bold", svg: title(this.mode) }, this.notice()];
      const columns = this.sides.flatMap((side, i) => [
        { key: "name" + i, filter: "bold", svg: this.heading(side, i) },
        { key: "marks" + i, filter: "fine", svg: this.column(side, i) },
      ]);
      const parts = [{ key: "grid", filter: "fine", svg: this.grid() }, ...columns, this.notice()];
      if (this.mode === "tv") parts.push({ key: "call", filter: "bold", svg: this.call() });
      return parts;
    },
    /** The discs still to be shoved, which are not chalk. */
    plain() {
      const { turn, winner } = this.view;
      return this.sides.length && turn >= 0 && winner < 0 ? this.discsLeft() : "";
    },
    spoken() {
      if (!this.sides.length) return firstSteps(this.mode).join(" ");
      const scores = this.sides.map((s) => `${s.names.join(" and ")}: ${s.marks.join(" ")}${this.counted(s, ", ")}`).join("; ");
      return `${scores}. ${this.view.winner >= 0 ? this.winnerName() + " wins" : `${this.view.player} to ${this.darts ? "throw" : "shove"}`}`;
    },
  },
  watch: {
    view(now, before) {
      this.fresh = now.number === before?.number ? freshMarks(before, now) : new Set();
    },
  },
  mounted() {
    this.watcher = setInterval(() => this.listen(), 1500);
    this.onTurn = () => (this.upright = UPRIGHT.matches);
    UPRIGHT.addEventListener("change", this.onTurn);
  },
  beforeUnmount() {
    clearInterval(this.watcher);
    UPRIGHT.removeEventListener("change", this.onTurn);
  },
  methods: {
    /** Whether the page still hears the host: its socket is connected (NiceGUI puts it on the window), and the host answers. */
    async listen() {
      const cut = !!window.socket && !window.socket.connected;
      const heard = cut ? false : await fetch("alive", { cache: "no-store", signal: AbortSignal.timeout(3000) }).then((r) => r.ok, () => false);
      this.missed = heard ? 0 : this.missed + 1;
      this.stale = cut || this.missed > 1;
      document.body.classList.toggle("stale", this.stale);
    },
    /** Middle and width of a side's column, and which way its marks run. The first player is on the right. */
    place(i) {
      const n = this.sides.length;
      if (n <= 2) return i === 0 ? { x: 920, w: 470, away: 1 } : { x: 280, w: 470, away: -1 };
      const w = (SLATE_W - 190) / n;
      return { x: 150 + w * (i + 0.5), w: w - 16, away: 0 };
    },
    rowY(bed) {
      return this.darts ? ROWS_TOP + (bed - 1) * ROW : ROWS_TOP + (9 - bed) * ROW;
    },
    heading(side, i) {
      const { x, w } = this.place(i);
      const won = this.view.winner === i;
      const now = won || (this.view.turn === i && this.view.winner < 0);
      const colour = side.out ? DUST : now ? GOLD : WHITE;
      const pair = now && !won && side.names.length > 1;
      const above = [
        pair ? this.view.player : "",
        this.counted(side),
        now && !won ? this.view.limit.split(",")[0] : "",
      ].filter(Boolean).join(", ");
      const size = side.names.length > 1 || this.counted(side) ? 64 : 88; // room for a line above it
      const name = chalk(side.names.join(" & "), { x, y: 132, size, anchor: "middle", most: w - 30, colour, weight: 1.25 });
      const more = chalk(above, { x, y: 56, size: 30, anchor: "middle", most: w, colour: now ? GOLD : BLUE });
      return name + more + (won ? ring(x, w) : "");
    },
    /** What a side has in all, where turns are counted. */
    counted(side, before = "") {
      if (side.points === null || side.points === undefined) return "";
      return `${before}${side.points} ${this.view.preset === "timed" ? "points" : "marks"}`;
    },
    discsLeft() {
      const { x, w } = this.place(this.view.turn);
      const n = Math.max(this.view.shoves, this.view.shoves_left);
      const step = Math.min(50, (w - 40) / n);
      return Array.from({ length: n }, (_, k) => {
        const at = x + (k - (n - 1) / 2) * step;
        return k < this.view.shoves_left
          ? `<use href="#${this.mode}-${this.darts ? "dart" : "disc"}" x="0" y="0" transform="translate(${at} 178) scale(${step / 50})"/>`
          : `<circle cx="${at}" cy="178" r="${step * 0.36}" fill="none" stroke="${DUST}" stroke-width="3" stroke-dasharray="7 6"/>`;
      }).join("");
    },
    grid() {
      const n = this.sides.length;
      const bottom = ROWS_TOP + 8.6 * ROW;
      const middle = n <= 2 ? 600 : 75;
      const rules = n <= 2
        ? [[530, 30, 527, bottom], [670, 26, 673, bottom], [50, 218, 1150, 213]]
        : [[146, 30, 149, bottom], [30, 218, 1170, 213], ...this.sides.slice(1).map((_, i) => {
            const x = this.place(i + 1).x - this.place(i + 1).w / 2 - 8;
            return [x, 40, x + 2, bottom];
          })];
      const numbers = Array.from({ length: 9 }, (_, i) =>
        chalk(i + 1, { x: middle, y: this.rowY(i + 1) + 25, size: 50, anchor: "middle", colour: BLUE, weight: 1.15 }));
      const lines = rules.map(([a, b, c, d]) => `<path d="M${a} ${b}Q${(a + c) / 2 + 3} ${(b + d) / 2 + 2} ${c} ${d}" fill="none" stroke="${WHITE}" stroke-opacity=".75" stroke-width="4.5" stroke-linecap="round"/>`);
      return lines.join("") + numbers.join("");
    },
    column(side, i) {
      const { x, w, away } = this.place(i);
      const most = Math.max(3, ...side.targets);
      const size = away ? 58 : Math.min(50, w / most / 1.3);
      const step = away ? Math.min(96, 340 / (most - 1)) : w / (most + 0.4);
      const first = away ? 600 + away * 165 : x - (step * (most - 1)) / 2;
      let svg = "";
      for (let bed = 1; bed <= 9; bed++) {
        const [have, want] = [side.marks[bed - 1], side.targets[bed - 1]];
        if (this.darts) {
          svg += this.hits({ have, want, x: away ? 600 + away * 330 : x, y: this.rowY(bed), seed: bed * 31 + i * 97, key: `${i}-${bed}`, out: side.out });
          continue;
        }
        const done = want > 0 && have >= want;
        for (let k = 0; k < Math.max(want, have); k++) {
          const at = { x: first + (away || 1) * k * step, y: this.rowY(bed), size, seed: bed * 31 + k * 7 + i * 97 };
          at.fresh = this.fresh.has(`${i}-${bed}-${k}`);
          at.colour = side.out ? DUST : done ? GOLD : WHITE;
          svg += k < have ? mark(k === want - 1 ? "cross" : "stroke", at) : dot(at);
        }
      }
      return svg;
    },
    /** Hits at a number in darts: / for one, X for two, O when it is closed. */
    hits({ have, want, x, y, seed, key, out }) {
      const closed = want > 0 && have >= want;
      const kinds = closed ? ["ring"] : [...Array(have >> 1).fill("cross"), ...Array(have & 1).fill("slash")];
      const colour = out ? DUST : closed ? GOLD : WHITE;
      if (!kinds.length) return want ? dot({ x, y }) : "";
      return kinds
        .map((kind, k) => {
          const fresh = k === kinds.length - 1 && this.fresh.has(`${key}-${have - 1}`);
          return mark(kind, { x: x + (k - (kinds.length - 1) / 2) * 66, y, size: 54, colour, seed: seed + 7 * k, fresh });
        })
        .join("");
    },
    /** What was called last, on /tv only: under the board, or under the slate. */
    call() {
      const v = this.view;
      const text = v.winner >= 0 ? this.winText() : v.void ? "Turn lost" : v.badges?.length ? v.badges[v.badges.length - 1] : v.last;
      const colour = v.void || /line|side|short|far|off|lift|stack|miss/i.test(text ?? "") ? WHITE : GOLD;
      const [x, y, most] = this.upright ? [600, HIGH + 110, 1100] : [1560, 936, 600];
      const loud = chalk(text ?? "", { x, y, size: 84, anchor: "middle", most, colour, weight: 1.25 });
      const turn = v.log?.[v.log.length - 1];
      const line = turn ? `${this.sides[turn.side]?.names.join(" & ")}: ${turn.rows.map((row) => (row.hand ? "…" : row.calls[row.calls.length - 1].replace("doubt", "?") + (row.person ? "*" : ""))).join(" · ")}` : "";
      return loud + chalk(line, { x, y: y + 76, size: this.upright ? 46 : 36, anchor: "middle", most, colour: WHITE });
    },
    notice() {
      const [text, colour] = this.noticeText();
      const size = this.view.winner >= 0 && colour === GOLD ? 46 : 40;
      return { key: "notice", filter: "fine", svg: chalk(text, { x: 600, y: 1050, size, anchor: "middle", most: 1120, colour, weight: 1.2 }) };
    },
    noticeText() {
      if (this.stale) return ["The host does not answer – the score may be old", RED];
      if (this.trouble) return [`The board is away: ${this.trouble}`, RED];
      if (this.alarm) return [this.alarm, RED];
      if (this.view.winner >= 0) return [this.mode === "card" ? this.winText() : "", GOLD]; // /tv calls it
      const doubted = this.view.asks?.includes("decide") && this.view.discs?.[this.view.undecided[0]];
      if (doubted) return [`Disc ${doubted.number} is too close to call – a person decides`, GOLD];
      const [, text, thrown] = NOTICES.find(([ask]) => this.view.asks?.includes(ask)) ?? [];
      return [(this.darts && thrown) || (text ?? ""), GOLD];
    },
    winnerName() {
      return this.sides[this.view.winner]?.names.join(" & ") ?? "";
    },
    /** What the slate says at the end, under the score. */
    winText() {
      return `${this.winnerName()} ${this.sides[this.view.winner]?.names.length > 1 ? "win" : "wins"}!`;
    },
  },
};

/** Drawn round the winner's name. */
function ring(x, w) {
  const [l, r] = [x - w / 2 + 6, x + w / 2 - 6];
  return `<path d="M${l + 40} 54C${x - 60} 26 ${r - 20} 28 ${r} 92C${r + 2} 170 ${x + 60} 178 ${x} 176C${l + 50} 176 ${l - 6} 160 ${l} 96C${l + 6} 48 ${x - 40} 36 ${x + 70} 40"
    fill="none" stroke="${GOLD}" stroke-width="7" stroke-linecap="round"/>`;
}

const NOTICES = [
  ["choose", "Discs were moved – shove again, or put them back?"],
  ["give", "An extra to give away"],
  ["place", "The best placed chooses when to play"],
  ["record", "Waiting for the score to be written up"],
  ["retake", "That disc may be taken back"],
  ["clear", "Take the discs off"],
  ["nine", "For the order of play: nearest to bed nine", "For the order of play: nearest the bull"],
];

const DART = `<g transform="rotate(40) scale(1.5)" fill="url(#slate-brass)"><path d="M0-26L-1.2-12H1.2z" fill="#cfd8d2"/><rect x="-2.6" y="-13" width="5.2" height="19" rx="2"/>
  <path d="M0 5V20" stroke="#b07f26" stroke-width="2"/><path d="M0 11L-9 19V26L0 21L9 26V19z" fill="#a3301f" stroke="#5c170d" stroke-width="1"/></g>`;

const DISC = `<radialGradient id="slate-brass" cx=".34" cy=".28" r=".95"><stop offset="0" stop-color="#fff3c4"/><stop offset=".3" stop-color="#e6bb5a"/>
  <stop offset=".75" stop-color="#b07f26"/><stop offset="1" stop-color="#6d4a10"/></radialGradient>
  <g id="tv-dart">${DART}</g><g id="card-dart">${DART}</g><g id="tv-disc"><circle r="20" fill="url(#slate-brass)"/><circle r="15" fill="none" stroke="#7a5616" stroke-opacity=".6" stroke-width="1.2"/></g>
  <g id="card-disc"><circle r="20" fill="url(#slate-brass)"/><circle r="15" fill="none" stroke="#7a5616" stroke-opacity=".6" stroke-width="1.2"/></g>`;

function dot({ x, y }) {
  return `<circle cx="${x}" cy="${y}" r="5" fill="${DUST}"/>`;
}

/** What to do when there is no match yet. Only the machine that serves the pages may start one. */
function firstSteps(mode) {
  if (mode === "card") return ["no match yet – press New match"];
  const here = /^(localhost|127\.|\[::1\]$)/.test(location.hostname);
  const port = location.port && ":" + location.port;
  return ["no match yet – start one at", `http://localhost${port}/play`, ...(here ? [] : ["on the machine that keeps the score"])];
}

function title(mode) {
  const lines = firstSteps(mode).map((text, i) =>
    chalk(text, { x: 600, y: 640 + 86 * i, size: i === 1 ? 56 : 44, anchor: "middle", most: 1000, colour: i === 1 ? WHITE : BLUE }));
  return chalk("Shove Ha'penny", { x: 600, y: 470, size: 120, anchor: "middle", most: 1060, colour: WHITE, weight: 1.3 }) +
    `<path d="M120 530C400 505 820 555 1085 520" fill="none" stroke="${GOLD}" stroke-width="7" stroke-linecap="round"/>` + lines.join("");
}

/** The new marks, as "side-bed-index". */
function freshMarks(before, now) {
  const fresh = new Set();
  (now.sides ?? []).forEach((side, i) => {
    side.marks.forEach((have, b) => {
      for (let k = before.sides?.[i]?.marks[b] ?? have; k < have; k++) fresh.add(`${i}-${b + 1}-${k}`);
    });
  });
  return fresh;
}

/** Slate, its dust, and the wooden frame. */
function ground({ w, h }, mode) {
  const f = mode === "tv" ? 22 : 16;
  return `<defs>
    <radialGradient id="${mode}-stone" cx=".45" cy=".4" r=".85"><stop offset="0" stop-color="#39433f"/><stop offset=".6" stop-color="#2a3230"/><stop offset="1" stop-color="#1a1f1f"/></radialGradient>
    <filter id="${mode}-dust" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency=".0022 .007" numOctaves="5" seed="21"/>
      <feColorMatrix values="0 0 0 0 .9  0 0 0 0 .92  0 0 0 0 .88  0 0 0 .75 -.3"/></filter>
    <filter id="${mode}-pores" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency=".8" numOctaves="2" seed="5"/>
      <feColorMatrix values="0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  0 0 0 .7 -.28"/></filter>
    <linearGradient id="${mode}-frame" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#7b4a2b"/><stop offset=".5" stop-color="#54301a"/><stop offset="1" stop-color="#371d0f"/></linearGradient></defs>
    <rect width="${w}" height="${h}" fill="url(#${mode}-stone)"/>
    <rect width="${w}" height="${h}" filter="url(#${mode}-dust)" opacity=".55"/>
    <rect width="${w}" height="${h}" filter="url(#${mode}-pores)"/>
    <rect x="${f / 2}" y="${f / 2}" width="${w - f}" height="${h - f}" fill="none" stroke="url(#${mode}-frame)" stroke-width="${f}"/>
    <rect x="${f + 1}" y="${f + 1}" width="${w - 2 * f - 2}" height="${h - 2 * f - 2}" fill="none" stroke="#000" stroke-opacity=".55" stroke-width="3"/>`;
}
