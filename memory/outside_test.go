package memory_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// outside is a module of its own, outside the tree, that imports this one with a replace directive and without a network.
type outside struct {
	*testing.T
	root, dir string
}

func newOutside(t *testing.T) outside {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a module")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	o := outside{t, root, t.TempDir()}
	o.write("go.mod", fmt.Appendf(nil, "module example.com/notes\n\ngo 1.26.0\n\nrequire familiar v0.0.0\n\nreplace familiar => %s\n", root))
	o.write("go.sum", o.read("go.sum"))
	return o
}

func (o outside) write(name string, data []byte) {
	o.Helper()
	path := filepath.Join(o.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, data, 0o600)); err != nil {
		o.Fatal(err)
	}
}

func (o outside) read(name string) []byte {
	o.Helper()
	data, err := os.ReadFile(filepath.Join(o.root, name))
	if err != nil {
		o.Fatal(err)
	}
	return data
}

// run runs the go command in the module and returns what it prints.
func (o outside) run(args ...string) []byte {
	o.Helper()
	cmd := exec.CommandContext(o.Context(), "go", args...)
	cmd.Dir, cmd.Env = o.dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		o.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// TestOutsideModuleRunsTheExamples imports the library as other programs do.
func TestOutsideModuleRunsTheExamples(t *testing.T) {
	o := newOutside(t)
	examples := o.read("memory/example_test.go")
	o.write("example_test.go", bytes.Replace(examples, []byte("package memory_test"), []byte("package notes_test"), 1))
	out := o.run("test", "-v", ".")
	want := bytes.Count(examples, []byte("\nfunc Example"))
	if got := bytes.Count(out, []byte("--- PASS: Example")); got != want {
		t.Errorf("%d of %d examples ran:\n%s", got, want, out)
	}
}

// program is a Go program of the manual with the output that follows it there.
var program = regexp.MustCompile("(?s)```go\n(.*?)```.*?```text\n(.*?)```")

// TestOutsideModuleRunsTheManual runs the programs of docs/library.md.
func TestOutsideModuleRunsTheManual(t *testing.T) {
	o := newOutside(t)
	found := program.FindAllSubmatch(o.read("docs/library.md"), -1)
	if len(found) == 0 {
		t.Fatal("the manual has no program")
	}
	for i, p := range found {
		name := fmt.Sprintf("program%d", i+1)
		o.write(name+"/main.go", p[1])
		if got := o.run("run", "./"+name); string(got) != string(p[2]) {
			t.Errorf("program %d of the manual prints\n%s\nand not\n%s", i+1, got, p[2])
		}
	}
}

// maxFacade is how many names the package exports at most.
const maxFacade = 40

// TestOutsideProgramsCanNameEveryType: no exported signature of the package, or of what a Store gives access to, has a type
// of an internal package that the package gives no name to. Functions on an open transaction are for the memory packages.
func TestOutsideProgramsCanNameEveryType(t *testing.T) {
	facade := typesOf(t, "familiar/memory").Scope()
	var exported []string
	check := &outsideCheck{named: map[string]bool{}, seen: map[types.Type]bool{}}
	for _, name := range facade.Names() {
		if o := facade.Lookup(name); o.Exported() {
			exported = append(exported, name)
			if tn, ok := o.(*types.TypeName); ok && tn.IsAlias() {
				check.named[types.Unalias(tn.Type()).String()] = true
			}
		}
	}
	if len(exported) > maxFacade {
		t.Errorf("package memory exports %d names, more than %d: %s", len(exported), maxFacade, strings.Join(exported, " "))
	}
	for _, name := range exported {
		check.walk(name, facade.Lookup(name).Type())
	}
	for _, p := range slices.Compact(slices.Sorted(slices.Values(check.problems))) {
		t.Error(p)
	}
}

// typesOf returns what a package exports, as the compiler wrote it.
func typesOf(t *testing.T, path string) *types.Package {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", path).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[name] = file
	}
	pkg, err := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(files[path])
	}).Import(path)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// outsideCheck walks types from what a program can reach.
type outsideCheck struct {
	named    map[string]bool
	seen     map[types.Type]bool
	problems []string
}

func (c *outsideCheck) walk(path string, t types.Type) {
	t = types.Unalias(t)
	if c.seen[t] {
		return
	}
	c.seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		c.declared(path, t)
	case *types.Signature:
		for v := range t.Params().Variables() {
			c.walk(path, v.Type())
		}
		for v := range t.Results().Variables() {
			c.walk(path, v.Type())
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() {
				c.walk(path+"."+f.Name(), f.Type())
			}
		}
	case *types.Map:
		c.walk(path, t.Key())
		c.walk(path, t.Elem())
	case interface{ Elem() types.Type }:
		c.walk(path, t.Elem())
	}
}

// declared checks a named type, its fields and its methods.
func (c *outsideCheck) declared(path string, t *types.Named) {
	pkg := t.Obj().Pkg()
	if pkg == nil || !strings.HasPrefix(pkg.Path(), "familiar/") {
		return
	}
	if strings.Contains(pkg.Path(), "/internal") && t.Obj().Exported() && !c.named[t.String()] {
		c.problems = append(c.problems, fmt.Sprintf("%s needs %s, which other programs cannot name", path, t))
	}
	c.walk(path, t.Underlying())
	for m := range t.Methods() {
		if s := m.Signature(); m.Exported() && !onTransaction(s) {
			c.walk(path+"."+m.Name(), s)
		}
	}
}

// onTransaction reports whether a method runs inside a transaction, which only the memory packages open.
func onTransaction(s *types.Signature) bool {
	for v := range s.Params().Variables() {
		if strings.HasSuffix(v.Type().String(), "internal/db.Tx") {
			return true
		}
	}
	return false
}
