package simulate

import (
	"bytes"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"familiar/web/chart"
	"familiar/web/layout"
	"familiar/web/simulate/report"
	"familiar/web/visitor"
	"familiar/web/webtest"
)

// dashboard returns pages over a folder with reports, and the folder.
func dashboard(t *testing.T) (h http.Handler, dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "reports")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s := &layout.Shell{
		Personas: func() []layout.Persona { return nil }, Now: func() time.Time { return now }, Zone: time.UTC, Log: slog.New(slog.DiscardHandler),
	}
	(&Pages{Dir: dir}).Mount(s)
	return s, dir
}

const payload = `"><script>alert(1)</script>`

// written is a report whose every text is a payload.
func written(t *testing.T) []byte {
	t.Helper()
	at := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	var b bytes.Buffer
	err := report.Report{
		Kind: report.Compare, Title: payload, About: payload, Summary: []report.Figure{{Name: payload, Value: payload}},
		Charts: []report.Chart{
			{Timeline: &chart.Timeline{Title: payload, Panels: []chart.Panel{{Title: payload, Series: []chart.Series{{Name: payload, Points: []chart.Point{{At: at, Value: 1}}}}}}}},
			{Bars: &chart.Bars{Title: payload, Parts: []string{"flat", "full"}, Bars: []chart.Bar{{Name: payload, Values: chart.Values{.25, 1}}}}},
		},
		Tables: []report.Table{{Title: payload, Head: []string{"fact", payload}, Rows: [][]string{{"the boat", payload}}}},
	}.Write(&b)
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func put(t *testing.T, file string, content []byte) {
	t.Helper()
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestReportsOfTheHome(t *testing.T) {
	h, dir := dashboard(t)
	if got := webtest.Get(t, h, webtest.Operator, "/simulate"); got.Status != http.StatusOK || !strings.Contains(got.Text, "There are no reports yet.") {
		t.Errorf("%d %s", got.Status, got.Text)
	}
	put(t, filepath.Join(dir, `a & b.json`), written(t))
	put(t, filepath.Join(dir, "notes.txt"), written(t))
	got := webtest.Get(t, h, webtest.Viewer, "/simulate")
	if !strings.Contains(got.Body, `href="/simulate/report?file=a+%26+b.json"`) || strings.Contains(got.Text, "notes.txt") || strings.Contains(got.Text, "Open a report") {
		t.Errorf("a viewer sees %s", got.Body)
	}
	got = webtest.Get(t, h, webtest.Viewer, "/simulate/report?file=a+%26+b.json")
	for _, want := range []string{payload, "Comparison", "0.25", "the boat"} {
		if !strings.Contains(got.Text, want) {
			t.Errorf("%q is not on the page: %s", want, got.Text)
		}
	}
	if strings.Contains(got.Body, "<script>alert") || strings.Contains(got.Body, "style=") {
		t.Error("the page carries a script or a style of the report")
	}
	if got.Status != http.StatusOK {
		t.Errorf("status %d", got.Status)
	}
}

// TestNamesLeadNowhere: only what is listed is shown.
func TestNamesLeadNowhere(t *testing.T) {
	h, dir := dashboard(t)
	put(t, filepath.Join(filepath.Dir(dir), "secret.json"), written(t))
	if err := os.Symlink("../secret.json", filepath.Join(dir, "link.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "..%2Fsecret.json", "link.json", "folder.json", "%2Fetc%2Fpasswd", "none.json", "%00.json"} {
		if got := webtest.Get(t, h, webtest.Operator, "/simulate/report?file="+name); got.Status != http.StatusNotFound {
			t.Errorf("%s answers %d", name, got.Status)
		}
	}
}

func TestFilesThatAreHandedIn(t *testing.T) {
	h, _ := dashboard(t)
	for name, tc := range map[string]struct {
		content []byte
		who     visitor.Visitor
		status  int
		want    string
	}{
		"a report":                 {written(t), webtest.Operator, http.StatusOK, "the boat"},
		"from a viewer":            {written(t), webtest.Viewer, http.StatusForbidden, "not for you"},
		"the result of --json":     {[]byte(`{"days":365}`), webtest.Operator, http.StatusUnprocessableEntity, "year<1>.json: this is no report of familiar-lab: make one with its option --report FILE"},
		"nothing":                  {nil, webtest.Operator, http.StatusUnprocessableEntity, "choose a report"},
		"of a version still to be": {[]byte(`{"familiar_report":9}`), webtest.Operator, http.StatusUnprocessableEntity, "version 9"},
	} {
		if got := hand(t, h, tc.who, tc.content); got.Code != tc.status || !strings.Contains(unescaped(got.Body.String()), tc.want) {
			t.Errorf("%s: %d %s, want %d with %q", name, got.Code, got.Body, tc.status, tc.want)
		}
	}
}

func unescaped(page string) string {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">").Replace(page)
}

// hand posts a file, nil for none.
func hand(t *testing.T, h http.Handler, who visitor.Visitor, content []byte) *httptest.ResponseRecorder {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if content != nil {
		part, err := form.CreateFormFile("report", "year<1>.json")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = part.Write(content) // a buffer takes everything
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/simulate", &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r.WithContext(visitor.With(r.Context(), who)))
	return w
}
