package memories_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/model"
	"familiar/web/webtest"
)

func page(m model.Memory, parts ...string) string {
	return fmt.Sprintf("/p/%s/memory/%d", m.Persona, m.ID) + strings.Join(append([]string{""}, parts...), "/")
}

// post sends a form and returns the page that the answer leads to.
func (s *stage) post(path string, form url.Values) webtest.Answer {
	s.Helper()
	return webtest.Follow(s, s.pages, webtest.Operator, path, form)
}

// refused sends a form that must be answered with a status.
func (s *stage) refused(path string, form url.Values, status int) {
	s.Helper()
	if a := webtest.Post(s, s.pages, webtest.Operator, path, form); a.Status != status {
		s.Errorf("%s with %v is answered with %d: %s", path, form, a.Status, a.Text)
	}
}

// now returns a memory as it is.
func (s *stage) now(id int64) model.Memory {
	s.Helper()
	m, err := s.store.Entries.Memory(s.Context(), id)
	if err != nil {
		s.Fatal(err)
	}
	return m
}

func TestMemoryPage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	m := s.now(s.say("tess", "Ann", "I was born in Bergen.").ID)
	s.clock.Advance(48 * time.Hour)
	s.say("tess", "Ann", "Where was I born?")
	a := s.get(page(m))
	expect(t, a.Text, "I was born in Bergen.", "said by people", "private with Ann", "In the conversation", "How it fades", "stored",
		"What it was used for", "Why this answer", "/correct", "Forget…", "born in Bergen")
	expect(t, a.Body, fmt.Sprintf("/p/tess/conversations/%d?message=%d#m%d", 1, m.Sources[0], m.Sources[0]), `<svg`)
	refuse(t, webtest.Get(t, s.pages, webtest.Viewer, page(m)).Text, "Forget…", "Pin", "Link it with")
	other := s.say("kit", "Ann", "Kit alone may know of the treasure.")
	for _, path := range []string{
		fmt.Sprintf("/p/tess/memory/%d", other.ID), fmt.Sprintf("/p/tess/memory/%d/forget", other.ID), "/p/tess/memory/9999", "/p/tess/memory/x", "/p/nobody/memory/1",
	} {
		if a := webtest.Get(t, s.pages, webtest.Operator, path); a.Status != http.StatusNotFound {
			t.Errorf("%s is answered with %d", path, a.Status)
		}
	}
	for _, act := range []string{"pin", "unpin", "promote", "demote", "archive", "boost", "diminish", "tier", "salience", "expire", "tag", "untag", "link", "unlink", "forget", "correct"} {
		if a := webtest.Post(t, s.pages, webtest.Operator, fmt.Sprintf("/p/tess/memory/%d/%s", other.ID, act), nil); a.Status != http.StatusNotFound {
			t.Errorf("%s of another persona's memory is answered with %d", act, a.Status)
		}
		if a := webtest.Post(t, s.pages, webtest.Viewer, page(m, act), nil); a.Status != http.StatusForbidden {
			t.Errorf("%s of a viewer is answered with %d", act, a.Status)
		}
	}
	s.refused("/p/tess/memory/"+fmt.Sprint(m.ID)+"/link", url.Values{"other": {fmt.Sprint(other.ID)}, "kind": {"relates_to"}}, http.StatusUnprocessableEntity)
}

