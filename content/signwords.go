package content

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// noteScript counts a script that browsers run.
func (s *survey) noteScript(n *dom.Node) {
	if !runs(n) {
		return
	}
	if s.scripts < len(s.code) {
		s.code[s.scripts] = n
	}
	s.scripts++
}

// runs reports whether browsers run a script: it has something to run, and its
// type is none of the many for data and templates.
func runs(n *dom.Node) bool {
	kind, _, _ := strings.Cut(strings.ToLower(n.Get("type")), ";")
	switch strings.TrimSpace(kind) {
	case "", "module", "text/javascript", "application/javascript", "application/x-javascript", "text/ecmascript", "application/ecmascript", "text/babel":
	default:
		return false
	}
	return n.Get("src") != "" || strings.TrimSpace(codeOf(n)) != ""
}

// codeOf returns the start of what an inline script consists of.
func codeOf(n *dom.Node) string { return n.InnerText(maxSignScript) }

// anyCode reports whether one of the first scripts of the page is as asked for.
func (s *survey) anyCode(is func(src, code string) bool) bool {
	for _, n := range s.code[:min(s.scripts, len(s.code))] {
		if is(n.Get("src"), codeOf(n)) {
			return true
		}
	}
	return false
}

// onlyCounts reports whether all scripts are there to count and measure.
func (s *survey) onlyCounts() bool {
	return !s.anyCode(func(src, code string) bool {
		if src != "" {
			return !hasWord(src, "googletagmanager", "analytics", "gtag", "matomo", "piwik", "hotjar", "clarity.ms", "plausible",
				"cloudflareinsights", "beacon", "pixel", "stats", "metrika")
		}
		return !containsAny(code, "gtag(", "dataLayer", "_gaq", "GoogleAnalyticsObject", "_paq", "fbq(", "clarity", "hjid", "ym(", "__CF$cv$params", "_hmt")
	})
}

// writes reports whether a script writes markup into the page where it stands,
// and not just another script.
func (s *survey) writes() bool {
	return s.anyCode(func(_, code string) bool {
		for {
			_, rest, ok := strings.Cut(code, "document.write")
			if !ok {
				return false
			}
			if writesMarkup(chars.Truncate(rest, 200)) {
				return true
			}
			code = rest
		}
	})
}

// writesMarkup reports whether a call begins with markup for readers.
func writesMarkup(call string) bool {
	_, tag, ok := strings.Cut(call, "<")
	return ok && tag != "" && chars.IsLetter(tag[0]) && !chars.HasPrefixFold(tag, "scr") && !chars.HasPrefixFold(tag, "img") &&
		!chars.HasPrefixFold(tag, "link") && !chars.HasPrefixFold(tag, "a ")
}

// movesOn reports whether a script does nothing but lead to another page.
func (s *survey) movesOn() bool {
	return s.anyCode(func(src, code string) bool {
		code = strings.TrimSpace(code)
		if src != "" || len(code) > 400 || containsAny(code, "function", "=>", "if", "top.", "parent.") {
			return false
		}
		return containsAny(strings.ReplaceAll(code, " ", ""), "location.replace(", "location.assign(", "location.href=", "location=")
	})
}

func containsAny(s string, subs ...string) bool {
	for _, sub := range subs {
		if strings.Contains(s, sub) {
			return true
		}
	}
	return false
}

// isWait reports whether a text does nothing but ask for patience.
func isWait(text string) bool {
	if len(text) > 60 {
		return false
	}
	switch c := text[0]; {
	case c >= utf8.RuneSelf:
	case strings.IndexByte("lpwcaryLPWCARY", c) >= 0:
	default:
		return false
	}
	start := strings.TrimRight(text, ".…。 ")
	open := start != text
	for _, words := range []string{"loading", "please wait", "wird geladen", "lädt", "lade", "laden", "chargement", "cargando", "carregando",
		"a carregar", "caricamento", "laddar", "ładowanie", "yükleniyor", "загрузка", "読み込み中", "加载中", "载入中", "載入中", "正在加载", "正在載入", "로딩 중",
		"redirecting", "weiterleitung", "redirection", "redirigiendo"} {
		if len(start) >= len(words) && strings.EqualFold(start[:len(words)], words) {
			rest := start[len(words):]
			return rest == "" || open && rest[0] == ' ' // "Loading the results…", but not "Loading docks"
		}
	}
	return false
}

// isUnfilled reports whether a text is a template that a script has yet to fill.
func isUnfilled(text string) bool {
	_, rest, ok := strings.Cut(text, "{{")
	return ok && strings.Contains(rest, "}}")
}

// scriptPhrases are how pages ask for JavaScript to be turned on, in words that
// hardly stand where a page is about JavaScript. Those that begin with a space
// begin words of other languages.
var scriptPhrases = [...]string{"enable javascript", "enable js", "javascript enabled", "javascript to be enabled", "javascript is disabled", "javascript is required",
	"javascript is not available", "javascript is not enabled", "javascript required", "javascript disabled", "turn on javascript", "turn javascript on", "activate javascript",
	"javascript to run this", "requires javascript.", "requires javascript to", "needs javascript to", "javascript must be", "support javascript", "javascript and cookies",
	" aktivier", " deaktiviert", " activer", " activez", " désactivé", " habilit", " desactivado", " ative ", " ativar", " desativado", " abilita", " attiva", " disabilitato",
	" schakel", " inschakel", " uitgeschakeld", " aktivera", " włącz", " wyłącz", " etkin", " включ", " отключ", "有効に", "無効", "启用", "啟用", "开启", "開啟", "禁用", "활성화"}

