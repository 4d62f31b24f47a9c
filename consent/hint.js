// The library and its rules are large, and most documents have no dialog: they
// are called for where something hints at one. These are the marks by which the
// rules know theirs; some marks of managers that are part of the library's code
// are added. Rules for single sites come unasked, with the start.
const marks = isTop
  ? [
      ...MARKS,
      "#onetrust-banner-sdk, #onetrust-pc-sdk", "#CybotCookiebotDialog", ".klaro", "#cmpbox, #cmpbox2", ".cmp-root",
      "#truste-show-consent, #truste-consent-track", "#_evidon_banner", ".unic", "tiktok-cookie-banner",
      "#cmp-app-container", "div[class*=Card] > div[class*=Frame] button[class*=Pills__]",
    ]
  : FRAMEMARKS;

const isMarked = (mark) => {
  try {
    return document.querySelector(mark) !== null;
  } catch {
    return false;
  }
};

// Sourcepoint's dialog is a frame that answers by itself, unless it is in another
// process where no script reaches it.
const frameDialog = "[id^=sp_message_container_]";
let frameSeen = false;
const outlast = async () => {
  frameSeen = true;
  busy();
  const gone = () => ![...document.querySelectorAll(frameDialog)].some(isShown);
  if (!(await until(gone, 3000))) hideAll(frameDialog);
  idle();
};

const look = () => {
  if (isTop && !frameSeen && isMarked(frameDialog)) outlast();
  if (globalThis.consentTools.used) return true;
  if (!marks.some(isMarked) && !(isTop ? unknownDialog() : sourcepoint.test(location.search))) return false;
  busy();
  send({ type: "load", url: location.href.slice(0, 4096), frame: !isTop });
  return true;
};

const reveal = isTop ? prehide(PREHIDE) : () => {};
// What follows, or the end of patience, shows again what is none of the rules' business.
setTimeout(reveal, 2000);
globalThis.consentTools = { used: false, isTop, send, sleep, busy, idle, adopt, prehide, conceal, isShown, reveal };
keepLooking(look);