func TestMarkupInAMemoryIsText(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>`
	m := s.say("tess", `<svg onload=alert(3)>`, evil)
	if _, err := s.store.Entries.Tag(t.Context(), m.ID, "a"+evil); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{page(m), page(m, "forget"), "/p/tess/memory", "/p/tess/memory/new?person=" + fmt.Sprint(m.AuthorID), "/p/tess/memory/rules?rule=" + url.QueryEscape(evil)} {
		refuse(t, s.get(path).Body, "<script>alert", "<img src=x", "<svg onload")
	}
	expect(t, s.get(page(m)).Text, evil)
}

func TestEditsAreUndone(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	m := s.say("tess", "Ann", "I was born in Bergen.")
	for _, c := range []struct {
		act, says string
		form      url.Values
		changed   func(model.Memory) bool
		undo      string
		back      url.Values
	}{
		{"pin", "Pinned", nil, func(m model.Memory) bool { return m.Pinned }, "unpin", nil},
		{"promote", "a tier up", nil, func(m model.Memory) bool { return m.Tier == model.Long }, "tier", url.Values{"tier": {string(m.Tier)}}},
		{"archive", "Archived", nil, func(m model.Memory) bool { return m.Tier == model.Dormant }, "tier", url.Values{"tier": {string(m.Tier)}}},
		{"demote", "a tier down", nil, func(m model.Memory) bool { return m.Tier == m.Tier.Demoted() || m.Tier == model.Dormant }, "tier", url.Values{"tier": {string(m.Tier)}}},
		{"boost", "matters more", nil, func(now model.Memory) bool { return now.Salience > m.Salience }, "salience", url.Values{"salience": {fmt.Sprint(m.Salience)}}},
		{"diminish", "matters less", nil, func(now model.Memory) bool { return now.Salience < m.Salience }, "salience", url.Values{"salience": {fmt.Sprint(m.Salience)}}},
		{"expire", "expires at the beginning of 1 March 2026", url.Values{"on": {"2026-03-01"}}, func(m model.Memory) bool { return !m.Expires.IsZero() }, "expire", nil},
		{"tag", "Tagged", url.Values{"tag": {"Old Town"}}, func(m model.Memory) bool { return len(m.Tags) == 1 && m.Tags[0] == "old-town" }, "untag", url.Values{"tag": {"Old Town"}}},
	} {
		before := s.now(m.ID)
		a := s.post(page(m, c.act), c.form)
		expect(t, a.Text, c.says, "Undo")
		expect(t, a.Body, `action="`+page(m, c.undo)+`"`)
		if now := s.now(m.ID); !c.changed(now) {
			t.Errorf("%s changed nothing: %+v", c.act, now)
		}
		s.post(page(m, c.undo), c.back)
		if now := s.now(m.ID); now.Tier != before.Tier || now.Pinned != before.Pinned || now.Salience != before.Salience || !now.Expires.Equal(before.Expires) || len(now.Tags) != len(before.Tags) {
			t.Errorf("%s is not undone: %+v, not %+v", c.act, now, before)
		}
	}
	for act, form := range map[string]url.Values{
		"tier": {"tier": {"seventh"}}, "salience": {"salience": {"NaN"}}, "expire": {"on": {"2020-01-01"}}, "tag": {"tag": {" "}},
	} {
		s.refused(page(m, act), form, http.StatusUnprocessableEntity)
	}
	s.refused(page(m, "expire"), url.Values{"on": {"soon"}}, http.StatusUnprocessableEntity)
}

func TestLinks(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	one, two := s.tell("tess", "The bar closes at eleven."), s.tell("tess", "On Sundays the bar closes at nine.")
	number := fmt.Sprint(two.ID)
	a := s.post(page(one, "link"), url.Values{"kind": {"contradicts"}, "other": {"#" + number}, "weight": {"0.4"}})
	expect(t, a.Text, "Linked with memory "+number, "contradicts On Sundays", "40 %")
	expect(t, s.get(page(two)).Text, "is contradicted by The bar closes at eleven.")
	a = s.post(page(two, "unlink"), url.Values{"kind": {"contradicts"}, "other": {fmt.Sprint(one.ID)}, "from": {"other"}, "weight": {"0.4"}})
	expect(t, a.Text, "is removed", "Nothing is linked with it.")
	expect(t, a.Body, `name="from" value="other"`, `name="weight" value="0.4"`)
	s.post(page(two, "link"), url.Values{"kind": {"contradicts"}, "other": {fmt.Sprint(one.ID)}, "from": {"other"}, "weight": {"0.4"}})
	edges, err := s.store.Lifecycle.Edges(t.Context(), "tess", one.ID, 0)
	if err != nil || len(edges) != 1 || edges[0].From != one.ID || edges[0].Weight != 0.4 {
		t.Errorf("after undoing there are %+v, %v", edges, err)
	}
	s.post(page(one, "unlink"), url.Values{"kind": {"contradicts"}, "other": {number}})
	s.post(page(one, "link"), url.Values{"kind": {"contains"}, "other": {number}})
	expect(t, s.get(page(one)).Text, "What it contains", "On Sundays the bar")
	expect(t, s.get(page(two)).Text, "› The bar closes at eleven.")
	for _, form := range []url.Values{
		{"kind": {"contains"}, "other": {"x"}},
		{"kind": {"contains"}, "other": {"99"}},
		{"kind": {"loves"}, "other": {number}},
		{"kind": {"implies"}, "other": {number}, "weight": {"7"}},
		{"kind": {"implies"}, "other": {fmt.Sprint(one.ID)}},
		{"kind": {"contains"}, "other": {number}, "from": {"other"}},
	} {
		s.refused(page(one, "link"), form, http.StatusUnprocessableEntity)
	}
}

func TestForgetAsksAndForgets(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	m := s.say("tess", "Ann", "I was born in Bergen.")
	expect(t, s.get(page(m, "forget")).Text, "Forget this memory?", "I was born in Bergen.", "1 memory", "1 message", "It cannot be undone.")
	if s.now(m.ID).Text == "" {
		t.Fatal("asking forgot it")
	}
	expect(t, s.post(page(m, "forget"), nil).Text, "Forgotten: 1 memory")
	if _, err := s.store.Entries.Memory(t.Context(), m.ID); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("it is still there: %v", err)
	}
	a := s.get("/p/tess/memory/forgotten")
	expect(t, a.Text, "a memory was forgotten")
	refuse(t, a.Text, "Bergen")
}

func TestNotesAndCorrections(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ann := s.say("tess", "Ann", "Hello, it is me, Ann.").AuthorID
	form := url.Values{"text": {"The bar closes at ten."}, "sector": {"semantic"}, "salience": {"80"}, "tags": {"bar, opening hours,"}, "pinned": {"1"}}
	a := s.post("/p/tess/memory/new", form)
	expect(t, a.Text, "Noted.", "The bar closes at ten.", "for everybody", "pinned", "opening-hours", "80 %")
	lore := s.newest()
	form.Set("about", fmt.Sprint(ann))
	form.Set("text", "Ann lives in Bonn.")
	expect(t, s.post("/p/tess/memory/new", form).Text, "private with Ann", "Ann lives in Bonn.")
	note := s.newest()
	for _, m := range []model.Memory{lore, note} {
		expect(t, s.get(page(m, "correct")).Text, m.Text)
		a := s.post(page(m, "correct"), url.Values{"text": {"Instead: " + m.Text}})
		expect(t, a.Text, "Corrected.", "Instead: "+m.Text, "Versions", "outdated")
		if now := s.newest(); now.Supersedes != m.ID || now.Audience != m.Audience || now.Pinned != m.Pinned || len(now.Tags) != len(m.Tags) {
			t.Errorf("the newer version is %+v", now)
		}
		expect(t, s.get(page(m)).Text, "This version is outdated")
	}
	form.Set("text", "  ")
	a = webtest.Post(t, s.pages, webtest.Operator, "/p/tess/memory/new", form)
	expect(t, a.Text, "the text is empty")
	expect(t, a.Body, `aria-invalid="true"`, "opening hours")
	form.Set("text", strings.Repeat("long ", 5000))
	expect(t, webtest.Post(t, s.pages, webtest.Operator, "/p/tess/memory/new", form).Text, "at most 20000")
	form.Set("about", "99")
	s.refused("/p/tess/memory/new", form, http.StatusNotFound)
	said := s.say("tess", "Ann", "I was born in Bergen.")
	s.refused(page(said, "correct"), url.Values{"text": {"I was born in Oslo."}}, http.StatusNotFound)
}

// newest returns the newest memory of Tess with its tags.
func (s *stage) newest() model.Memory {
	s.Helper()
	found, err := s.store.Entries.ListMemories(s.Context(), entry.MemoryFilter{Persona: "tess", Limit: 1})
	if err != nil || len(found) == 0 {
		s.Fatalf("there is no memory: %v", err)
	}
	return s.now(found[0].ID)
}

func TestRules(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	m := s.say("tess", "Ann", "I was born in Bergen.")
	const rule = "promote any long when salience >= 0"
	expect(t, s.get("/p/tess/memory/rules").Text, "built in", "demote any dormant when faded")
	tried := s.get("/p/tess/memory/rules?" + url.Values{"rule": {rule}}.Encode())
	expect(t, tried.Text, "would move tonight", "born in Bergen", "Add this rule")
	expect(t, s.get("/p/tess/memory/rules?rule=promote+it").Body, `role="alert"`)
	expect(t, s.post("/p/tess/memory/rules/add", url.Values{"rule": {rule}}).Text, "Added: "+rule, "Undo")
	own, err := s.store.Lifecycle.Rules(t.Context(), "tess")
	if err != nil || own[0].String() != rule {
		t.Fatalf("the rules are %v, %v", own, err)
	}
	s.refused("/p/kit/memory/rules/remove", url.Values{"rule": {fmt.Sprint(own[0].ID)}}, http.StatusNotFound)
	s.refused("/p/tess/memory/rules/remove", url.Values{"rule": {"0"}}, http.StatusNotFound)
	s.refused("/p/tess/memory/rules/add", url.Values{"rule": {"be nice"}}, http.StatusUnprocessableEntity)
	expect(t, s.post("/p/tess/memory/rules/remove", url.Values{"rule": {fmt.Sprint(own[0].ID)}}).Text, "Removed: "+rule, "Undo")
	if s.now(m.ID).Tier == model.Long {
		t.Error("trying a rule moved a memory")
	}
}