// noscriptStems are enough where a noscript element speaks of JavaScript.
var noscriptStems = [...]string{"enabl", "turn", "disabl", "requir", "need", "without", "support", "activ", "necesit", "nécess", "necessit", "requer", "requier", "richie",
	"benötigt", "erforderlich", "nodig", "требу", "必要", "需要", "打开", "필요"}

// noscriptAsks reports whether a noscript element asks for JavaScript, for more
// than comments, or leads elsewhere.
func noscriptAsks(n *dom.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Is(atom.Meta) && isRefresh(c) {
			return true
		}
	}
	text := " " + strings.ToLower(n.ShortText(1000))
	if !strings.Contains(text, "javascript") && !strings.Contains(text, "enable js") {
		return false
	}
	return (containsAny(text, scriptPhrases[:]...) || containsAny(text, noscriptStems[:]...)) && !containsAny(text, "comment", "kommentar", "disqus", "коммент", "评论", "コメント")
}

// asksForScript reports whether a visible text asks for JavaScript.
func asksForScript(text string) bool {
	if len(text) > 600 || !chars.ContainsFold(text, "javascript") && !chars.ContainsFold(text, "enable js") {
		return false
	}
	return containsAny(" "+strings.ToLower(text), scriptPhrases[:]...)
}

// isRefresh reports whether a meta element leads to another page.
func isRefresh(n *dom.Node) bool {
	return strings.EqualFold(n.Get("http-equiv"), "refresh") && chars.ContainsFold(n.Get("content"), "url")
}

// noteBarrier notes the elements by which challenges are known.
func (s *survey) noteBarrier(n *dom.Node, l *look) {
	switch {
	case n.Is(atom.Iframe):
		src := n.Get("src")
		s.barrier = s.barrier || containsAny(src, "captcha-delivery.com", "/_Incapsula_Resource")
	case n.Is(atom.Meta):
		s.barrier = s.barrier || strings.Contains(n.Get("content"), "bm-verify")
	case n.Is(atom.Div), n.Is(atom.Form), n.Is(atom.Section):
		if l.id == "px-captcha" || l.id == "sec-if-cpt-container" || strings.HasPrefix(l.id, "cf-chl") {
			s.barrier = true
		}
		if n.HasClass("cf-turnstile", "h-captcha", "g-recaptcha") && n.Get("data-size") != "invisible" {
			s.captcha++
		}
	}
}

// isChallenge reports whether the page is one that keeps robots out. Sites that
// are guarded have scripts of their guards on all pages: only what stands on the
// challenge itself counts, and only where there is little else.
func (s *survey) isChallenge(title *dom.Node, failed bool) bool {
	if s.seen() >= littleBarred {
		return false
	}
	switch {
	case s.barrier, s.captcha > 0 && s.fields+s.mounts == 0 && s.prose+s.labels < littleProse:
		return true
	case (failed || s.scripts > 0) && title != nil && isChallengeTitle(title.ShortText(200)):
		return true
	case s.saysBarred():
		return true
	}
	blank := s.seen() == 0 && s.mounts == 0
	return s.anyCode(func(src, code string) bool {
		if src != "" {
			return containsAny(src, "captcha-delivery.com", "/.well-known/ddos-guard/", "/_sec/cp_challenge/", "/.within.website/x/cmd/anubis") ||
				blank && containsAny(src, "/_Incapsula_Resource", ".awswaf.com/", "/TSPD/", "/ips.js")
		}
		return containsAny(code, "_cf_chl_opt", "px-captcha", "gokuProps", "awsWafCookieDomainList", "sucuri_cloudproxy_js", "captcha-delivery.com", "bm-verify") ||
			blank && strings.Contains(code, "KPSDK")
	})
}

// patientTitles are the titles of challenges that ask for patience, which end in
// dots; challengeTitles begin those of others.
var (
	patientTitles = [...]string{"just a moment", "nur einen moment", "un instant", "un momento", "um momento", "een moment geduld", "请稍候", "請稍候", "しばらくお待ちください",
		"один момент", "잠시만 기다리십시오"}
	challengeTitles = [...]string{"attention required! | cloudflare", "checking your browser", "ddos-guard", "ddos protection by", "pardon our interruption",
		"vercel security checkpoint", "making sure you're not a bot", "robot or human?", "are you a robot?", "human verification", "verify you are human",
		"verifying you are human", "bot verification", "access to this page has been denied", "sucuri website firewall"}
)

func isChallengeTitle(title string) bool {
	title = strings.ToLower(title)
	for _, start := range patientTitles {
		if rest, ok := strings.CutPrefix(title, start); ok {
			return rest != "" && strings.Trim(rest, ".…") == ""
		}
	}
	for _, start := range challengeTitles {
		if strings.HasPrefix(title, start) {
			return true
		}
	}
	return strings.HasSuffix(title, "used cloudflare to restrict access")
}

// saysBarred reports whether the page says in so many words what keeps robots out.
func (s *survey) saysBarred() bool {
	for _, text := range s.said[:s.saidLen] {
		if containsAny(text, "Incapsula incident ID", "errors.edgesuite.net", "Checking your browser before accessing", "Sucuri Website Firewall",
			"Verifying you are human", "verify you are human by completing", "Performing security verification") {
			return true
		}
	}
	return false
}
