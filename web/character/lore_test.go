package character_test

import (
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"familiar/persona/card"
	"familiar/persona/lore"
	"familiar/web/webtest"
)

// bookFile is a lorebook with much that is not known here.
const bookFile = `{
  "spec": "lorebook_v3",
  "data": {
    "entries": [
      {
        "content": "The bar is called The Copper Kettle.",
        "enabled": true,
        "extensions": {
          "depth": 4,
          "other": {"kept": 1}
        },
        "insertion_order": 10,
        "keys": [
          "bar"
        ],
        "strange": [1, 2],
        "use_regex": false
      },
      {
        "content": "Rex is the dog.",
        "enabled": false,
        "extensions": {},
        "insertion_order": 20,
        "keys": [
          "dog"
        ],
        "use_regex": false
      }
    ],
    "extensions": {},
    "own": true
  }
}
`

func (s *stage) book(t *testing.T) *lore.Book {
	t.Helper()
	b, err := card.LoadLore(s.dir, "vera")
	if err != nil || b == nil {
		t.Fatalf("%v, %v", b, err)
	}
	return b
}

func (s *stage) loreText(t *testing.T) string {
	t.Helper()
	text, err := card.LoreText(s.dir, "vera")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (s *stage) writeBook(t *testing.T, text string) {
	t.Helper()
	if err := os.WriteFile(card.LoreFile(s.dir, "vera"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLoreEntriesAreAddedEditedAndRemoved(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	if a := webtest.Get(t, s, webtest.Operator, at+"/lore"); !strings.Contains(a.Text, "knows nothing of its world") {
		t.Errorf("without a lorebook: %s", a.Text)
	}
	form := s.open(t, at+"/lore/new")
	form["keys"][0], form["content"][0], form["probability"][0] = "kettle\r\nbar", "It is old.", "40"
	a := webtest.Follow(t, s, webtest.Operator, at+"/lore/new", form)
	e := s.book(t).Entries[0]
	if chance, ok := e.Probability(); strings.Join(e.Keys, "|") != "kettle|bar" || e.Content != "It is old." || !e.Enabled || !ok || chance != 40 {
		t.Errorf("the entry is %+v; the page says %s", e, a.Text)
	}
	webtest.Follow(t, s, webtest.Operator, at+"/lore/restore", undoOf(t, a.Body))
	if text := s.loreText(t); text != "" {
		t.Errorf("after the undo there is %s", text)
	}

	s.writeBook(t, bookFile)
	form = s.open(t, at+"/lore/1")
	form["content"][0], form["insertion_order"][0] = "It is called The Pot.", "11"
	form.Set("constant", "on")
	webtest.Follow(t, s, webtest.Operator, at+"/lore/1", form)
	want := strings.NewReplacer("The bar is called The Copper Kettle.", "It is called The Pot.", `"insertion_order": 10`, `"insertion_order": 11`).Replace(bookFile)
	want = strings.Replace(want, `      {
        "content": "It`, `      {
        "constant": true,
        "content": "It`, 1)
	if got := s.loreText(t); squeeze(got) != squeeze(want) {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}

	base := url.Values{"base": {card.Mark([]byte(s.loreText(t)))}, "on": {"yes"}}
	webtest.Follow(t, s, webtest.Operator, at+"/lore/2/enable", base)
	if !s.book(t).Entries[1].Enabled {
		t.Error("the entry is not enabled")
	}
	if a := webtest.Post(t, s, webtest.Operator, at+"/lore/2/delete", base); a.Status != http.StatusUnprocessableEntity || len(s.book(t).Entries) != 2 {
		t.Errorf("an outdated page removed an entry: %d", a.Status)
	}
	before := s.loreText(t)
	base.Set("base", card.Mark([]byte(before)))
	a = webtest.Follow(t, s, webtest.Operator, at+"/lore/2/delete", base)
	if len(s.book(t).Entries) != 1 {
		t.Error("the entry is still there")
	}
	webtest.Follow(t, s, webtest.Operator, at+"/lore/restore", undoOf(t, a.Body))
	if s.loreText(t) != before {
		t.Errorf("after the undo it is %s", s.loreText(t))
	}
}

func squeeze(text string) string { return strings.Join(strings.Fields(text), "") }

func TestLoreMistakesAndNewerVersions(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.writeBook(t, bookFile)
	for _, c := range []struct{ field, value, says string }{
		{"keys", "", "are missing"},
		{"keys", "/[/", "never matches"},
		{"content", " ", "is empty"},
		{"insertion_order", "first", "takes a number"},
		{"probability", "101", "from 0 to 100"},
	} {
		form := s.open(t, at+"/lore/1")
		form[c.field][0] = c.value
		a := webtest.Post(t, s, webtest.Operator, at+"/lore/1", form)
		check := webtest.Post(t, s, webtest.Operator, at+"/lore/1/check", form)
		if a.Status != http.StatusUnprocessableEntity || !strings.Contains(a.Text, c.says) || !strings.Contains(check.Body, `"`+c.field+`":[`) || s.loreText(t) != bookFile {
			t.Errorf("%s=%q: %d %s; %s", c.field, c.value, a.Status, a.Text, check.Body)
		}
	}
	form := s.open(t, at+"/lore/1")
	form["content"][0] = "Mine."
	newer := strings.Replace(bookFile, "The Copper Kettle", "The Pan", 1)
	s.writeBook(t, newer)
	a := webtest.Post(t, s, webtest.Operator, at+"/lore/1", form)
	if a.Status != http.StatusConflict || !strings.Contains(a.Text, "The Pan") || !strings.Contains(a.Body, "Mine.") || s.loreText(t) != newer {
		t.Errorf("a newer version: %d %s", a.Status, a.Text)
	}
	webtest.Follow(t, s, webtest.Operator, at+"/lore/1", formOf(t, a.Body))
	if s.book(t).Entries[0].Content != "Mine." {
		t.Error("saving again did not write mine")
	}
	for _, path := range []string{"/lore/0", "/lore/3", "/lore/x", "/lore/..%2fnew"} {
		if a := webtest.Get(t, s, webtest.Operator, at+path); a.Status != http.StatusNotFound {
			t.Errorf("%s answers %d", path, a.Status)
		}
	}
	for _, path := range []string{"/lore/new", "/lore/1", "/lore/1/check", "/lore/1/try", "/lore/1/delete", "/lore/1/enable", "/lore/restore"} {
		if a := webtest.Post(t, s, webtest.Viewer, at+path, form); a.Status != http.StatusForbidden {
			t.Errorf("a viewer's POST to %s: %d", path, a.Status)
		}
	}
	payload := `</textarea><img src=x onerror=alert(1)>`
	form = s.open(t, at+"/lore/1")
	form["content"][0], form["keys"][0], form["name"][0] = payload, payload, payload
	webtest.Follow(t, s, webtest.Operator, at+"/lore/1", form)
	for _, path := range []string{"/lore", "/lore/1"} {
		for _, a := range []webtest.Answer{webtest.Get(t, s, webtest.Operator, at+path), webtest.Get(t, s, webtest.Viewer, at+path)} {
			if strings.Contains(a.Body, "<img src=x") || !strings.Contains(a.Text, "onerror=alert(1)") && !strings.Contains(a.Body, "onerror=alert(1)") {
				t.Errorf("%s: %s", path, a.Body)
			}
		}
	}
}

func TestManyEntriesHavePages(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := &lore.Book{}
	for range 120 {
		b.Entries = append(b.Entries, lore.Entry{Keys: []string{"k"}, Content: "c", Enabled: true})
	}
	text, err := b.Write()
	if err != nil {
		t.Fatal(err)
	}
	s.writeBook(t, string(text))
	for _, c := range []struct {
		query string
		rows  int
	}{{"", 50}, {"?from=50", 50}, {"?from=100", 20}, {"?from=-3", 50}, {"?from=900", 50}} {
		a := webtest.Get(t, s, webtest.Viewer, at+"/lore"+c.query)
		if got := strings.Count(a.Body, "tokens</span>"); got != c.rows {
			t.Errorf("%q lists %d entries", c.query, got)
		}
	}
}
