package content_test

import (
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl/content"
)

const (
	bundle    = `<script type="module" crossorigin src="/assets/index-4f2a.js"></script>`
	analytics = `<script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script><script>window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}gtag('js',new Date());</script>`
	menu      = `<header><a href="/">Acme</a><nav><a href="/products">Products</a> <a href="/prices">Prices</a> <a href="/blog">Blog</a></nav></header>`
	imprint   = `<footer><p>© 2025 Acme Ltd. All rights reserved. <a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a></p></footer>`
	state     = `{"props":{"pageProps":{"text":"The whole article is in here, and in here alone, sentence after sentence after sentence."}}}`
	sentence  = `<p>The mill by the river was built in 1821 and has ground corn for two hundred years, first by water and then by steam.</p>`
)

type signCase struct {
	name, html string
	want       content.Sign
}

func checkSigns(t *testing.T, status int, cases []signCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := parse(c.html).Sign(status); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// TestSignStatic has pages that no browser is to be started for.
func TestSignStatic(t *testing.T) {
	t.Parallel()
	checkSigns(t, 200, []signCase{
		{"nothing", ``, content.Complete},
		{"one word", `Hello`, content.Complete},
		{"one word and analytics", `<h1>Hello</h1>` + analytics, content.Complete},
		{"one word and a bundle", `<p>Hello</p>` + bundle, content.Complete},
		{"nothing but analytics", `<body>` + analytics, content.Complete},
		{"an empty mount point without scripts", `<div id="root"></div>`, content.Complete},
		{"a notice without scripts", `<p>Please enable JavaScript to use this page.</p>`, content.Complete},
		{"an empty main and only data", `<main></main><script type="application/json">{"a":1}</script><script type="text/x-template"><p>x</p></script>`, content.Complete},
		{"a login form", `<div id="app"><form action="/login"><label>Name <input name="u"></label><label>Password <input type="password"></label><button>Log in</button></form></div>` + bundle, content.Complete},
		{"a login form with a captcha and a notice", `<form><input name="u"><input type="password"><div class="g-recaptcha"></div></form><noscript>Please enable JavaScript to log in.</noscript>` + bundle, content.Complete},
		{"a search form with a hidden spinner", `<form><input name="q"><button>Search</button></form><div class="spinner"></div>` + bundle, content.Complete},
		{"a contact form with hCaptcha", `<h1>Contact</h1><form><input name="mail"><textarea></textarea><div class="h-captcha"></div></form>` + bundle, content.Complete},
		{"a redirect notice", `<title>301 Moved Permanently</title><h1>Moved</h1><p>The document has moved <a href="/new">here</a>.</p>`, content.Complete},
		{"a refresh without scripts", `<meta http-equiv="refresh" content="0;url=/new"><noscript>Go on</noscript>`, content.Complete},
		{"a refresh and a script that does the same", `<meta http-equiv="refresh" content="0;URL=new.html"><p>Redirecting to <a href="new.html">new.html</a>...</p><script>location.replace("new.html" + location.search);</script>`, content.Complete},
		{"a frame buster", `<p>Opening hours: 9 to 5</p><script>if (top != self) top.location.href = self.location.href</script>`, content.Complete},
		{"a frameset", `<head>` + analytics + `</head><frameset cols="20%,*"><frame src="menu.html"><frame src="main.html"></frameset>`, content.Complete},
		{"a framed page", `<body><iframe src="https://example.org/map" width="100%" height="900"></iframe>` + bundle, content.Complete},
		{"a gallery", `<div id="gallery"><img src="1.jpg"><img src="2.jpg"><img src="3.jpg"></div>` + bundle, content.Complete},
		{"one picture in a mount point", `<div id="app"><img src="/photo.jpg" alt="The mill"></div>` + bundle, content.Complete},
		{"a background picture", `<div id="root"><div style="background-image: url(/a.jpg)"></div></div>` + bundle, content.Complete},
		{"a drawing", `<svg viewBox="0 0 9 9"><path d="M0 0h9"/></svg>` + bundle, content.Complete},
		{"a game", `<canvas id="game"></canvas>` + bundle, content.Complete},
		{"a film", `<main><video src="/a.mp4"></video></main>` + bundle, content.Complete},
		{"an article with a notice for comments", `<article><h1>The mill</h1>` + sentence + `</article><div id="disqus_thread"></div><noscript>Please enable JavaScript to view the <a href="https://disqus.com">comments</a>.</noscript>` + bundle, content.Complete},
		{"two words with a notice for comments", `<p>Hello there</p><noscript>Please enable JavaScript to view the comments powered by Disqus.</noscript>` + bundle, content.Complete},
		{"an article with a general notice", `<article><h1>The mill</h1>` + strings.Repeat(sentence, 3) + `</article><noscript>This site needs JavaScript enabled.</noscript>` + bundle, content.Complete},
		{"an article whose reviews are loading", `<main>` + strings.Repeat(sentence, 3) + `<div class="skeleton"></div><div>Loading reviews…</div></main>` + bundle, content.Complete},
		{"a short article beside a preloader", `<div id="preloader"><div class="spinner"></div></div><h1>Coming soon</h1>` + bundle, content.Complete},
		{"a page about JavaScript", `<h1>Course</h1><p>Learn JavaScript, the language that all browsers support, in ten days.</p>` + bundle, content.Complete},
		{"a section called JavaScript", `<p>See our <a href="/c/js">JavaScript</a> section, which is active.</p>` + bundle, content.Complete},
		{"a page about compatibility", `<h1>Tables</h1><p>JavaScript compatibility, usability and native alternatives.</p>` + bundle, content.Complete},
		{"a widget of its own name", `<h1>Hello</h1><p>We are closed.</p><chat-widget></chat-widget><cookie-consent></cookie-consent>` + bundle, content.Complete},
		{"all of it in the header", `<header class="masthead"><h1>Jane Doe</h1><p>I take photographs.</p></header><div id="fb-root"></div><footer>© Jane</footer>` + bundle, content.Complete},
		{"an anchor to skip to", `<a href="#main-content">Skip</a><h1>Hello</h1><a id="main-content"></a><a id="main"></a><p>We are closed.</p>` + bundle, content.Complete},
		{"all of it in a header by name", `<div class="header dark"><h1>Jane Doe</h1></div><div id="particles"></div><div id="footer">© Jane</div>` + bundle, content.Complete},
		{"a blog that has only its sidebar left", menu + `<div id="center"></div><div class="sidebar"><h2>Recent comments</h2>` + sentence + `</div>` + imprint + bundle, content.Complete},
		{"a closed dialog and a cover", `<h1>Office</h1><p>Closed today.</p><div class="overlay"><p>Please wait...</p></div><dialog><p>Loading…</p></dialog>` + bundle, content.Complete},
		{"a short page with a notice", `<h1>Contact</h1><p>Call us from nine to five: +44 20 7946 0000, or write to us.</p><noscript>This site works best with JavaScript enabled.</noscript>` + bundle, content.Complete},
		{"a page about loading", `<h1>Warehouse</h1><ul><li>Loading docks</li><li>Loading bays</li></ul>` + bundle, content.Complete},
		{"a page about templates", `<h1>Syntax</h1><pre>{{ name }}</pre><p>Braces are replaced.</p>` + bundle, content.Complete},
		{"a list of links", `<main><ul>` + strings.Repeat(`<li><a href="/a">A page</a></li>`, 9) + `</ul></main>` + bundle, content.Complete},
		{"a story called Un instant", `<title>Un instant</title>` + sentence + bundle, content.Complete},
		{"a short page with an invisible captcha", `<p>Hello</p><div class="g-recaptcha" data-size="invisible"></div>` + bundle, content.Complete},
		{"a story called Just a moment", `<title>Just a moment in time</title>` + sentence + bundle, content.Complete},
		{"an empty slot for a widget", `<main>` + sentence + sentence + sentence + `</main><div id="root"></div>` + bundle, content.Complete},
		{"Next.js", `<div id="__next"><main><h1>Hello</h1><p>Rendered</p></main></div><script id="__NEXT_DATA__" type="application/json">` + state + `</script><script src="/_next/static/chunks/main.js" defer></script>`, content.Complete},
		{"Next.js that streams", `<body><div hidden id="S:0"><main><h1>Hello</h1>` + sentence + `</main></div><script>$RC("B:0","S:0")</script><script src="/_next/static/chunks/main.js" async></script>`, content.Complete},
		{"Nuxt", `<div id="__nuxt"><div><h1>Hello</h1></div></div><script>window.__NUXT__={data:[]}</script><script type="module" src="/_nuxt/entry.js"></script>`, content.Complete},
		{"Gatsby", `<div id="___gatsby"><div id="gatsby-focus-wrapper"><h1>Hello</h1></div></div><script src="/app-1.js"></script>`, content.Complete},
		{"SvelteKit", `<body><div style="display: contents"><h1>Hello</h1></div><script>{__sveltekit_1={base:""};Promise.all([import("./start.js")])}</script>`, content.Complete},
		{"Astro", `<main><h1>Hello</h1><astro-island client="load" component-url="/a.js"><button>0</button></astro-island></main><script type="module" src="/hoisted.js"></script>`, content.Complete},
		{"Angular, rendered", `<app-root ng-version="17.0.0" ng-server-context="ssr"><router-outlet></router-outlet><app-home><h1>Hello</h1></app-home></app-root><script id="ng-state" type="application/json">{}</script>` + bundle, content.Complete},
		{"Remix", `<body><h1>Hello</h1><script>window.__remixContext = {"url":"/"};</script><script type="module">import "/build/entry.js"</script>`, content.Complete},
		{"AMP", `<style amp-boilerplate>body{visibility:hidden}</style><body><amp-img src="/a.jpg" width="3" height="2"></amp-img><script async src="https://cdn.ampproject.org/v0.js"></script>`, content.Complete},
		{"a page that hides itself until it is styled", `<body style="display:none"><h1>Hello</h1>` + bundle, content.Complete},
		{"a style that names display", `<div style="--footer-display: none"><h1>Hello</h1></div>` + bundle, content.Complete},
		{"all of it in noscript", `<div id="main"></div><noscript>` + strings.Repeat(sentence, 9) + `</noscript>` + bundle, content.Complete},
		{"a declared shadow root", `<my-card><template shadowrootmode="open"><p>Hello</p></template></my-card>` + bundle, content.Complete},
		{"guarded, but let in", `<p>Hello</p><script>(function(){window['__CF$cv$params']={r:'1'};var a=document.createElement('script');a.src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'})()</script><script src="https://js.datadome.co/tags.js"></script><script src="/_Incapsula_Resource?SWJIYLWA=1"></script>`, content.Complete},
		{"the year is written by a script", `<p>Hello</p><p>© <script>document.write(new Date().getFullYear())</script></p>`, content.Complete},
		{"old analytics", `<p>Hello</p><script>document.write(unescape("%3Cscript src='ga.js'%3E%3C/script%3E"));document.write("<script src='b.js'><\/script>")</script>`, content.Complete},
	})
}

// TestSignScripted has pages that show nothing of their content without a browser.
func TestSignScripted(t *testing.T) {
	t.Parallel()
	checkSigns(t, 200, []signCase{
		{"React", `<title>React App</title><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/static/js/main.js" defer></script>`, content.Shell},
		{"Vite", `<body><div id="app"></div>` + bundle, content.Shell},
		{"Vue, not yet filled", `<div id="app"><h1>{{ title }}</h1><p v-for="p in list">{{ p.name }}</p></div>` + bundle, content.Shell},
		{"Angular", `<base href="/"><app-root></app-root><script src="main.js" type="module"></script>`, content.Shell},
		{"AngularJS", `<body ng-app="shop"><div ng-view></div><script src="angular.js"></script>`, content.Shell},
		{"Ember", `<meta name="shop/config/environment" content="%7B%7D"><body><script src="/assets/vendor.js"></script><script src="/assets/shop.js"></script><div id="ember-basic-dropdown-wormhole"></div>`, content.Shell},
		{"Svelte", `<!doctype html><html><head><script defer src="/build/bundle.js"></script></head><body></body></html>`, content.Shell},
		{"Polymer", `<body><shop-app unresolved></shop-app>` + bundle, content.Shell},
		{"custom elements in a custom element", `<body><x-frame><x-list></x-list></x-frame>` + bundle, content.Shell},
		{"Next.js without its content", `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">` + state + `</script><script src="/_next/static/chunks/main.js" defer></script>`, content.Shell},
		{"Next.js that leaves it to the browser", `<body><template data-dgst="BAILOUT_TO_CLIENT_SIDE_RENDERING"></template><script src="/_next/static/chunks/main.js" async></script>`, content.Shell},
		{"Nuxt without its content", `<div id="__nuxt"></div><script>window.__NUXT__={text:"The whole article is in here"}</script><script type="module" src="/_nuxt/entry.js"></script>`, content.Shell},
		{"docsify", `<div id="app">Loading...</div><script>window.$docsify={}</script><script src="//cdn.example.org/docsify.js"></script>`, content.Shell},
		{"content in linked data alone", `<div id="root"></div><script type="application/ld+json">{"@type":"Article","articleBody":"` + strings.Repeat("A sentence of the article. ", 60) + `"}</script>` + bundle, content.Shell},
		{"a splash with a logo", `<div id="root"><div class="splash"><img src="/logo.svg" alt="Logo"><svg></svg></div></div>` + bundle, content.Shell},
		{"a splash without a mount point", `<section class="app-splash"><div class="dots"></div></section>` + bundle, content.Shell},
		{"a written page", `<body><script>document.write("<h1>The mill</h1><p>It was built in 1821.</p>")</script>`, content.Shell},
		{"a page written below a title", `<h1>News</h1><script>for (var i = 0; i < 9; i++) document.write('<p>' + news[i] + '</p>')</script>`, content.Shell},
		{"a script that leads on", `<p>You are sent on. <a href="/new">Click here</a> otherwise.</p><script>window.location.href = "/new";</script>`, content.Shell},
		{"leading on, in one word", `<p>Redirecting…</p><script src="/go.js"></script>`, content.Shell},
		{"a hidden login form", `<section id="main"></section><form style="display: none"><input name="u"><input type="password"></form>` + bundle, content.Shell},
		{"skeletons alone", `<div class="feed">` + strings.Repeat(`<div class="card"><div class="skeleton skeleton-line"></div></div>`, 6) + `</div>` + bundle, content.Shell},
		{"analytics and a bundle", `<body>` + analytics + bundle, content.Shell},
		{"an empty main", menu + `<main></main>` + imprint + bundle, content.Partial},
		{"an empty mount point", menu + `<div id="root"> </div>` + imprint + bundle, content.Partial},
		{"an empty element of any name", menu + `<div id="homepage" style="min-height: 100vh"></div>` + imprint + bundle, content.Partial},
		{"a spinner", menu + `<div class="wrap"><div class="spinner-border" role="status"></div></div>` + imprint + bundle, content.Partial},
		{"a feed of skeletons", menu + `<h1>News</h1><div>` + strings.Repeat(`<div class="Skeleton_line"></div>`, 8) + `</div>` + imprint + bundle, content.Partial},
		{"a feed that pulses", menu + `<h1>News</h1>` + strings.Repeat(`<div class="h-4 animate-pulse bg-gray-200"></div>`, 8) + imprint + bundle, content.Partial},
		{"a list that is loading", menu + `<h1>Products</h1><ul id="list"></ul><p>Loading...</p>` + imprint + bundle, content.Partial},
		{"a list that is loading, in German", menu + `<h1>Unsere Angebote im Überblick</h1><p>Wird geladen …</p>` + imprint + bundle, content.Partial},
		{"a list that is loading, in Japanese", menu + `<h1>商品</h1><p>読み込み中…</p>` + imprint + bundle, content.Partial},
		{"the results are loading", menu + `<main><h1>Results for your search of today</h1><div>Loading the results…</div></main>` + imprint + bundle, content.Partial},
		{"a listing not yet filled", menu + `<h1>Products of this season and others</h1><div ng-repeat="p in list">{{p.name}}</div>` + imprint + bundle, content.Partial},
		{"left to the browser", menu + `<template data-dgst="BAILOUT_TO_CLIENT_SIDE_RENDERING"></template>` + imprint + bundle, content.Partial},
		{"a cookie banner and a mount point", `<div id="cookie-banner"><p>` + strings.Repeat("We use cookies to make this site work. ", 9) + `</p></div><div id="app"></div>` + bundle, content.Partial},
		{"a notice in noscript", menu + `<noscript><p>This page requires JavaScript.</p></noscript>` + imprint + bundle, content.Notice},
		{"a refresh in noscript", `<head><noscript><meta http-equiv="refresh" content="0; url=/nojs"></noscript></head><body><p>One moment</p>` + bundle, content.Notice},
		{"a notice to be seen", `<h1>JavaScript is not available.</h1><p>We've detected that JavaScript is disabled in this browser. Please enable JavaScript or switch to a supported browser.</p><p><a href="/help">Help</a></p>` + bundle, content.Notice},
		{"a notice with a link in it", `<p>To use this page, please <a href="/how">enable JavaScript</a> in your browser.</p>` + bundle, content.Notice},
	})
}

// TestSignNotice has the notice in many languages, both hidden and to be seen.
func TestSignNotice(t *testing.T) {
	t.Parallel()
	for lang, text := range map[string]string{
		"en": "Please turn on JavaScript in your browser.",
		"de": "Bitte aktivieren Sie JavaScript, um diese Seite zu nutzen.",
		"fr": "Veuillez activer JavaScript pour afficher cette page.",
		"es": "Habilite JavaScript para ver esta página.",
		"pt": "Ative o JavaScript para ver esta página.",
		"it": "Abilita JavaScript per vedere questa pagina.",
		"nl": "Schakel JavaScript in: dit is nodig voor deze pagina.",
		"pl": "Włącz JavaScript, aby zobaczyć tę stronę.",
		"tr": "Bu sayfayı görmek için JavaScript'i etkinleştirin.",
		"ru": "Пожалуйста, включите JavaScript.",
		"ja": "JavaScriptを有効にしてください。",
		"zh": "请启用JavaScript以继续浏览。",
		"ko": "JavaScript를 활성화하십시오.",
	} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			for _, body := range []string{menu + "<noscript>" + text + "</noscript>" + bundle, "<p>" + text + "</p>" + bundle} {
				if got := parse(body).Sign(200); got != content.Notice {
					t.Errorf("got %v for %s", got, body)
				}
			}
			if got := parse("<article>" + strings.Repeat(sentence, 3) + "</article><noscript>" + text + "</noscript>" + bundle).Sign(200); got != content.Complete {
				t.Errorf("got %v for an article", got)
			}
		})
	}
}

