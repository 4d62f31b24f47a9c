// How a dialog is found that no rule knows, and when to look for one.

// What a button says that refuses, as a whole; and what a dialog speaks of
// before such a button is believed to be about cookies.
const refusals = new RegExp(
  "^(" +
    [
      "(reject|decline|refuse|deny|disagree|disallow)( to)?( all)?( optional| non[- ]essential| additional)?( cookies)?( close| and close)?",
      "(reject|decline) (unnecessary|non[- ]necessary)( cookies)?|(i )?(do not|don t) (accept|agree|consent)|continue without (accepting|agreeing|consent)",
      "(use|accept|allow) (only )?(strictly )?(necessary|essential|required)( cookies)?( only)?",
      "only (strictly )?(necessary|essential|required)( cookies)?|(strictly )?(necessary|essential|required)( cookies)? only",
      "(alle |alles )?(cookies )?(ablehnen|verweigern)|nur (notwendige|erforderliche|essenzielle|technisch notwendige)( cookies)?( (akzeptieren|zulassen|erlauben|verwenden))?|ohne (zustimmung|einwilligung) (fortfahren|weiter)",
      "(tout |je )?(refuser?|rejeter)( tout| tous)?( les)?( cookies)?|continuer sans accepter|cookies n[eé]cessaires uniquement",
      "rechazar(las|los)?( tod[ao]s?)?( las)?( cookies)?|(solo|s[oó]lo|únicamente) (las )?(cookies )?(necesarias|esenciales)|continuar sin aceptar|denegar",
      "rifiut[ao]( tutt[oi])?( i)?( cookie)?|(accetta )?solo (i )?(cookie )?(necessari|essenziali|tecnici)|(continua|prosegui) senza accettare|nega",
      "rejeitar( tudo| tod[ao]s)?( os)?( cookies)?|recusar( tod[ao]s)?( os)?( cookies)?|(apenas|somente) (os )?(cookies )?(necess[aá]rios|essenciais)",
      "(alles |alle )?(cookies )?(weigeren|afwijzen)|weiger (alle|alles)( cookies)?|alleen (noodzakelijke?|functionele)( cookies)?",
      "odrzu[cć]( wszystkie)?( cookies)?|nie zgadzam się|tylko niezbędne( cookies)?",
      "(avvisa|neka)( alla)?( cookies| kakor)?|(endast|bara) nödvändiga( cookies| kakor)?",
      "(afvis|avvis|avslå)( alle)?( cookies| informasjonskapsler)?|(kun|bare) nødvendige( cookies)?",
      "(hylkää|kiellä|estä)( kaikki)?( evästeet)?|vain välttämättömät( evästeet)?",
      "odmítnout( vše| všechny?)?|odmietnuť( všetky?| všetko)?|pouze (nezbytné|nutné)( cookies)?|iba nevyhnutné",
      "(az összes )?elutasít(ása|om|ás)?( mind)?|csak a szükséges(ek)?( sütik)?|respinge( tot| toate)?|refuz( toate)?|doar (cele )?necesare",
      "απόρριψη( όλων)?|отклонить( все| всё)?|только необходимые|відхилити( всі| усі)?|tümünü reddet|reddet|sadece gerekli( çerezler)?",
      "(すべて|全て)?(を)?拒否(する)?|必須(クッキー|cookie)?のみ|(全部|全部都|一律)?(拒绝|拒絕)(所有|全部)?( ?cookies?)?|仅(限)?(接受)?必要( ?cookies?)?|(모두 )?거부",
    ].join("|") +
    ")$",
  "u",
);
const subject = /cookie|consent|gdpr|dsgvo|datenschutz|privacy|kakor|evästee|informasjonskapsler|ciasteczk|süti|çerez|クッキー|同意|куки|файл[ыи] cookie|쿠키|confidentialit|privacidad|privacidade/i;

// No links that lead elsewhere: they would leave the page.
const pressable =
  "button, [role=button], input[type=button], input[type=submit], a:not([href]), a[href^='#'], a[href^='javascript:']";

const says = (button) => {
  const text = button.value && button.tagName === "INPUT" ? button.value : button.textContent;
  if (text.length > 120) return "";
  return text.toLowerCase().replace(/[^\p{L}\p{N}\- ]+/gu, " ").replace(/\s+/g, " ").trim();
};

// The part of the page over the rest of it that the element is in, if that
// part is about cookies.
const cookieDialog = (element) => {
  for (let node = element.parentElement; node && node !== document.body; node = node.parentElement) {
    const over = node.matches("dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]") || /fixed|sticky/.test(getComputedStyle(node).position);
    if (over && node.textContent.length < 20000 && subject.test(node.innerText)) return node;
  }
  return null;
};

// A dialog of no known manager that can be refused. Of very many buttons the last
// are looked at: dialogs are mostly added at the end of a page.
const unknownDialog = () => {
  const buttons = document.querySelectorAll(pressable);
  for (const button of [...buttons].slice(-2000)) {
    if (!refusals.test(says(button)) || !isShown(button)) continue;
    const dialog = cookieDialog(button);
    if (dialog) return { button, dialog };
  }
  return null;
};

const until = async (condition, ms) => {
  for (const end = performance.now() + ms; performance.now() < end; await sleep(50)) {
    if (condition()) return true;
  }
  return condition();
};

// A dialog that had to be hidden may have taken the page's scrolling away.
const hideAll = (selector) => {
  document.querySelectorAll(selector).forEach(conceal);
  for (const element of [document.documentElement, document.body]) {
    const style = getComputedStyle(element);
    if (/hidden|clip/.test(style.overflowY)) element.style.setProperty("overflow", "auto", "important");
    if (style.position === "fixed") element.style.setProperty("position", "static", "important");
  }
};

// The frames of Sourcepoint's dialogs, by their addresses.
const sourcepoint = /[?&](message_id|requestUUID|consentUUID)=/;

// Calls look when the page is there and after it has changed, less and less
// often, until it returns true; not for ever, as a dialog comes early or not at
// all.
const keepLooking = async (look) => {
  if (document.readyState === "loading") {
    await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
  }
  let changed = true;
  let wake = () => {};
  const observer = new MutationObserver(() => {
    changed = true;
    wake();
  });
  observer.observe(document, {
    subtree: true, childList: true, attributes: true, attributeFilter: ["class", "style", "open", "hidden"],
  });
  const end = performance.now() + 10000;
  for (let pause = 150; performance.now() < end; pause = Math.min(pause * 1.5, 1000)) {
    changed = false;
    try {
      if (await look()) break;
    } catch {
      idle();
    }
    await sleep(pause);
    if (!changed) await Promise.race([new Promise((resolve) => (wake = resolve)), sleep(end - performance.now())]);
  }
  observer.disconnect();
};

