// A dartboard to tap: every field is a button for what was hit. Its rings are wider than real ones, for fingers.

const ORDER = [20, 1, 18, 4, 13, 6, 10, 15, 2, 17, 3, 19, 7, 16, 8, 11, 14, 9, 12, 5];
const BULL = 13;
const OUTER = 29;
const TREBLE = [92, 114];
const DOUBLE = [152, 176];
const NUMBERS = 196;
const CREAM = "#e2cfa2";
const BLACK = "#211a16";
const RED = "#a3301f";
const GREEN = "#2c6a45";

export default {
  template: `
    <div class="darts">
      <svg viewBox="-250 -222 500 500" :class="{ ready }" role="group" aria-label="Dartboard: tap what was hit">
        <g v-html="still"></g>
        <path v-for="f in fields" :key="f.hit" :d="f.d" :fill="f.colour" :data-hit="f.hit" :aria-label="f.name" role="button"
              class="field" :class="{ hit: f.hit === last }" @click="tap(f.hit)"><title>{{ f.name }}</title></path>
        <circle v-for="f in bulls" :key="f.hit" :r="f.r" :fill="f.colour" :data-hit="f.hit" :aria-label="f.name" role="button"
                class="field" :class="{ hit: f.hit === last }" @click="tap(f.hit)"><title>{{ f.name }}</title></circle>
        <text v-for="n in numbers" :key="n.text" :x="n.x" :y="n.y" :class="['number', { counts: n.counts }]">{{ n.text }}</text>
        <g class="field missed" role="button" aria-label="Miss" data-hit="miss" @click="tap('miss')">
          <rect x="-245" y="228" width="104" height="42" rx="8"/><text x="-193" y="255">Miss</text>
        </g>
        <text x="-122" y="255" class="word">{{ why || word }}</text>
      </svg>
    </div>`,
  props: {
    ready: { type: Boolean, default: false }, // whether a dart may be entered now
    why: { type: String, default: "" }, // why not, if not
    word: { type: String, default: "" }, // who throws
  },
  emits: ["dart"],
  data() {
    return { last: "" };
  },
  computed: {
    still: () => still(),
    fields: () => ORDER.flatMap((number, i) => sector(number, i)),
    bulls: () => [
      { hit: "outer", name: "Outer bull", r: OUTER, colour: GREEN },
      { hit: "bull", name: "Bull", r: BULL, colour: RED },
    ],
    numbers: () =>
      ORDER.map((n, i) => {
        const [x, y] = at(NUMBERS, i * 18);
        return { text: n, x, y: y + 8, counts: n <= 9 };
      }),
  },
  methods: {
    tap(hit) {
      if (!this.ready) return;
      this.last = hit;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => (this.last = ""), 700);
      this.$emit("dart", hit);
    },
  },
  beforeUnmount() {
    clearTimeout(this.timer);
  },
};

/** A point at a radius, degrees clockwise from the top. */
function at(radius, degrees) {
  const a = ((degrees - 90) * Math.PI) / 180;
  return [radius * Math.cos(a), radius * Math.sin(a)].map((v) => Number(v.toFixed(2)));
}

/** A piece of a ring, 18 degrees wide. */
function piece(inner, outer, middle) {
  const [a, b, c, d] = [at(inner, middle - 9), at(outer, middle - 9), at(outer, middle + 9), at(inner, middle + 9)];
  return `M${a}L${b}A${outer} ${outer} 0 0 1 ${c}L${d}A${inner} ${inner} 0 0 0 ${a}z`;
}

/** The four fields of a number. */
function sector(number, i) {
  const [plain, ring] = i % 2 ? [CREAM, GREEN] : [BLACK, RED];
  const single = { hit: `${number}`, name: `${number}`, colour: plain };
  return [
    { ...single, d: piece(OUTER, TREBLE[0], i * 18) + piece(TREBLE[1], DOUBLE[0], i * 18) },
    { hit: `T${number}`, name: `Treble ${number}`, colour: ring, d: piece(...TREBLE, i * 18) },
    { hit: `D${number}`, name: `Double ${number}`, colour: ring, d: piece(...DOUBLE, i * 18) },
  ];
}

/** The wood it hangs on, and the black surround. */
function still() {
  return `<defs><radialGradient id="darts-lamp" cx=".45" cy=".35" r=".8"><stop offset="0" stop-color="#6f3421"/><stop offset="1" stop-color="#3a190e"/></radialGradient></defs>
    <rect x="-250" y="-222" width="500" height="444" fill="url(#darts-lamp)"/>
    <circle cy="4" r="215" fill="#000" opacity=".45"/>
    <circle r="213" fill="#15110f" stroke="#2e2621" stroke-width="3"/>
    <rect x="-250" y="222" width="500" height="56" fill="#17110e"/>`;
}
