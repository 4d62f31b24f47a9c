// The beginning of every script: where it runs at all, and how it calls out.
// The messages are explained where they are read, in answer.go.
const binding = globalThis["BINDING"];
if (!/^https?:$/.test(location.protocol) || typeof binding !== "function") return;

const isTop = window.top === window;
const send = (message) => binding(JSON.stringify(message));
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Between busy and idle a dialog is being answered, or something that may be one.
let working = false;
const busy = () => {
  if (!working) send({ type: "busy" });
  working = true;
};
const idle = () => {
  if (working) send({ type: "idle" });
  working = false;
};
// A frame that goes away with its dialog has no later moment to say so.
window.addEventListener("pagehide", idle);

// Style sheets are adopted rather than inserted: the page's markup stays as it
// was, and its content security policy has no say.
const adopt = (css) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  };
};

const prehide = (selector) => adopt(`${selector} { opacity: 0 !important; pointer-events: none !important; }`);

// Hidden also in the markup, for whoever reads the page without its style.
const conceal = (element) => element.style.setProperty("display", "none", "important");

const isShown = (element) => element.isConnected && element.getClientRects().length > 0;

if (isTop) send({ type: "start", url: location.href.slice(0, 4096) });