// TestSignChallenge has what keeps robots out, which comes with any status.
func TestSignChallenge(t *testing.T) {
	t.Parallel()
	cases := []signCase{
		{"Cloudflare", `<title>Just a moment...</title><noscript>Enable JavaScript and cookies to continue</noscript><script>window._cf_chl_opt={cType:'managed'}</script>`, content.Challenge},
		{"Cloudflare in German", `<title>Nur einen Moment…</title><div id="root"></div>` + bundle, content.Challenge},
		{"Cloudflare's refusal", `<title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1><p>` + strings.Repeat("This website is using a security service. ", 12) + `</p>` + bundle, content.Challenge},
		{"a check in words", `<p>Checking your browser before accessing example.com</p>` + bundle, content.Challenge},
		{"Turnstile alone", `<h1>One more step</h1><form><div class="cf-turnstile" data-sitekey="1"></div></form>` + bundle, content.Challenge},
		{"hCaptcha alone", `<p>Please show that you are human.</p><div class="h-captcha"></div>` + bundle, content.Challenge},
		{"DataDome", `<title>example.com</title><p id="cmsg">Please enable JS and disable any ad blocker</p><script>var dd={'rt':'c','host':'geo.captcha-delivery.com'}</script><script src="https://ct.captcha-delivery.com/c.js"></script>`, content.Challenge},
		{"PerimeterX", `<title>Access to this page has been denied</title><div id="px-captcha"></div><script>window._pxAppId='PX1'</script>`, content.Challenge},
		{"Akamai's refusal", `<title>Access Denied</title><h1>Access Denied</h1>You don't have permission to access this page.<p>Reference #18.1<p>https://errors.edgesuite.net/18.1`, content.Challenge},
		{"Akamai's check", `<meta http-equiv="refresh" content="5; URL='/?bm-verify=AAQ'"><script>var i=1;</script>`, content.Challenge},
		{"Imperva", `<iframe src="/_Incapsula_Resource?CWUDNSAI=23">Request unsuccessful. Incapsula incident ID: 1-2</iframe>`, content.Challenge},
		{"Imperva's script alone", `<head><script src="/_Incapsula_Resource?SWJIYLWA=719d"></script></head><body></body>`, content.Challenge},
		{"AWS WAF", `<div id="challenge-container"></div><script>window.gokuProps={"key":"a"}</script><script src="https://a.token.awswaf.com/a/challenge.js"></script>`, content.Challenge},
		{"DDoS-Guard", `<title>DDoS-Guard</title><script src="/.well-known/ddos-guard/js-challenge/index.js"></script>`, content.Challenge},
		{"Sucuri", `<title>You are being redirected...</title><noscript>Javascript is required.</noscript><script>var s={};S='';eval('sucuri_cloudproxy_js');</script>`, content.Challenge},
		{"a checkpoint", `<title>Vercel Security Checkpoint</title><p>We're verifying your browser</p>` + bundle, content.Challenge},
	}
	for _, status := range []int{200, 403, 503} {
		checkSigns(t, status, cases)
	}
}

