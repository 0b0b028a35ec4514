package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestS10ABadCardLeavesNothingBehind imports archives and pictures that mean harm with the real binary: each ends with an
// error, and neither the home nor its surroundings have a new file.
func TestS10ABadCardLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	around := t.TempDir()
	home := filepath.Join(around, "home")
	familiar(t, home, nil, "", "persona", "new", "ada").must(t)
	write := func(name string, data []byte) string {
		path := filepath.Join(around, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	archive := func(name, text string) []byte {
		var out bytes.Buffer
		z := zip.NewWriter(&out)
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err = errors.Join(err, z.Close()); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	picture := filepath.Join(around, "good.png")
	familiar(t, home, nil, "", "persona", "export", "nell", "--to", picture).must(t)
	good, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		write("up.charx", archive("../../evil.json", "{}")):                         "leads out of it",
		write("ratio.charx", archive("card.json", strings.Repeat(" ", 64<<20))):     "times its size",
		write("broken.png", bytes.Replace(good, []byte("ccv3"), []byte("cCv3"), 1)): "checksum",
		write("cut.png", good[:len(good)/2]):                                        "breaks off",
		write("deep.json", []byte(strings.Repeat(`{"data":`, 10_000))):              "nested deeper",
		write("empty.json", nil):                                                    "read JSON",
	}
	before := filesOf(t, around)
	for path, says := range files {
		r := familiar(t, home, nil, "", "persona", "import", path, "--as", "evil", "--yes")
		if r.code == 0 || !strings.Contains(r.errs, says) {
			t.Errorf("%s: exit code %d, %q, want an error with %q", filepath.Base(path), r.code, r.errs, says)
		}
	}
	if after := filesOf(t, around); after != before {
		t.Errorf("files before:\n%s\nafter:\n%s", before, after)
	}
}

// filesOf lists all files below a directory.
func filesOf(t *testing.T, dir string) string {
	t.Helper()
	var all []string
	err := filepath.Walk(dir, func(path string, _ os.FileInfo, err error) error {
		all = append(all, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, "\n")
}

// TestS11NothingThatACardNamesIsFetched imports a card whose pictures lie on a server, and talks with its persona.
func TestS11NothingThatACardNamesIsFetched(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s was fetched", r.URL) }))
	defer server.Close()
	home := t.TempDir()
	card := filepath.Join(t.TempDir(), "card.json")
	text := `{"spec":"chara_card_v3","spec_version":"3.0","data":{"name":"Mo","description":"![](` + server.URL + `/a.png) {{char}} tends bar.",
		"first_mes":"Hi {{user}} ` + server.URL + `/b","assets":[{"type":"icon","uri":"` + server.URL + `/c.png","name":"main","ext":"png"}],
		"extensions":{"avatar_url":"` + server.URL + `/d"},"character_book":{"extensions":{},"entries":[{"keys":["bar"],"content":"` + server.URL + `/e"}]}}}`
	if err := os.WriteFile(card, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out := familiar(t, home, nil, "", "persona", "import", card, "--yes").must(t).out
	if !strings.Contains(out, "are not fetched") {
		t.Errorf("the plan does not say it:\n%s", out)
	}
	if err := os.WriteFile(filepath.Join(home, "familiar.yaml"), []byte("persona: mo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	familiar(t, home, nil, "hello\nwhat is the bar called?\n", "chat", "--as", "Ann").must(t)
	familiar(t, home, nil, "", "persona", "export", "mo", "--to", filepath.Join(home, "mo.png")).must(t)
}
