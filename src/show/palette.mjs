/* palette.mjs -- the colours of pictures, reports and the playground, for light and dark grounds.
 *
 * The playground imports it; for the program scripts/palette makes C and CSS of it, to which the
 * part after `export default` is JSON.
 *
 * Classes wear the colours of Okabe and Ito (2008), told apart by people with any common kind of
 * colour blindness, and also differ by shape; yellow and black are darker or lighter where they
 * would vanish in the ground. Marks and lines reach a contrast of 3:1 with the ground and texts
 * 4.5:1: tests/report.py and tests/web/views.test.js check it. */
export default {
  "light": {
    "ground": "#ffffff",
    "card": "#f6f7f9",
    "line": "#dde1e6",
    "text": "#1d2329",
    "soft": "#57606a",
    "caption": "#333333",
    "link": "#0a5c99",
    "accent": "#0072b2",
    "on-accent": "#ffffff",
    "good": "#00684c",
    "warn": "#8a4b00",
    "ink": "#222222",
    "faint": "#8a8a8a",
    "alert": "#b8004e",
    "grid": "#e4e4e4",
    "witness": "#6b3fa0",
    "imported": "#00707a",
    "lit": "#f0b400",
    "class": [
      "#0072b2",
      "#d55e00",
      "#009e73",
      "#c0629a",
      "#b87d00",
      "#2f8fd0",
      "#666666",
      "#8f8500"
    ]
  },
  "dark": {
    "ground": "#16191c",
    "card": "#1f2428",
    "line": "#363d44",
    "text": "#e4e7ea",
    "soft": "#a3adb6",
    "caption": "#dcdfe2",
    "link": "#7cc0f2",
    "accent": "#4ba3e3",
    "on-accent": "#0b1116",
    "good": "#4cd3a5",
    "warn": "#f2b45e",
    "ink": "#eeeeee",
    "faint": "#8f969c",
    "alert": "#ff7eb0",
    "grid": "#33383d",
    "witness": "#c6a4ff",
    "imported": "#5cd6e0",
    "lit": "#ffd34d",
    "class": [
      "#4ba3e3",
      "#f0803c",
      "#1fbf92",
      "#e29ac6",
      "#e69f00",
      "#9bd8f9",
      "#aaaaaa",
      "#f0e442"
    ]
  }
};
