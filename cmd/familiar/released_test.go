package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"familiar/internal/cli"
)

// TestR9ReleasedHomesGiveTheSameAnswers opens a database of each released schema. It must migrate, export the same
// records, contain the same beliefs, and give the same answers, before and after its messages are analysed again.
// testdata/released/vN contains the database as version N left it (gzipped), each person's questions, and that
// version's answers, beliefs and export.
func TestR9ReleasedHomesGiveTheSameAnswers(t *testing.T) {
	versions, err := filepath.Glob("testdata/released/v*")
	if err != nil || len(versions) == 0 {
		t.Fatal(versions, err)
	}
	for _, dir := range versions {
		for name, jobs := range map[string][]string{"": nil, " reread": {"reread"}} {
			t.Run(filepath.Base(dir)+name, func(t *testing.T) { answersAsItDid(t, dir, jobs...) })
		}
	}
}

// answersAsItDid compares a released home, once it has run some jobs, with what its version answered.
func answersAsItDid(t *testing.T, dir string, jobs ...string) {
	home := t.TempDir()
	unpack(t, filepath.Join(dir, "familiar.db.gz"), filepath.Join(home, "familiar.db"))
	for _, job := range jobs {
		if done := inHome(t, home, "", "job", "run", job); !strings.Contains(done, "analysed ") {
			t.Error(done)
		}
	}
	compare(t, filepath.Join(dir, "export.jsonl"), inHome(t, home, "", "memory", "export"))
	compare(t, filepath.Join(dir, "beliefs.tsv"), inHome(t, home, "", "belief", "list", "--history"))
	for _, name := range []string{"ann", "bob"} {
		questions, err := os.ReadFile(filepath.Join(dir, name+".questions"))
		if err != nil {
			t.Fatal(err)
		}
		compare(t, filepath.Join(dir, name+".answers"), inHome(t, home, string(questions), "chat", "--as", strings.ToUpper(name[:1])+name[1:]))
	}
}

// inHome runs a verb on a home at the time the released answers were given, and returns what it prints.
func inHome(t *testing.T, home, input string, args ...string) string {
	t.Helper()
	now := func() time.Time { return time.Date(2026, time.January, 21, 18, 0, 0, 0, time.UTC) }
	var out, errs strings.Builder
	env := func(string) (string, bool) { return "", false }
	root := newRoot(&cli.Invocation{Env: env, Now: now, In: strings.NewReader(input), Out: &out, Errs: &errs})
	root.SetArgs(append([]string{"--home", home}, args...))
	if err := root.ExecuteContext(t.Context()); err != nil {
		t.Fatalf("familiar %q: %v: %s", args, err, &errs)
	}
	return out.String()
}

// unpack writes the contents of a gzipped file.
func unpack(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	z, err := gzip.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// compare reports the first line in which got differs from the file.
func compare(t *testing.T, file, got string) {
	t.Helper()
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	a, b := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i := range max(len(a), len(b)) {
		var was, is string
		if i < len(a) {
			was = a[i]
		}
		if i < len(b) {
			is = b[i]
		}
		if was != is {
			t.Errorf("%s, line %d:\nwas %s\nis  %s", file, i+1, was, is)
			return
		}
	}
}
