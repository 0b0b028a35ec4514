package character_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"familiar/persona/card"
	"familiar/persona/character"
	"familiar/web/visitor"
	"familiar/web/webtest"
)

// upload sends a file, and returns the status and the page.
func (s *stage) upload(t *testing.T, who visitor.Visitor, name string, data []byte, as string) (int, string) {
	t.Helper()
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	part, err := m.CreateFormFile("file", name)
	if err != nil {
		t.Fatal(err)
	}
	part.Write(data)
	m.WriteField("csrf", who.CSRF)
	m.WriteField("as", as)
	m.Close()
	r := httptest.NewRequestWithContext(visitor.With(t.Context(), who), http.MethodPost, at+"/import", &body)
	r.Header.Set("Content-Type", m.FormDataContentType())
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

var token = regexp.MustCompile(`name="token" value="([^"]+)"`)

func tokenOf(t *testing.T, page string) string {
	t.Helper()
	m := token.FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("nothing can be imported: %s", page)
	}
	return m[1]
}

const minaCard = `{"spec":"chara_card_v2","spec_version":"2.0","data":{"name":"Mina <b>","description":"</td><script>alert(1)</script>","first_mes":"Hi",
	"extensions":{"odd<img>":1},"character_book":{"entries":[{"keys":["bar"],"content":"c","enabled":true,"insertion_order":1,"extensions":{}}]}}}`

func TestImportShowsAPlanAndThenWrites(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	status, page := s.upload(t, webtest.Operator, "Mina.json", []byte(minaCard), "")
	if status != http.StatusOK || !strings.Contains(page, "character_book") || strings.Contains(page, "<script>alert") || strings.Contains(page, "odd<img>") {
		t.Fatalf("%d %s", status, page)
	}
	if _, err := card.LoadCard(s.dir, "mina-b"); err == nil {
		t.Error("the plan wrote something")
	}
	form := url.Values{"token": {tokenOf(t, page)}, "as": {"mina"}}
	if a := webtest.Post(t, s, visitor.Visitor{Role: visitor.Operator, CSRF: "another browser"}, at+"/import/write", form); a.Status != http.StatusUnprocessableEntity {
		t.Errorf("another browser: %d", a.Status)
	}
	webtest.Follow(t, s, webtest.Operator, at+"/import/write", form)
	c, err := card.LoadCard(s.dir, "mina")
	if err != nil || c.Name != "Mina <b>" || len(c.Sheet.Lore.Book.Entries) != 1 {
		t.Fatalf("%+v, %v", c, err)
	}
	if source, err := card.Source(s.dir, "mina"); err != nil || source == nil {
		t.Errorf("the original is not kept: %v, %v", source, err)
	}
	if a := webtest.Post(t, s, webtest.Operator, at+"/import/write", form); a.Status != http.StatusUnprocessableEntity {
		t.Errorf("the file is imported twice: %d", a.Status)
	}
}

func TestImportReplacesOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.writeBook(t, bookFile)
	_, page := s.upload(t, webtest.Operator, "Mina.json", []byte(minaCard), "vera")
	form := url.Values{"token": {tokenOf(t, page)}, "as": {"vera"}}
	a := webtest.Post(t, s, webtest.Operator, at+"/import/write", form)
	if a.Status != http.StatusOK || !strings.Contains(a.Text, "is there already") || s.file(t) != veraFile {
		t.Fatalf("%d %s", a.Status, a.Text)
	}
	form.Set("token", tokenOf(t, a.Body))
	form.Set("replace", "vera")
	webtest.Follow(t, s, webtest.Operator, at+"/import/write", form)
	if s.file(t) == veraFile || len(s.book(t).Entries) != 1 {
		t.Errorf("nothing was replaced: %s", s.file(t))
	}
	versions, err := card.Versions(s.dir, "vera")
	lores, loreErr := card.LoreVersions(s.dir, "vera")
	if err != nil || loreErr != nil || len(versions) != 2 || len(lores) != 2 {
		t.Fatalf("%d and %d versions are kept, %v, %v", len(versions), len(lores), err, loreErr)
	}
	text, _ := versions[0].Text()
	book, _ := lores[0].Text()
	if string(text) != veraFile || string(book) != bookFile {
		t.Error("what was replaced is lost")
	}
	// A second import keeps the first card.
	_, page = s.upload(t, webtest.Operator, "Mina.json", []byte(minaCard+" "), "vera")
	webtest.Follow(t, s, webtest.Operator, at+"/import/write", url.Values{"token": {tokenOf(t, page)}, "as": {"vera"}, "replace": {"vera"}})
	if kept, err := filepath.Glob(filepath.Join(s.dir, "history", "vera", "cards", "*.json")); err != nil || len(kept) != 1 {
		t.Errorf("%v is kept, %v", kept, err)
	}
}

func TestBadUploadsLeaveNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, c := range []struct{ name, data, as, says string }{
		{"x.json", "{", "", "read the card"},
		{"x.png", "no picture", "", ""},
		{"x.png", "\x89PNG\r\n\x1a\n", "", "breaks off"},
		{"x.charx", "PK\x03\x04", "", ""},
		{"x.yaml", "name: [", "", "not YAML"},
		{"../../evil.yaml", veraFile, "../evil", "not a valid key"},
		{"ok.json", minaCard, "a/b", "not a valid key"},
		{"ok.json", minaCard, "..", "not a valid key"},
		{"book.json", bookFile, "", "it is a lorebook"},
	} {
		status, page := s.upload(t, webtest.Operator, c.name, []byte(c.data), c.as)
		if status != http.StatusUnprocessableEntity || !strings.Contains(page, c.says) {
			t.Errorf("%s as %q: %d %s", c.name, c.as, status, page)
		}
	}
	if status, page := s.upload(t, webtest.Operator, "../../evil.yaml", []byte(veraFile), ""); status != http.StatusOK || !strings.Contains(page, `value="evil"`) {
		t.Errorf("a path as a name: %d %s", status, page)
	}
	if status, _ := s.upload(t, webtest.Operator, "big.png", make([]byte, character.MaxFile+1), ""); status != http.StatusUnprocessableEntity {
		t.Errorf("a file that is too long: %d", status)
	}
	if status, _ := s.upload(t, webtest.Operator, "huge.png", make([]byte, character.MaxFile+2<<20), ""); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a file that is much too long: %d", status)
	}
	if status, _ := s.upload(t, webtest.Viewer, "ok.json", []byte(minaCard), ""); status != http.StatusForbidden {
		t.Errorf("a viewer's upload: %d", status)
	}
	_, page := s.upload(t, webtest.Operator, "Mina.json", []byte(minaCard), "")
	s.clock.Advance(11 * time.Minute)
	if a := webtest.Post(t, s, webtest.Operator, at+"/import/write", url.Values{"token": {tokenOf(t, page)}, "as": {"mina"}}); a.Status != http.StatusUnprocessableEntity || !strings.Contains(a.Text, "waited too long") {
		t.Errorf("an old file: %d %s", a.Status, a.Text)
	}
	if files, err := os.ReadDir(s.dir); err != nil || len(files) != 1 {
		t.Errorf("%v is there, %v", files, err)
	}
}

func TestExport(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.writeBook(t, bookFile)
	for _, format := range []string{"json", "png", "charx"} {
		a := webtest.Get(t, s, webtest.Viewer, at+"/export/"+format)
		f, err := character.Parse([]byte(a.Body))
		if a.Status != http.StatusOK || err != nil || f.Name != "Vera" || len(f.Book.Entries) != 2 || a.Header.Get("Content-Disposition") != "attachment; filename=vera."+format {
			t.Errorf("%s: %d %v, %v", format, a.Status, a.Header, err)
		}
	}
	if a := webtest.Get(t, s, webtest.Operator, at+"/export/yaml"); a.Body != veraFile {
		t.Errorf("the file is %s", a.Body)
	}
	for _, format := range []string{"exe", "..%2fvera.yaml", "YAML"} {
		if a := webtest.Get(t, s, webtest.Operator, at+"/export/"+format); a.Status != http.StatusNotFound {
			t.Errorf("%s: %d", format, a.Status)
		}
	}
}

func TestTheFileIsEditedAsItIs(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	form := s.open(t, at+"/file")
	if a := webtest.Post(t, s, webtest.Operator, at+"/file", form); a.Status != http.StatusSeeOther || s.file(t) != veraFile {
		t.Errorf("unchanged: %d\n%s", a.Status, s.file(t))
	}
	stale := s.open(t, at+"/file")
	want := strings.Replace(veraFile, "'Short.'", "Long. # </textarea><script>", 1)
	form.Set("text", strings.ReplaceAll(want, "\n", "\r\n"))
	a := webtest.Follow(t, s, webtest.Operator, at+"/file", form)
	if s.file(t) != want || strings.Contains(a.Body, "<script>\n") || strings.Contains(a.Body, "# </textarea>") {
		t.Errorf("%s", s.file(t))
	}
	if a := webtest.Post(t, s, webtest.Operator, at+"/file", stale); a.Status != http.StatusConflict || s.file(t) != want || !strings.Contains(a.Text, "added: voice: 'Short.'") {
		t.Errorf("a stale page: %d %s", a.Status, a.Text)
	}
	form = s.open(t, at+"/file")
	form.Set("text", "name: Vera\ndescription: d\nvoise: x\n")
	bad := webtest.Post(t, s, webtest.Operator, at+"/file", form)
	check := webtest.Post(t, s, webtest.Operator, at+"/file/check", form)
	if says := `vera.yaml:3:1: unknown key "voise"`; bad.Status != http.StatusUnprocessableEntity || !strings.Contains(bad.Text, says) || !strings.Contains(check.Body, "vera.yaml:3:1") || s.file(t) != want {
		t.Errorf("%d %s; %s", bad.Status, bad.Text, check.Body)
	}
	if !strings.Contains(bad.Body, "voise: x") {
		t.Error("what was typed is gone")
	}
	s.write(t, "name: [\n") // a broken file can be mended here
	form = s.open(t, at+"/file")
	form.Set("text", veraFile)
	webtest.Follow(t, s, webtest.Operator, at+"/file", form)
	if s.file(t) != veraFile {
		t.Errorf("%s", s.file(t))
	}
	if a := webtest.Post(t, s, webtest.Viewer, at+"/file", form); a.Status != http.StatusForbidden {
		t.Errorf("a viewer saved: %d", a.Status)
	}
}
