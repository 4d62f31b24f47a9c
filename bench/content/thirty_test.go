package main

import (
	"strings"
	"testing"
)

func TestThirtyLines(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ html, want string }{
		"main":         {`<body class="header"><p>out</p><main><h1>A<i>b</i></h1><p>c</p></main>`, "Ab c"},
		"role":         {`<p>out</p><div role=main>in</div>`, "in"},
		"no main":      {`<title>t</title><p>in`, "in"},
		"elements":     {`<p>a<nav>x</nav><header>x</header><footer>x</footer><aside>x</aside><script>x</script><noscript>x</noscript><button>x</button>`, "a"},
		"names":        {`<p>a<div class="left sidebar">x</div><div id=page-toc>x</div><div role=navigation>x</div><div class=nav_menu>x</div>`, "a"},
		"not names":    {`<p>a<div class=stock>b</div><div id=headerlink>c</div>`, "a b c"},
		"table, lists": {`<table><tr><td>a<td>b</table><ul><li>c<li>d</ul>`, "a b c d"},
	} {
		if got := strings.Join(strings.Fields(thirtyLines(page{body: []byte(test.html)})), " "); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
