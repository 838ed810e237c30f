// The board from above, in millimetres: wood, lines, pegs, discs. It only shows: hand.js aims, the board scores.
import { chalk } from "chalk";

const WIDTH = 368.3;
const LENGTH = 610;
const FIRST = 101.6;
const PITCH = 31.75;
const SIDE = 31.75;
const RADIUS = 12.7;
const RIM = 13; // frame shown round the board
const FAR = FIRST + 9 * PITCH;

const y = (mm) => LENGTH - mm; // the shover stands below

export default {
  template: `
    <div class="board" :style="{ aspectRatio: size.w + '/' + size.h }">
      <svg class="board-still" :viewBox="box" v-html="still"></svg>
      <svg class="board-pegs" :viewBox="box">
        <g v-for="p in pegs" :key="p.key" :transform="'translate(' + p.x + ' ' + p.y + ')'">
          <circle :r="p.r" :fill="p.colour" :class="['peg', { lit: p.lit }]"/>
          <circle :r="p.r * 2.6" :fill="p.glow" fill-opacity=".13"/><circle :r="p.r * 1.7" :fill="p.glow" fill-opacity=".28"/>
          <circle :r="p.r * .55" :fill="p.lit ? '#fff' : 'none'" fill-opacity=".75"/>
        </g>
      </svg>
      <svg class="board-moving" :viewBox="box">
        <g v-html="defs"></g>
        <g v-for="(d, i) in shown" :key="i" :transform="'translate(' + d[0] + ' ' + (610 - d[1]) + ')'">
          <ellipse cx="1.6" cy="2.4" rx="13" ry="12.9" fill="#000" opacity=".38"/>
          <use href="#disc"/>
        </g>
        <g v-for="(t, i) in tagged" :key="'t' + i" :class="['tag', t.kind]" :transform="'translate(' + t.x + ' ' + (610 - t.y) + ')'">
          <circle v-if="t.last && !t.asked" r="15.4" class="ring"/>
          <circle v-if="t.asked" r="17" class="asked"/>
          <circle v-if="t.mirror" :cy="-t.mirror" r="12.7" class="image"/>
          <circle v-if="t.kind === 'goes'" r="12.7" class="goes"/>
          <text class="call" y="4.6">{{ t.text }}</text>
          <title v-if="t.why">{{ t.why }}</title>
        </g>
        <g v-for="(t, i) in numbered" :key="'n' + i" class="number" :transform="'translate(' + (t.x - 12.5) + ' ' + (610 - t.y - 11.5) + ')'">
          <circle r="7.6"/><text y="3.9">{{ t.number }}</text>
        </g>
        <text v-if="replay" x="184" y="36" class="again">again</text>
      </svg>
      <slot></slot>
    </div>`,
  props: {
    discs: { type: Array, default: () => [] }, // [x, y] in mm, as they lie
    tags: { type: Array, default: () => [] }, // {x, y, text, kind, number, last, asked, why, mirror}: what is written on each; see board.py
    pixels: { type: Array, default: () => [] }, // [r, g, b] of every peg LED, in the order of the chain, at first
    apron: { type: Number, default: 0 }, // room in front of the board, for the hand
  },
  data() {
    return { lit: null, live: null, replay: null, frame: 0 };
  },
  computed: {
    size() {
      return { w: WIDTH + 2 * RIM, h: LENGTH + 2 * RIM + this.apron };
    },
    box() {
      return `${-RIM} ${-RIM} ${this.size.w} ${this.size.h}`;
    },
    shown() {
      return this.replay ?? this.live ?? this.discs;
    },
    tagged() {
      return this.replay || this.live ? [] : this.tags;
    },
    numbered() {
      return this.tagged.filter((tag) => tag.number);
    },
    /** When pegs blink only colours change. No element comes or goes, so the browser has little to do. */
    pegs() {
      return pegPlaces().map((p, i) => {
        const [r, g, b] = (this.lit ?? this.pixels)[i] ?? [0, 0, 0];
        const most = Math.max(r, g, b);
        const k = most ? 255 / most : 0; // even a dimmed LED looks bright when it is lit
        const lit = most > 2;
        const colour = `rgb(${r * k},${g * k},${b * k})`;
        return { ...p, key: i, lit, colour: lit ? colour : "#2a1a12", glow: lit ? colour : "none" };
      });
    },
    defs: () => defs(),
    still() {
      return still(this.apron);
    },
  },
  watch: {
    discs() {
      this.live = null;
    },
  },
  methods: {
    /** Discs on the move. Shown until `discs` changes, or `rest` is called. */
    move(discs) {
      this.stop();
      this.live = discs;
    },
    rest() {
      this.live = null;
    },
    /** The peg LEDs as they are now. */
    light(pixels) {
      this.lit = pixels;
    },
    /** End a replay. */
    stop() {
      cancelAnimationFrame(this.frame);
      clearTimeout(this.last);
      this.replay = null;
    },
    /** Plays frames [[seconds, [[x, y], ...]], ...] and then shows the discs as they lie again. */
    play(frames, speed = 1) {
      this.stop();
      if (!frames.length) return;
      const begin = performance.now();
      const start = frames[0][0];
      const step = (now) => {
        const t = start + ((now - begin) / 1000) * speed;
        let i = frames.findIndex(([s]) => s > t);
        if (i < 0) {
          this.replay = frames[frames.length - 1][1];
          this.last = setTimeout(() => this.stop(), 700);
          return;
        }
        this.replay = between(frames[Math.max(0, i - 1)], frames[i], t);
        this.frame = requestAnimationFrame(step);
      };
      this.frame = requestAnimationFrame(step);
    },
  },
  beforeUnmount() {
    this.stop();
  },
};

