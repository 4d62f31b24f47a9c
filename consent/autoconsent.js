const tools = globalThis.consentTools;
if (!tools || tools.used) return;
tools.used = true;
tools.busy();
const { isTop, send, sleep, busy, idle, adopt, prehide, conceal, isShown } = tools;

const library = (() => {
  const module = { exports: {} };
  BUNDLE
  return module.exports;
})();

// Questions to the page's own world are gathered for a moment and asked
// together. The rules ask them in the top frame only.
let questions = [];
globalThis.consentReply = (ids, bits) => {
  ids.forEach((id, i) => consent.receiveMessageCallback({ type: "evalResp", id, result: (bits & (1 << i)) !== 0 }));
};
const ask = ({ id, code }) => {
  if (!isTop) {
    setTimeout(() => globalThis.consentReply([id], 0));
    return;
  }
  questions.push({ id, code });
  if (questions.length > 1) return;
  setTimeout(() => {
    const all = questions;
    questions = [];
    for (let i = 0; i < all.length; i += QUESTIONS) send({ type: "ask", questions: all.slice(i, i + QUESTIONS) });
  });
};

// A dialog is answered when it is gone from the screen, which may take a
// fading. What was found by its looks is looked at, the rest asked again.
const closed = async () => {
  const cmp = consent.foundCmp;
  const shown = async () => (cmp.popups ? cmp.popups.some((popup) => isShown(popup.element)) : cmp.detectPopup());
  for (let i = 0; i < 20 && (await shown().catch(() => false)); i++) await sleep(50);
};

let detected = false;
let answering = false;
const consent = new library.default(async (message) => {
  if (message.type === "eval") ask(message);
  if (message.type === "cmpDetected") detected = true;
  if (message.type !== "popupFound") return;
  answering = true;
  busy();
});

const optOut = consent.doOptOut.bind(consent);
consent.doOptOut = async () => {
  const result = await optOut().catch(() => false);
  await Promise.race([closed(), sleep(1000)]);
  idle();
  return result;
};

// The library calls this at the end of every look. Where a consent manager is
// there, a moment is left for its dialog to be seen.
consent.detectHeuristics = () => {
  if (!detected) idle();
  else if (!answering) setTimeout(() => answering || idle(), 300);
};
// Every other look includes one by heuristics; the first one shall.
consent.state.findCmpAttempts = 1;

const actions = consent.domActions;
let undoPrehide = () => {};
actions.prehide = (selector) => {
  undoPrehide();
  undoPrehide = prehide(selector);
  return selector.length > 0;
};
actions.undoPrehide = () => undoPrehide();
actions.hide = (selector, method) => {
  if (method === "opacity") {
    prehide(selector);
  } else {
    adopt(`${selector} { display: none !important; }`);
    document.querySelectorAll(selector).forEach(conceal);
  }
  return selector.length > 0;
};

consent.initialize(
  { autoAction: "optOut", enablePrehide: true, enableCosmeticRules: true, heuristicMode: "reject", logs: {} },
  { autoconsent: [], compact: RULES },
);
tools.reveal();