// TestSignError has pages of errors: what they say is all there is, unless they
// say nothing.
func TestSignError(t *testing.T) {
	t.Parallel()
	cases := []signCase{
		{"not found", menu + `<main><h1>404</h1><p>Not found</p></main>` + imprint + bundle, content.Complete},
		{"not found, with an empty place", menu + `<div id="root"></div>` + imprint + bundle, content.Complete},
		{"not found, with a notice", menu + `<noscript>Please enable JavaScript</noscript>` + bundle, content.Complete},
		{"a number beside an empty place", `<h1>404</h1><div id="root"></div>` + bundle, content.Complete},
		{"an error that leads on", `<p>Gone.</p><script>location.href = "/";</script>`, content.Complete},
		{"refused", `<title>403 Forbidden</title><h1>Access denied</h1>` + bundle, content.Complete},
		{"a server that does not answer", `<title>example.com | 522: Connection timed out</title><div id="cf-wrapper"><h1>Connection timed out</h1></div>` + bundle, content.Complete},
		{"nothing at all", ``, content.Complete},
		{"an application that finds its pages itself", `<body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>` + bundle, content.Shell},
	}
	for _, status := range []int{404, 500} {
		checkSigns(t, status, cases)
	}
}

// TestSignOther has what is no HTML.
func TestSignOther(t *testing.T) {
	t.Parallel()
	shell := `<div id="root"></div>` + bundle
	for kind, body := range map[string]string{
		"text/plain":           shell,
		"application/json":     `{"html":"<div id=root></div>"}`,
		"application/rss+xml":  `<rss><channel><item><description><![CDATA[` + shell + `]]></description></item></channel></rss>`,
		"application/xml":      `<x><script src="a.js"/></x>`,
		"text/markdown":        "# Hello",
		"application/atom+xml": "",
	} {
		if got := content.Parse(content.Source{Body: []byte(body), ContentType: kind}).Sign(200); got != content.Complete {
			t.Errorf("%s: got %v", kind, got)
		}
	}
}

