package character_test

import (
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"familiar/memory/memorytest"
	"familiar/persona/card"
	"familiar/web/character"
	"familiar/web/layout"
	"familiar/web/webtest"
)

// veraFile is a persona with every field and comments everywhere.
const veraFile = `# Vera of the harbour.
name: Vera # short
nickname: V
description: >-
  Vera keeps the light at the harbour,
  and listens.

# Character.
traits:
  warm: 0.8 # very
  wry: 0.6
values: [patience, "a plain answer"]
personality: Calm.
scenario: |-
  It is night.

  The lamp turns.
# How she talks.
voice: 'Short.'
greetings:
  - "Hello, {name}." # first
  - "You again, {name}?"
interests: [tides]
examples:
  # one is enough
  - person: How are you?
    persona: Dry.
first_messages:
  - The lamp turns.
group_greetings: [Evening all.]
example_dialogue: "{{char}}: Mind the step."
system_prompt: Stay calm.
post_history_instructions: Be brief.
author_note:
  text: It rains.
  depth: 2
  role: system
boundaries:
  - Says that it is a program.
rating: everyone
world_facts: true
sectors:
  semantic: 2
fading:
  episodic: 0.01
language: en
timezone: Europe/Lisbon
# The end.
`

// stage is the pages on a store with the persona vera.
type stage struct {
	http.Handler
	dir   string
	pages *character.Pages
	clock *memorytest.Clock
}

func newStage(t *testing.T) *stage {
	t.Helper()
	clock := &memorytest.Clock{}
	store := memorytest.OpenAt(t, clock)
	s := &stage{dir: t.TempDir(), clock: clock}
	s.write(t, veraFile)
	s.pages = &character.Pages{Store: store, Dir: s.dir, Now: clock.Now, Running: func() bool { return true }, Log: slog.New(slog.DiscardHandler)}
	s.remount()
	return s
}

// remount mounts the pages as they are now.
func (s *stage) remount() {
	shell := &layout.Shell{
		Personas: func() []layout.Persona { return []layout.Persona{{Key: "vera", Name: "Vera"}} }, Now: s.clock.Now, Zone: time.UTC,
		Log: slog.New(slog.DiscardHandler),
	}
	s.pages.Mount(shell)
	s.Handler = shell
}

