package all

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"familiar/channels"
	"familiar/channels/registry"
	"familiar/internal/settings"
	"familiar/internal/strictyaml"
)

// TestEveryRegistrationIsComplete creates every channel from its defaults, with its secrets set.
func TestEveryRegistrationIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Channels {
		if r.Name() == "" || seen[r.Name()] {
			t.Errorf("the name %q is empty or taken", r.Name())
		}
		seen[r.Name()] = true
		if _, err := regexp.Compile(r.AccountID); err != nil {
			t.Errorf("%s: account id: %v", r.Name(), err)
		}
		if found, ok := Find(r.Name()); !ok || found.Name() != r.Name() {
			t.Errorf("%s is not found", r.Name())
		}
		own := r.Section.New()
		doc := strictyaml.Decode("test", []byte(r.Section.ServedBy+": "+enableValue(t, own, r.Section.ServedBy)), own)
		r.Section.Validate(own, doc.Problemf)
		if err := doc.Err(); err != nil {
			t.Errorf("%s at its defaults: %v", r.Name(), err)
		}
		resolve(own)
		in := registry.Setup{Host: channels.Host{Report: func(channels.State) {}}, Dir: t.TempDir()}
		c, err := r.New(t.Context(), own, in)
		if err != nil || c.Name() != r.Name() {
			t.Errorf("%s: made %v, %v", r.Name(), c, err)
		}
	}
}

// enableValue returns the value that enables a channel.
func enableValue(t *testing.T, own any, key string) string {
	t.Helper()
	for _, f := range fields(own) {
		if _, secret := f.Value.Interface().(settings.Secret); f.Name == key && secret {
			return "env:SECRET"
		} else if _, truth := f.Value.Interface().(bool); f.Name == key && truth {
			return "true"
		}
	}
	t.Fatalf("%T has no secret or bool %q", own, key)
	return ""
}

// resolve binds the secrets to an environment.
func resolve(own any) {
	for _, f := range fields(own) {
		if s, ok := f.Value.Addr().Interface().(*settings.Secret); ok {
			*s = s.Within("", func(string) (string, bool) { return "4711:canary-long-enough-to-sign-with", true })
		}
	}
}

// TestNoOtherPackageNamesAChannel looks for imports and string constants outside the channels. Only the benchmarks may
// use the protocol of one of them.
func TestNoOtherPackageNamesAChannel(t *testing.T) {
	var names, imports []string
	for _, r := range Channels {
		names, imports = append(names, r.Name()), append(imports, "familiar/channels/"+r.Name())
	}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		at, _ := filepath.Rel(root, path)
		if d.IsDir() && (at == "channels" || at == filepath.Join("internal", "lab", "bench") || strings.HasPrefix(d.Name(), ".") && at != ".") {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, _ := strconv.Unquote(lit.Value); slices.Contains(names, text) || slices.Contains(imports, text) {
					t.Errorf("%s knows %q: use the list all.Channels", at, text)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func fields(own any) []strictyaml.Field { return strictyaml.Fields(reflect.ValueOf(own).Elem()) }