/** The discs between two frames. */
function between([s, from], [e, to], t) {
  if (from.length !== to.length || e <= s) return to;
  const k = Math.min(1, Math.max(0, (t - s) / (e - s)));
  return to.map(([x, y], i) => [from[i][0] + (x - from[i][0]) * k, from[i][1] + (y - from[i][1]) * k]);
}

/** Where the peg LEDs sit: a strip along each side, nine beds of three from bed 1, then five status pixels. */
function pegPlaces() {
  const places = [];
  for (const side of [0, 1]) {
    const middle = side === 0 ? WIDTH - SIDE / 2 - 1.5 : SIDE / 2 + 1.5; // the first player's is on the right
    for (let bed = 0; bed < 9; bed++)
      for (let k = 0; k < 3; k++)
        places.push({ x: middle + (k - 1) * 8.2 * (side === 0 ? 1 : -1), y: y(FIRST + (bed + 0.5) * PITCH), r: 2.3 });
    for (let k = 0; k < 5; k++) places.push({ x: middle, y: y(FAR + 24 + k * 13), r: 2.9 });
  }
  return places;
}

function defs() {
  const beads = Array.from({ length: 36 }, (_, i) => {
    const a = (i * Math.PI) / 18;
    return `<circle cx="${(Math.cos(a) * 11).toFixed(2)}" cy="${(Math.sin(a) * 11).toFixed(2)}" r=".42"/>`;
  }).join("");
  return `<defs>
    <radialGradient id="brass" cx=".34" cy=".28" r=".95">
      <stop offset="0" stop-color="#fff3c4"/><stop offset=".28" stop-color="#e6bb5a"/>
      <stop offset=".7" stop-color="#b58528"/><stop offset="1" stop-color="#6d4a10"/>
    </radialGradient>
    <linearGradient id="rim" x1="0" y1="0" x2="1" y2="1">
      <stop offset="0" stop-color="#ffe9a8"/><stop offset=".5" stop-color="#9c7022"/><stop offset="1" stop-color="#5b3d0c"/>
    </linearGradient>
    <g id="disc">
      <circle r="12.7" fill="url(#brass)"/>
      <circle r="12.1" fill="none" stroke="url(#rim)" stroke-width="1.1"/>
      <g fill="#7a5616" opacity=".55">${beads}</g>
      <circle r="9.4" fill="none" stroke="#7a5616" stroke-opacity=".45" stroke-width=".45"/>
      <g fill="none" stroke="#6d4a10" stroke-opacity=".6" stroke-width=".7" stroke-linecap="round" stroke-linejoin="round">
        <path d="M-5.6 3.6h11.2l-1.6 2.4h-8zM0 3.4V-6.4M.5-6c3.6 1.4 4.6 4.6 4.4 8.2-1.4-.8-3-.9-4.4-.6M-.6-4.6c-2.6 1.6-3.8 4-3.8 6.6 1.2-.6 2.5-.7 3.8-.4"/>
      </g>
      <path d="M-8.6-6.8A11 11 0 0 1 3.4-10.6" fill="none" stroke="#fff" stroke-opacity=".5" stroke-width="1" stroke-linecap="round"/>
    </g></defs>`;
}