func (s *stage) write(t *testing.T, text string) {
	t.Helper()
	if err := os.WriteFile(card.CardFile(s.dir, "vera"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (s *stage) file(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(card.CardFile(s.dir, "vera"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const at = "/p/vera/character"

// formOf returns what a browser would send of the form on a page.
func formOf(t *testing.T, page string) url.Values {
	t.Helper()
	sent, inside := url.Values{}, false
	var name, text, option string
	var options int
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			if len(sent) == 0 {
				t.Fatalf("the page has no form: %s", page)
			}
			return sent
		case html.StartTagToken, html.SelfClosingTagToken:
			tag := z.Token()
			got := map[string]string{}
			for _, a := range tag.Attr {
				got[a.Key] = a.Val
			}
			switch _, selected := got["selected"]; {
			case tag.Data == "form":
				inside = got["id"] == "edit"
			case !inside && got["form"] != "edit":
			case tag.Data == "input" && (got["type"] != "checkbox" || strings.Contains(tag.String(), " checked")):
				sent.Add(got["name"], got["value"])
			case tag.Data == "textarea", tag.Data == "select":
				name, text, option, options = got["name"], "", "", 0
			case tag.Data == "option":
				if options++; selected || options == 1 {
					option = got["value"]
				}
			}
		case html.TextToken:
			text += html.UnescapeString(string(z.Raw()))
		case html.EndTagToken:
			switch tag := z.Token(); {
			case tag.Data == "form":
				inside = false
			case tag.Data == "textarea" && name != "":
				sent.Add(name, strings.ReplaceAll(strings.TrimPrefix(text, "\n"), "\n", "\r\n"))
				name = ""
			case tag.Data == "select" && name != "":
				sent.Add(name, option)
				name = ""
			}
		}
	}
}

// open returns the form of a page.
func (s *stage) open(t *testing.T, path string) url.Values {
	t.Helper()
	a := webtest.Get(t, s, webtest.Operator, path)
	if a.Status != http.StatusOK {
		t.Fatalf("%s answers %d: %s", path, a.Status, a.Text)
	}
	return formOf(t, a.Body)
}

func TestAnUnchangedFormWritesNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, path := range []string{"", "/voice", "/boundaries", "/remembering"} {
		if a := webtest.Post(t, s, webtest.Operator, at+path, s.open(t, at+path)); a.Status != http.StatusSeeOther || s.file(t) != veraFile {
			t.Errorf("%q: %d %s\n%s", path, a.Status, a.Text, s.file(t))
		}
	}
	if files, err := os.ReadDir(s.dir); err != nil || len(files) != 1 {
		t.Errorf("the directory has %v, %v", files, err)
	}
}

func TestEveryFieldChangesNothingElse(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, c := range []struct {
		path, field string
		at          int
		value       string
		old, now    string
	}{
		{"", "name", 0, "Vera Lund", "name: Vera #", "name: Vera Lund #"},
		{"", "nickname", 0, "", "nickname: V\n", ""},
		{"", "description", 0, "Vera keeps the light.\r\n", "description: >-\n  Vera keeps the light at the harbour,\n  and listens.\n", "description: Vera keeps the light.\n"},
		{"", "traits", 1, "0,5", "warm: 0.8 # very", "warm: 0.5 # very"},
		{"", "values", 0, "patience\r\n\r\nwit: dry\r\n", "values: [patience, \"a plain answer\"]\n", "values:\n  - patience\n  - \"wit: dry\"\n"},
		{"", "personality", 0, "Calm.\r\nSlow.", "personality: Calm.\n", "personality: |-\n  Calm.\n  Slow.\n"},
		{"", "scenario", 0, "It is day.\r\n\r\nThe lamp rests.", "  It is night.\n\n  The lamp turns.\n", "  It is day.\n\n  The lamp rests.\n"},
		{"", "interests", 0, "", "interests: [tides]\n", ""},
		{"", "language", 0, "de", "language: en\n", "language: de\n"},
		{"", "timezone", 0, "UTC", "timezone: Europe/Lisbon\n", "timezone: UTC\n"},
		{"/voice", "voice", 0, "- Short: #1", "voice: 'Short.'\n", "voice: \"- Short: #1\"\n"},
		{"/voice", "greetings", 0, "Ahoy, {name}.", "greetings:\n  - \"Hello, {name}.\" # first\n  - \"You again, {name}?\"\n", "greetings:\n  - Ahoy, {name}.\n"},
		{"/voice", "examples", 1, "Wet.", "examples:\n  # one is enough\n  - person: How are you?\n    persona: Dry.\n", "examples:\n  - person: How are you?\n    persona: Wet.\n"},
		{"/voice", "first_messages", 1, "Who is there?", "first_messages:\n  - The lamp turns.\n", "first_messages:\n  - The lamp turns.\n  - Who is there?\n"},
		{"/voice", "group_greetings", 0, "", "group_greetings: [Evening all.]\n", ""},
		{"/voice", "example_dialogue", 0, "{{char}}: Mind.", "example_dialogue: \"{{char}}: Mind the step.\"\n", "example_dialogue: \"{{char}}: Mind.\"\n"},
		{"/voice", "system_prompt", 0, "Stay.", "system_prompt: Stay calm.\n", "system_prompt: Stay.\n"},
		{"/voice", "post_history_instructions", 0, "", "post_history_instructions: Be brief.\n", ""},
		{"/voice", "author_note", 1, "3", "  depth: 2\n", "  depth: 3\n"},
		{"/boundaries", "boundaries", 0, "No lies.", "  - Says that it is a program.\n", "  - No lies.\n"},
		{"/boundaries", "rating", 0, "adult", "rating: everyone\n", "rating: adult\n"},
		{"/boundaries", "world_facts", 0, "false", "world_facts: true\n", "world_facts: false\n"},
		{"/remembering", "sectors", 0, "3", "  semantic: 2\n", "  semantic: 2\n  episodic: 3\n"},
		{"/remembering", "fading", 0, "", "fading:\n  episodic: 0.01\n", ""},
	} {
		s.write(t, veraFile)
		form := s.open(t, at+c.path)
		form[c.field][c.at] = c.value
		a := webtest.Follow(t, s, webtest.Operator, at+c.path, form)
		want := strings.Replace(veraFile, c.old, c.now, 1)
		if got := s.file(t); got != want || want == veraFile {
			t.Errorf("%s:\n%s\nwant\n%s", c.field, got, want)
			continue
		}
		if !strings.Contains(a.Text, "Saved: ") || !strings.Contains(a.Text, "in use within 4 seconds") {
			t.Errorf("%s: the page says %s", c.field, a.Text)
		}
		// The undo of the notice brings the file back, byte by byte.
		undo := undoOf(t, a.Body)
		if a := webtest.Follow(t, s, webtest.Operator, at+"/restore", undo); s.file(t) != veraFile || !strings.Contains(a.Text, "is back") {
			t.Errorf("%s: after the undo, %s\n%s", c.field, a.Text, s.file(t))
		}
	}
}

var hidden = regexp.MustCompile(`<input type="hidden" name="(number|base|back)" value="([^"]*)"`)

// undoOf returns the fields of the undo on a page.
func undoOf(t *testing.T, page string) url.Values {
	t.Helper()
	_, rest, found := strings.Cut(page, `class="notice"`)
	part, _, _ := strings.Cut(rest, "</form>")
	if !found || !strings.Contains(part, "Undo") {
		t.Fatalf("nothing can be undone: %s", page)
	}
	fields := url.Values{}
	for _, m := range hidden.FindAllStringSubmatch(part, -1) {
		fields.Add(m[1], html.UnescapeString(m[2]))
	}
	return fields
}

func TestMistakesAreShownBesideTheFieldAndKeepWhatWasTyped(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, c := range []struct {
		path, field string
		at          int
		value, says string
	}{
		{"", "name", 0, "", "is empty"},
		{"", "traits", 1, "7", "warm: is 7: take 0 to 1"},
		{"", "traits", 1, "much", "takes a number"},
		{"", "traits", 0, "wry", "given twice"},
		{"", "language", 0, "klingonese language", "no language tag"},
		{"", "timezone", 0, "../../etc/passwd", "no timezone"},
		{"/voice", "greetings", 0, "Hi {you}", "no. 1: has braces"},
		{"/voice", "author_note", 1, "-1", "number of messages"},
		{"/voice", "examples", 1, "", "no. 1, persona: is missing"},
		{"/boundaries", "rating", 0, "x", "take everyone or adult"},
		{"/remembering", "sectors", 0, "NaN", "episodic"},
	} {
		form := s.open(t, at+c.path)
		form[c.field][c.at] = c.value
		a := webtest.Post(t, s, webtest.Operator, at+c.path, form)
		if a.Status != http.StatusUnprocessableEntity || !strings.Contains(a.Text, c.says) || s.file(t) != veraFile {
			t.Errorf("%s=%q: %d %s", c.field, c.value, a.Status, a.Text)
			continue
		}
		if again := formOf(t, a.Body); c.field != "rating" && again[c.field][c.at] != c.value {
			t.Errorf("%s=%q: the form has %q again", c.field, c.value, again[c.field])
		}
		if !strings.Contains(a.Body, `aria-invalid="true"`) {
			t.Errorf("%s=%q: no control is marked", c.field, c.value)
		}
		check := webtest.Post(t, s, webtest.Operator, at+c.path+"/check", form)
		if check.Status != http.StatusOK || !strings.Contains(check.Body, `"`+c.field+`":[`) || !strings.Contains(check.Text, strings.Split(c.says, "&")[0]) {
			t.Errorf("%s=%q: the check says %s", c.field, c.value, check.Body)
		}
	}
}

func TestASaveOverANewerVersionLosesNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	mine := s.open(t, at)
	theirs := s.open(t, at)
	theirs["nickname"][0] = "Vee"
	theirs["language"][0] = "pt"
	webtest.Follow(t, s, webtest.Operator, at, theirs)
	newer := s.file(t)

	mine["nickname"][0] = "Vivi"
	mine["timezone"][0] = "UTC"
	a := webtest.Post(t, s, webtest.Operator, at, mine)
	if a.Status != http.StatusConflict || s.file(t) != newer {
		t.Fatalf("%d: %s\n%s", a.Status, a.Text, s.file(t))
	}
	again := formOf(t, a.Body)
	if again["nickname"][0] != "Vivi" || again["timezone"][0] != "UTC" || again["language"][0] != "pt" || !strings.Contains(a.Text, "The newer version has: Vee") {
		t.Errorf("the form has %v, the page says %s", again, a.Text)
	}
	webtest.Follow(t, s, webtest.Operator, at, again)
	if got := s.file(t); !strings.Contains(got, "nickname: Vivi\n") || !strings.Contains(got, "language: pt\n") || !strings.Contains(got, "timezone: UTC\n") {
		t.Errorf("both are not in\n%s", got)
	}
	// An undo that is too late changes nothing either.
	late := webtest.Post(t, s, webtest.Operator, at+"/restore", url.Values{"number": {"1"}, "base": {card.Mark([]byte(newer))}})
	if late.Status != http.StatusUnprocessableEntity || !strings.Contains(late.Text, "nothing was brought back") || !strings.Contains(s.file(t), "Vivi") {
		t.Errorf("a late undo: %d %s", late.Status, late.Text)
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	if a := webtest.Get(t, s, webtest.Operator, at+"/history"); !strings.Contains(a.Text, "No version is kept yet") {
		t.Errorf("an empty history says %s", a.Text)
	}
	form := s.open(t, at+"/voice")
	form["voice"][0] = "Long."
	webtest.Follow(t, s, webtest.Operator, at+"/voice", form)
	a := webtest.Get(t, s, webtest.Viewer, at+"/history")
	for _, says := range []string{"Version 2", "changed on this page", "in use", "Version 1", "as it was found"} {
		if !strings.Contains(a.Text, says) {
			t.Errorf("the history lacks %q: %s", says, a.Text)
		}
	}
	if strings.Contains(a.Text, "Bring it back") {
		t.Error("a viewer is offered to bring a version back")
	}
	version := webtest.Get(t, s, webtest.Operator, at+"/history/2")
	if !strings.Contains(version.Text, "removed: voice: 'Short.'") || !strings.Contains(version.Text, "added: voice: Long.") {
		t.Errorf("the version says %s", version.Text)
	}
	for _, path := range []string{"/history/9", "/history/x", "/history/..%2f1", "/history/-1"} {
		if a := webtest.Get(t, s, webtest.Operator, at+path); a.Status != http.StatusNotFound {
			t.Errorf("%s answers %d", path, a.Status)
		}
	}
	back := webtest.Follow(t, s, webtest.Operator, at+"/restore", url.Values{"number": {"1"}, "base": {card.Mark([]byte(s.file(t)))}})
	if s.file(t) != veraFile || !strings.Contains(back.Text, "Version 1 is back") {
		t.Errorf("%s\n%s", back.Text, s.file(t))
	}
}

func TestAViewerReadsAndChangesNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	form := s.open(t, at)
	form["name"][0] = "Mallory"
	for _, path := range []string{"", "/voice", "/boundaries", "/remembering", "/check", "/restore"} {
		if a := webtest.Post(t, s, webtest.Viewer, at+path, form); a.Status != http.StatusForbidden {
			t.Errorf("a viewer's POST to %q: %d", path, a.Status)
		}
		if a := webtest.Post(t, s, webtest.Person("vera", 1), at+path, form); a.Status != http.StatusForbidden {
			t.Errorf("a person's POST to %q: %d", path, a.Status)
		}
	}
	a := webtest.Get(t, s, webtest.Viewer, at)
	if strings.Contains(a.Body, "<textarea") || !strings.Contains(a.Text, "keeps the light at the harbour") || s.file(t) != veraFile {
		t.Errorf("a viewer sees %s", a.Body)
	}
	if a := webtest.Get(t, s, webtest.Operator, "/p/..%2fvera/character"); a.Status != http.StatusNotFound {
		t.Errorf("a key outside: %d", a.Status)
	}
}

func TestABrokenFileIsShownAndNotOverwritten(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	form := s.open(t, at)
	s.write(t, "name: [\n")
	a := webtest.Get(t, s, webtest.Operator, at)
	if a.Status != http.StatusOK || !strings.Contains(a.Text, "is broken") || !strings.Contains(a.Text, "vera.yaml:1:") {
		t.Errorf("%d %s", a.Status, a.Text)
	}
	if a := webtest.Post(t, s, webtest.Operator, at, form); a.Status != http.StatusUnprocessableEntity || s.file(t) != "name: [\n" {
		t.Errorf("%d %s", a.Status, a.Text)
	}
}

func TestHostileTextsAreInert(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, payload := range []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</textarea><script>alert(1)</script>`, `' onmouseover='alert(1)`,
		`</title><svg/onload=alert(1)>`, `{{constructor.constructor('alert(1)')()}}`, "\u202e<b>x", `<!--<script>`, `</pre><iframe src=javascript:alert(1)>`,
	} {
		s.write(t, veraFile)
		form := s.open(t, at)
		form["nickname"][0], form["description"][0], form["values"][0], form["traits"][2] = payload, payload+"\n"+payload, payload, payload
		done := webtest.Post(t, s, webtest.Operator, at, form)
		if done.Status != http.StatusSeeOther {
			t.Errorf("%q: %d %s", payload, done.Status, done.Text)
			continue
		}
		for _, path := range []string{"", "/history", "/history/2"} {
			for _, a := range []webtest.Answer{webtest.Get(t, s, webtest.Operator, at+path), webtest.Get(t, s, webtest.Viewer, at+path)} {
				if a.Status == http.StatusOK && strings.ContainsAny(payload, "<>") && strings.Contains(a.Body, payload) {
					t.Errorf("%q stands unescaped in %s", payload, path)
				}
			}
		}
		if got := s.open(t, at); got["nickname"][0] != payload || got["traits"][2] != payload {
			t.Errorf("%q reads as %q", payload, got["nickname"])
		}
	}
	if _, err := os.Stat(filepath.Join(s.dir, "history", "vera")); err != nil {
		t.Error(err)
	}
}