func TestSignString(t *testing.T) {
	t.Parallel()
	want := []string{"complete", "shell", "partial", "notice", "challenge", "unknown"}
	for i, name := range want {
		if got := content.Sign(i).String(); got != name {
			t.Errorf("sign %d is %q, want %q", i, got, name)
		}
	}
}

// FuzzSign checks what holds for every page: without scripts, and as a text, it is
// never to be filled by scripts, and the same page has the same sign.
func FuzzSign(f *testing.F) {
	addPages(f, func(body []byte) { f.Add(string(body), 200) })
	f.Add(`<div id="root"></div>`+bundle, 200)
	f.Add(menu+`<main><p>Loading…</p></main>`+imprint+bundle, 404)
	f.Add(`<title>Just a moment...</title><noscript>Enable JavaScript</noscript><script>document.write("<p>")</script>`, 503)
	f.Add(`<script>location.href="/"</script><p>{{ a }}<template data-dgst>`, 200)
	f.Fuzz(func(t *testing.T, body string, status int) {
		page := parse(body)
		sign := page.Sign(status)
		if again := page.Sign(status); again != sign {
			t.Errorf("got %v, then %v", sign, again)
		}
		if sign != content.Complete && sign != content.Challenge && !strings.Contains(strings.ToLower(body), "<script") {
			t.Errorf("got %v without a script", sign)
		}
		if got := content.Parse(content.Source{Body: []byte("x" + body), ContentType: "text/plain"}).Sign(status); got != content.Complete {
			t.Errorf("got %v for a text", got)
		}
	})
}

// BenchmarkSign measures what the sign costs beside an ordinary scrape of the same
// page, by the best time of either: share is to stay below 0.03. The hollow page is
// the worst of them: it has to be looked at to its end.
func BenchmarkSign(b *testing.B) {
	pages := generatedPages()
	pages["sample"] = samplePage()
	pages["hollow"] = menu + strings.Repeat(`<div class="card shadow" id="c"><div class="card-body p-3"><a href="/a"></a></div></div>`, 2000) + imprint + bundle
	for name, page := range pages {
		b.Run(name, func(b *testing.B) {
			scrape, sign := time.Hour, time.Hour
			for b.Loop() {
				start := time.Now()
				p := parse(page)
				asMarkdown(p, content.Options{OnlyMain: true})
				middle := time.Now()
				p.Sign(200)
				scrape, sign = min(scrape, middle.Sub(start)), min(sign, time.Since(middle))
			}
			b.ReportMetric(float64(sign)/float64(scrape), "share")
		})
	}
}
