package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	testNamed   = regexp.MustCompile("`(Test[A-Za-z0-9_]+)`")
	testDefined = regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9_]+)\(`)
)

// TestDocsNameTestsThatExist checks the test names in the documentation.
func TestDocsNameTestsThatExist(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	defined := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, found := range testDefined.FindAllSubmatch(source, -1) {
			defined[string(found[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range testNamed.FindAllSubmatch(text, -1) {
			if !defined[string(found[1])] {
				t.Errorf("%s names %s, which does not exist", filepath.Base(page), found[1])
			}
		}
	}
	testRows(t, filepath.Join(root, "docs", "delivery.md"))
	testSafetyRows(t, filepath.Join(root, "docs", "safety.md"), defined)
}

var (
	safetyRow  = regexp.MustCompile(`(?m)^\| ([RMS]\d+) \|.*$`)
	safetyTest = regexp.MustCompile(`^Test([RMS]\d+)[A-Z]`)
)

// testSafetyRows expects every row to name a test that begins with its id, and every such test to have a row.
func testSafetyRows(t *testing.T, page string, defined map[string]bool) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	explained := map[string]bool{}
	for _, row := range safetyRow.FindAllSubmatch(text, -1) {
		id := string(row[1])
		explained[id] = true
		if !strings.Contains(string(row[0]), "`Test"+id) {
			t.Errorf("no test named after %s is in its row", id)
		}
	}
	for name := range defined {
		if id := safetyTest.FindStringSubmatch(name); id != nil && !explained[id[1]] {
			t.Errorf("%s has no row for %s in %s", name, id[1], filepath.Base(page))
		}
	}
}

// testRows expects every row of a table to name a test or to say that it is untested.
func testRows(t *testing.T, page string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| what happens") {
			continue
		}
		if rows++; !testNamed.MatchString(line) && !strings.Contains(line, "*untested*") {
			t.Errorf("nothing shows that %s", line)
		}
	}
	if rows == 0 {
		t.Error("the page states nothing")
	}
}
