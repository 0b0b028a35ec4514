package memories_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"familiar/channels"
	"familiar/memory/model"
	"familiar/web/webtest"
)

func TestListIsFilteredAndSearched(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	expect(t, s.list(nil).Text, "Nothing is remembered yet.")
	ann := s.say("tess", "Ann", "I was born in Bergen.")
	s.say("tess", "Ben", "My sister plays the harmonica.")
	group := s.message("Ben", "The harbour club meets on Tuesdays.")
	group.Room, group.Direct, group.RoomTitle = channels.Room{Channel: "desk", ID: "club"}, false, "Harbour club"
	club := s.hear("tess", group)
	s.tell("tess", "The bar closes at eleven.")
	s.say("kit", "Ann", "Kit alone may know of the treasure.")

	all := s.list(nil)
	expect(t, all.Text, "born in Bergen", "harmonica", "harbour club meets", "bar closes", "private with Ann", "in Harbour club", "for everybody", "the operator")
	refuse(t, all.Text, "treasure")
	if strings.Index(all.Text, "bar closes") > strings.Index(all.Text, "born in Bergen") {
		t.Error("the newest is not first")
	}
	for name, c := range map[string]struct {
		query        url.Values
		shows, hides string
	}{
		"origin":            {url.Values{"origin": {"told"}}, "bar closes", "Bergen"},
		"tier":              {url.Values{"tier": {"long"}}, "bar closes", "Bergen"},
		"person":            {url.Values{"person": {fmt.Sprint(ann.AuthorID)}}, "Bergen", "harmonica"},
		"private":           {url.Values{"in": {fmt.Sprintf("private:%d", ann.AuthorID)}}, "Bergen", "bar closes"},
		"private, shared":   {url.Values{"in": {fmt.Sprintf("private:%d", ann.AuthorID)}, "shared": {"1"}}, "bar closes", "harmonica"},
		"group":             {url.Values{"in": {fmt.Sprintf("room:%d", club.Audience.Ref)}}, "harbour club meets", "bar closes"},
		"lore":              {url.Values{"in": {"world"}}, "bar closes", "harbour club meets"},
		"until":             {url.Values{"until": {"2026-01-04"}}, "No memory fits", "Bergen"},
		"from":              {url.Values{"from": {"2026-01-05"}}, "Bergen", "treasure"},
		"search":            {url.Values{"q": {"where was Ann born?"}}, "born in Bergen", "treasure"},
		"search by origin":  {url.Values{"q": {"Bergen bar"}, "origin": {"told"}}, "bar closes", "Bergen"},
		"search by person":  {url.Values{"q": {"harmonica Bergen"}, "person": {fmt.Sprint(ann.AuthorID)}}, "born in Bergen", "My sister"},
		"search by tier":    {url.Values{"q": {"the bar in Bergen"}, "tier": {"long"}}, "bar closes", "born in Bergen"},
		"search in a group": {url.Values{"q": {"harbour club Tuesdays"}, "in": {"world"}}, "Nothing", "harbour club meets"},
		"of another":        {url.Values{"q": {"treasure"}}, "Nothing", "may know of the treasure"},
		"in the future":     {url.Values{"q": {"Bergen"}, "from": {"2027-01-01"}}, "Nothing was found", "born in Bergen"},
		"unknown sector":    {url.Values{"sector": {"seventh"}}, "There is no such sector.", "Bergen"},
		"unknown person":    {url.Values{"person": {"Ann"}}, "This is no number of a person.", "Bergen"},
		"unknown audience":  {url.Values{"in": {"private:x"}}, "There is no such person or group.", "Bergen"},
		"no day":            {url.Values{"from": {"soon"}}, "Write a day such as", "Bergen"},
		"backwards":         {url.Values{"from": {"2026-02-01"}, "until": {"2026-01-01"}}, "The last day is before the first.", "Bergen"},
	} {
		got := results(t, s.list(c.query))
		if !strings.Contains(got, c.shows) || strings.Contains(got, c.hides) {
			t.Errorf("%s: with %q and without %q expected:\n%s", name, c.shows, c.hides, got)
		}
	}
	expect(t, s.list(url.Values{"q": {"born in Bergen"}}).Text, "Why it was found", "Parts of the score", "Weight")
}

