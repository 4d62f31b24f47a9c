package egress_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestNobodyElseDials reads the source of the whole module: connections are
// opened by package egress and by nobody else.
func TestNobodyElseDials(t *testing.T) {
	t.Parallel()
	root := moduleRoot(t)
	files := 0
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != root && skipped(filepath.Join(root, "egress"), name):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		files++
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, violation := range inspect(t, name, source) {
			t.Error(violation)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Errorf("only %d files were read: is %s the module?", files, root)
	}
}

func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = parent
	}
}

// skipped leaves out what does not go into the program: among others, modules
// within the module, which measure it.
func skipped(own, dir string) bool {
	base := filepath.Base(dir)
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return true
	}
	return dir == own || base == "testdata" || base == "vendor" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")
}

// inspect lists the places where a source file could open a connection past
// the guard.
func inspect(t *testing.T, name string, source []byte) []string {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	names, violations := networkImports(file)
	harmless := map[ast.Expr]bool{} // uses of http.Client and http.Transport that open nothing
	ast.Inspect(file, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.StarExpr: // a pointer type
			harmless[n.X] = true
		case *ast.CompositeLit:
			harmless[n.Type] = setsTransport(n)
		case *ast.SelectorExpr:
			pkg, ok := n.X.(*ast.Ident)
			if ok && forbidden(names[pkg.Name], n.Sel.Name, harmless[n]) {
				violations = append(violations, fmt.Sprintf("%s: %s.%s goes past package egress", set.Position(n.Pos()), pkg.Name, n.Sel.Name))
			}
		}
		return true
	})
	return violations
}

// networkImports maps the names under which a file knows the packages that open
// connections. A dot import hides their use and is a violation itself.
func networkImports(file *ast.File) (names map[string]string, violations []string) {
	names = map[string]string{}
	for _, spec := range file.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		if !slices.Contains([]string{"net", "net/http", "crypto/tls"}, imported) {
			continue
		}
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name == "." {
			violations = append(violations, "dot import of "+imported)
		}
		names[name] = imported
	}
	return names, violations
}

func forbidden(pkg, name string, harmless bool) bool {
	switch pkg {
	case "net", "crypto/tls":
		return strings.HasPrefix(name, "Dial")
	case "net/http":
		switch name {
		case "DefaultClient", "DefaultTransport", "Get", "Head", "Post", "PostForm":
			return true
		case "Client", "Transport":
			return !harmless
		}
	}
	return false
}

// setsTransport reports whether a literal chooses a transport, as a literal of
// http.Client must.
func setsTransport(literal *ast.CompositeLit) bool {
	for _, element := range literal.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, _ := pair.Key.(*ast.Ident)
		value, _ := pair.Value.(*ast.Ident)
		if key != nil && key.Name == "Transport" && (value == nil || value.Name != "nil") {
			return true
		}
	}
	return false
}

func TestInspect(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]int{
		`import "net"; var _ = net.Dial`:                                            1,
		`import "net"; var _, _ = net.DialTimeout, net.DialTCP`:                     2,
		`import "net"; var d net.Dialer`:                                            1,
		`import "net"; var d = &net.Dialer{}`:                                       1,
		`import n "net"; var _ = n.Dial`:                                            1,
		`import . "net"; var _ = Dial`:                                              1,
		`import "crypto/tls"; var _ = tls.DialWithDialer`:                           1,
		`import "crypto/tls"; var d tls.Dialer`:                                     1,
		`import "net/http"; var c = http.DefaultClient`:                             1,
		`import "net/http"; var t = http.DefaultTransport`:                          1,
		`import h "net/http"; func f() { h.Get(""); h.PostForm("", nil) }`:          2,
		`import "net/http"; var t = &http.Transport{}`:                              1,
		`import "net/http"; var t http.Transport`:                                   1,
		`import "net/http"; var t = new(http.Transport)`:                            1,
		`import "net/http"; var c = http.Client{}`:                                  1,
		`import "net/http"; var c = &http.Client{Timeout: 1}`:                       1,
		`import "net/http"; var c = &http.Client{Transport: nil}`:                   1,
		`import "net/http"; var c = &http.Client{Transport: http.DefaultTransport}`: 1,
		`import "net/http"; type s struct{ c http.Client }`:                         1,
		`import "net/http"; var c = new(http.Client)`:                               1,

		`import "net/http"; var c = &http.Client{Transport: guarded}`:  0,
		`import "net/http"; var c *http.Client; var t *http.Transport`: 0,
		`import "net/http"; func f(t any) { _ = t.(*http.Transport) }`: 0,
		`import "net/http"; var _ = http.StatusOK`:                     0,
		`import "net"; var _ net.Conn; var _ = net.Listen`:             0,
		`import net "example.com/fishing"; var _ = net.Dial`:           0,
		`import "crypto/tls"; var c = &tls.Config{}`:                   0,
	} {
		if got := inspect(t, "x.go", []byte("package x; "+source)); len(got) != want {
			t.Errorf("%s\nviolations = %q, want %d", source, got, want)
		}
	}
}