/** All that never moves: frame, wood, grooves, numbers. */
function still(apron) {
  const grooves = Array.from({ length: 10 }, (_, i) => groove(0, y(FIRST + i * PITCH), WIDTH, y(FIRST + i * PITCH), 0.8));
  const sides = [SIDE, WIDTH - SIDE].map((x) => groove(x, 0, x, LENGTH, 0.8));
  const numbers = Array.from({ length: 9 }, (_, i) =>
    chalk(i + 1, { x: WIDTH / 2, y: y(FIRST + i * PITCH + 10.9), size: 10, anchor: "middle", colour: "#f0d49a", weight: 0.95 }),
  );
  return `<defs>
      <linearGradient id="wood" x1="0" x2="1"><stop offset="0" stop-color="#5c2415"/><stop offset=".2" stop-color="#7a351f"/>
        <stop offset=".55" stop-color="#874026"/><stop offset=".85" stop-color="#70301c"/><stop offset="1" stop-color="#541f12"/></linearGradient>
      <linearGradient id="frame" x1="0" x2="1" y2=".3"><stop offset="0" stop-color="#2c130b"/><stop offset=".5" stop-color="#4a2214"/><stop offset="1" stop-color="#241008"/></linearGradient>
      <filter id="grain" x="0" y="0" width="100%" height="100%" color-interpolation-filters="sRGB">
        <feTurbulence type="fractalNoise" baseFrequency=".055 .0032" numOctaves="5" seed="14"/>
        <feColorMatrix values="0 0 0 0 .13  0 0 0 0 .035  0 0 0 0 .015  0 0 0 2.9 -1.38"/>
      </filter>
      <filter id="sheen" x="0" y="0" width="100%" height="100%" color-interpolation-filters="sRGB">
        <feTurbulence type="fractalNoise" baseFrequency=".09 .004" numOctaves="3" seed="3"/>
        <feColorMatrix values="0 0 0 0 .86  0 0 0 0 .42  0 0 0 0 .22  0 0 0 1.6 -.72"/>
      </filter>
      <filter id="pores" x="0" y="0" width="100%" height="100%" color-interpolation-filters="sRGB">
        <feTurbulence type="fractalNoise" baseFrequency=".9 .035" numOctaves="2" seed="8"/>
        <feColorMatrix values="0 0 0 0 .08  0 0 0 0 .02  0 0 0 0 .01  0 0 0 3 -1.75"/>
      </filter>
      <radialGradient id="lamp" cx=".5" cy=".36" r=".75"><stop offset="0" stop-color="#ffdca8" stop-opacity=".3"/>
        <stop offset=".55" stop-color="#ffdca8" stop-opacity=".06"/><stop offset="1" stop-color="#000" stop-opacity=".34"/></radialGradient>
      <linearGradient id="edge" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-color="#8d4a32"/><stop offset="1" stop-color="#2a110a"/></linearGradient>
    </defs>
    <path d="M${-RIM} ${-RIM}h${WIDTH + 2 * RIM}v${LENGTH + RIM}h${-(WIDTH + 2 * RIM)}z" fill="url(#frame)"/>
    <path d="M${-RIM + 2} ${-RIM + 2}h${WIDTH + 2 * RIM - 4}v${LENGTH + RIM - 2}" fill="none" stroke="#a0674a" stroke-opacity=".35" stroke-width="1"/>
    <rect width="${WIDTH}" height="${LENGTH}" fill="url(#wood)"/>
    <rect width="${WIDTH}" height="${LENGTH}" filter="url(#grain)"/>
    <rect width="${WIDTH}" height="${LENGTH}" filter="url(#sheen)" opacity=".55"/>
    <rect width="${WIDTH}" height="${LENGTH}" filter="url(#pores)" opacity=".6"/>
    <rect x="0" y="${y(FAR)}" width="${SIDE}" height="${FAR - FIRST}" fill="#000" opacity=".2"/>
    <rect x="${WIDTH - SIDE}" y="${y(FAR)}" width="${SIDE}" height="${FAR - FIRST}" fill="#000" opacity=".2"/>
    ${grooves.join("")}${sides.join("")}
    <g>${numbers.join("")}</g>
    <rect width="${WIDTH}" height="${LENGTH}" fill="url(#lamp)"/>
    <rect x="${-RIM}" y="${LENGTH}" width="${WIDTH + 2 * RIM}" height="5" fill="url(#edge)"/>
    ${apron ? `<rect x="${-RIM}" y="${LENGTH + 5}" width="${WIDTH + 2 * RIM}" height="${apron + RIM - 5}" fill="#17110e"/>` : ""}`;
}

/** A groove cut into the wood and inlaid with brass: dark on one lip, bright on the other. */
function groove(x1, y1, x2, y2, width) {
  const line = (dx, dy, colour, w, o) =>
    `<line x1="${x1 + dx}" y1="${y1 + dy}" x2="${x2 + dx}" y2="${y2 + dy}" stroke="${colour}" stroke-width="${w}" stroke-opacity="${o}"/>`;
  return line(-0.5, -0.5, "#1b0803", 0.7, 0.9) + line(0, 0, "#d9b263", width, 0.95) + line(0.5, 0.5, "#ffdda0", 0.35, 0.35);
}