// results returns what the page shows as results.
func results(t testing.TB, a webtest.Answer) string {
	t.Helper()
	_, part, found := strings.Cut(a.Body, `<section id="results"`)
	if !found {
		t.Fatalf("the page has no results: %s", a.Body)
	}
	return part
}

// linkTo finds a link of the pager.
var linkTo = map[string]*regexp.Regexp{
	"next": regexp.MustCompile(`href="([^"]+)" rel="next"`), "prev": regexp.MustCompile(`href="([^"]+)" rel="prev"`),
}

func (s *stage) follow(a webtest.Answer, rel string) webtest.Answer {
	s.Helper()
	found := linkTo[rel].FindStringSubmatch(a.Body)
	if found == nil {
		s.Fatalf("no link to %s: %s", rel, a.Text)
	}
	return s.get(strings.ReplaceAll(found[1], "&amp;", "&"))
}

func TestListHasPages(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for i := range 120 {
		s.tell("tess", fmt.Sprintf("Note %03d of the operator.", i))
	}
	first := s.list(url.Values{"origin": {"told"}})
	expect(t, first.Text, "Note 119", "Note 070")
	refuse(t, first.Text, "Note 069", "← Newer")
	second := s.follow(first, "next")
	expect(t, second.Text, "Note 069", "Note 020")
	last := s.follow(second, "next")
	expect(t, last.Text, "Note 019", "Note 000")
	refuse(t, last.Text, "Older →")
	back := s.follow(last, "prev")
	expect(t, back.Text, "Note 069", "Note 020", "← Newer", "Older →")
	refuse(t, back.Text, "Note 019", "Note 070")
	newest := s.follow(back, "prev")
	expect(t, newest.Text, "Note 119", "Note 070", "Older →")
	refuse(t, newest.Text, "← Newer")
	expect(t, s.list(url.Values{"before": {"1"}}).Text, "Nothing more on this side.")
}

func TestHostileQueries(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.tell("tess", `<script>alert("told")</script>`)
	s.say("tess", `<img src=x onerror=alert(1)>`, `"><svg onload=alert(2)>`)
	for _, words := range []string{
		`"`, `"unbalanced AND (`, `NEAR(a, b`, `* OR *`, `a:b^2`, `';DROP TABLE memories;--`, "\x00\xff\xfe", "𒀀𒀁 ࠀ", "\u202eevil\u202c", strings.Repeat("a ", 900),
		strings.Repeat("x", 2000), strings.Repeat("ä", 3000), "   ", "%", "_", `\`, `<script>alert(3)</script>`, `"><svg onload=alert(4)>`, "🦭🦭🦭",
	} {
		for _, more := range []url.Values{{}, {"tag": {words}}, {"sector": {"semantic"}}} {
			more.Set("q", words)
			a := s.list(more) // list fails the test unless it is a page
			refuse(t, a.Body, "<script>alert", "<svg onload", "<img src=x")
		}
	}
	expect(t, s.list(url.Values{"q": {strings.Repeat("ä", 3000)}}).Text, "The search has 3000 characters: use at most 2000.")
	for _, name := range []string{"before", "after", "person", "in", "from", "until", "sector", "tier", "origin"} {
		for _, value := range []string{"-1", "99999999999999999999", "\x00", "<script>alert(5)</script>", "private:0"} {
			refuse(t, s.list(url.Values{name: {value}}).Body, "<script>alert")
		}
	}
	if a := webtest.Get(t, s.pages, webtest.Operator, "/p/tess/memory?q=%zz"); a.Status != http.StatusOK {
		t.Errorf("a query that is no query is answered with %d", a.Status)
	}
}

func TestOutdatedVersionsAreMarked(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	old := s.tell("tess", "The bar closes at ten.")
	if _, err := s.store.Entries.Remember(t.Context(), newer(old, "The bar closes at eleven.")); err != nil {
		t.Fatal(err)
	}
	expect(t, s.list(nil).Text, "The bar closes at ten.", "outdated")
	refuse(t, results(t, s.list(url.Values{"tier": {string(model.Long)}, "before": {"1"}})), "outdated")
}
