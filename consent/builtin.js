// How to refuse in the common consent managers. A dialog is known by what shows
// it; a way to refuse is a list of buttons to be pressed one after the other,
// and the first way whose first button is there is taken. " >>> " leads into a
// shadow tree. Where there is no way, or it leads nowhere, the dialog is hidden.
const managers = [
  { // OneTrust
    dialog: "#onetrust-banner-sdk, #onetrust-pc-sdk",
    refuse: [["#onetrust-reject-all-handler"], [".ot-pc-refuse-all-handler"], ["#onetrust-pc-btn-handler", ".ot-pc-refuse-all-handler"]],
    hide: "#onetrust-consent-sdk",
  },
  { // Cookiebot
    dialog: "#CybotCookiebotDialog",
    refuse: [["#CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll"], ["#CybotCookiebotDialogBodyButtonDecline"]],
    hide: "#CybotCookiebotDialog, #CybotCookiebotDialogBodyUnderlay",
  },
  { // Didomi
    dialog: "#didomi-notice, #didomi-popup",
    refuse: [["#didomi-notice-disagree-button"], [".didomi-continue-without-agreeing"], ["#didomi-notice-learn-more-button", ".didomi-consent-popup-actions button:first-of-type"]],
    hide: "#didomi-host",
  },
  { // Quantcast Choice, InMobi
    dialog: "#qc-cmp2-ui",
    refuse: [["#disagree-btn"], [".qc-cmp2-summary-buttons > button[mode=secondary]:nth-of-type(2)"]],
    hide: "#qc-cmp2-container",
  },
  { // TrustArc
    dialog: "#truste-consent-track, .trustarc-banner-container",
    refuse: [["#truste-consent-required"]],
    hide: "#truste-consent-track, .trustarc-banner-container, .truste_overlay, .truste_box_overlay, .truste_popframe",
  },
  { // Usercentrics
    dialog: "#usercentrics-root >>> [data-testid=uc-container], #usercentrics-cmp-ui",
    refuse: [["#usercentrics-root >>> [data-testid=uc-deny-all-button]"], ["#usercentrics-cmp-ui >>> [data-action-type=deny]"], ["#usercentrics-cmp-ui >>> #deny"]],
    hide: "#usercentrics-root, #usercentrics-cmp-ui",
  },
  { // cookie-script
    dialog: "#cookiescript_injected",
    refuse: [["#cookiescript_reject"], ["#cookiescript_manage", "#cookiescript_reject"]],
    hide: "#cookiescript_injected, #cookiescript_injected_wrapper",
  },
  { // Osano
    dialog: ".osano-cm-dialog:not(.osano-cm-dialog--hidden)",
    refuse: [[".osano-cm-denyAll"], [".osano-cm-deny"]],
    hide: ".osano-cm-window",
  },
  { // Sourcepoint, as seen from the page: its frame answers by itself
    dialog: "[id^=sp_message_container_]",
    refuse: [],
    patience: 4000,
    hide: "[id^=sp_message_container_]",
  },
  { // Sourcepoint, within its frame
    frame: true,
    dialog: ".message-container",
    refuse: [[".sp_choice_type_13"], [".sp_choice_type_REJECT_ALL"]],
  },
  { // CookieYes
    dialog: ".cky-consent-container",
    refuse: [[".cky-consent-container [data-cky-tag=reject-button]"], [".cky-btn-customize", ".cky-modal [data-cky-tag=detail-reject-button]"]],
    hide: ".cky-consent-container, .cky-overlay",
  },
  { // Complianz
    dialog: ".cmplz-cookiebanner",
    refuse: [[".cmplz-cookiebanner .cmplz-deny"]],
    hide: ".cmplz-cookiebanner",
  },
  { // Klaro
    dialog: ".klaro .cookie-notice, .klaro .cookie-modal",
    refuse: [[".klaro .cn-decline"], [".klaro .cm-btn-decline"]],
    hide: ".klaro",
  },
  { // iubenda
    dialog: "#iubenda-cs-banner",
    refuse: [[".iubenda-cs-reject-btn"], [".iubenda-cs-customize-btn", ".iub-btn-reject", "#iubFooterBtn"]],
    hide: "#iubenda-cs-banner",
  },
  { // Termly
    dialog: "#termly-code-snippet-support > *",
    refuse: [["[data-tid=banner-decline]"], [".t-preference-button", ".t-declineAllButton"]],
    hide: "#termly-code-snippet-support",
  },
  { // cookieconsent, by Insites
    dialog: ".cc-window:not(.cc-invisible)",
    refuse: [[".cc-window .cc-deny"]],
    hide: ".cc-window",
  },
  { // cookieconsent, by Orest Bida
    dialog: "#cc-main .cm-wrapper, html.show--consent #cm",
    refuse: [["#cc-main .cm__btn[data-role=necessary]"], ["#s-rall-bn"]],
    hide: "#cc-main, #cc--main",
  },
].filter((manager) => isTop || manager.frame);

const queryOne = (selector) =>
  selector.split(" >>> ").reduce((root, part) => root && (root.shadowRoot || root).querySelector(part), document);
const query = (selector) => {
  for (const part of selector.includes(">>>") ? selector.split(", ") : [selector]) {
    const element = queryOne(part);
    if (element) return element;
  }
  return null;
};
const shownDialog = ({ dialog }) => {
  if (dialog.includes(">>>")) return [query(dialog)].find((element) => element && isShown(element));
  return [...document.querySelectorAll(dialog)].find(isShown);
};

// Buttons may be there before anything listens to them: press again if the
// dialog does not go.
const insist = async (press, gone) => {
  for (let i = 0; i < 3; i++) {
    await press();
    if (await until(gone, 700)) return true;
  }
  return false;
};

const press = async (way) => {
  for (const selector of way) {
    if (!(await until(() => query(selector), 1500))) return;
    query(selector).click();
  }
};

const refuse = async (manager) => {
  const gone = () => !shownDialog(manager);
  const findWay = () => manager.refuse.find(([first]) => query(first));
  await until(() => findWay() || gone(), manager.patience || 500);
  const way = findWay();
  if (gone() || (way && (await insist(() => press(way), gone))) || !manager.hide) return;
  hideAll(manager.hide);
};

let answers = 0;
const look = async () => {
  const manager = managers.find(shownDialog);
  const unknown = !manager && isTop && unknownDialog();
  if (!manager && !unknown) return false;
  busy();
  if (manager) await refuse(manager);
  else await insist(() => unknown.button.click(), () => !isShown(unknown.dialog));
  idle();
  // A second dialog may follow the first; a page that makes ever more is left alone.
  return ++answers === 3;
};

if (isTop) {
  const reveal = prehide(managers.map(({ hide }) => hide).filter(Boolean).join(", "));
  keepLooking(look).then(reveal);
} else if (sourcepoint.test(location.search)) {
  keepLooking(look);
}
