package command

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"familiar/memory/erase"
	"familiar/memory/reminder"
)

var slot = regexp.MustCompile(`\{[a-z]+\}`)

// slotsOf returns the slots of a text, each once.
func slotsOf(text string) []string {
	all := slot.FindAllString(text, -1)
	slices.Sort(all)
	return slices.Compact(all)
}

// TestEveryLanguageHasEveryText compares each language with English: the same keys, and the same slots in each.
func TestEveryLanguageHasEveryText(t *testing.T) {
	en := tongueOf("en", "")
	for tag := range tongues {
		in := tongueOf(tag, "")
		for key, text := range in.wordings {
			if en.wordings[key] == "" {
				t.Errorf("%s: %s is no text of English", tag, key)
			}
			if strings.Count(text, "{") != strings.Count(text, "}") || strings.Count(text, "{") != len(slot.FindAllString(text, -1)) {
				t.Errorf("%s: %s has a broken slot: %q", tag, key, text)
			}
		}
		for key, text := range en.wordings {
			if got, want := slotsOf(in.wordings[key]), slotsOf(text); in.wordings[key] == "" || !slices.Equal(got, want) {
				t.Errorf("%s: %s is %q, with the slots %v instead of %v", tag, key, in.wordings[key], got, want)
			}
		}
	}
}

// TestEveryTextIsUsedWithItsSlots reads the code: each text that it asks for is there, and the other way round.
func TestEveryTextIsUsedWithItsSlots(t *testing.T) {
	en := tongueOf("en", "")
	used := map[string]bool{}
	for _, c := range commands() {
		for _, part := range []string{".args", ".help", ".more"} {
			used[c.Name+part] = true
		}
		for _, o := range c.Options {
			used[c.Name+"."+o.Name] = true
		}
	}
	for _, kind := range []string{"fact", "person", "account", "room", "memory", "belief", "loop", "message", "reply", "file", "unsent"} {
		used["n."+kind+".one"], used["n."+kind+".many"] = true, true
	}
	for _, key := range wroteFirst {
		used[key] = true
	}
	for _, key := range voiceModes {
		used[key] = true
	}
	for _, key := range unheard {
		used[key] = true
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	asked := regexp.MustCompile(`\.(?:say|told|time)\("([a-z.]*[a-z])"`)
	for _, file := range files {
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range asked.FindAllStringSubmatch(string(code), -1) {
			used[found[1]] = true
			if en.wordings[found[1]] == "" {
				t.Errorf("%s asks for %q, which is no text", file, found[1])
			}
		}
	}
	for key := range en.wordings {
		if !used[key] {
			t.Errorf("nothing says %q", key)
		}
	}
}

// TestHelpFitsDiscordInEveryLanguage checks the limits of Discord: 100 characters for what a command does or takes, 2,000 for a
// message.
func TestHelpFitsDiscordInEveryLanguage(t *testing.T) {
	for tag := range tongues {
		in := tongueOf(tag, "")
		for _, c := range commands() {
			parts := []string{".help", ".args"}
			for _, o := range c.Options {
				parts = append(parts, "."+o.Name)
			}
			for _, part := range parts {
				if n := utf8.RuneCountInString(in.say(c.Name + part)); n > 100 || n == 0 && part != ".args" {
					t.Errorf("%s: %s%s has %d characters", tag, c.Name, part, n)
				}
			}
			if n := utf8.RuneCountInString(in.explained(c.Name)); n > 2000 {
				t.Errorf("%s: the help of /%s has %d characters", tag, c.Name, n)
			}
		}
		given, err := Runner{}.helpCommand(t.Context(), call{tongue: in})
		if n := utf8.RuneCountInString(given.text); err != nil || n > 2000 {
			t.Errorf("%s: /help has %d characters, %v", tag, n, err)
		}
	}
}

// TestTextsOfPeopleFillOneSlot: what stands in a slot is not read for slots.
func TestTextsOfPeopleFillOneSlot(t *testing.T) {
	got := tongueOf("en", "").say("share.done", "id", 3, "text", "{groups} {id}", "groups", "“The club”")
	if want := "Shared: I may now speak of memory 3 ({groups} {id}) in “The club”. /private 3 takes it back."; got != want {
		t.Errorf("it says %q", got)
	}
}

func TestTheLanguageIsThatOfThePersonElseOfTheirWords(t *testing.T) {
	for _, c := range []struct{ chosen, said, want string }{
		{"de", "My dog is called Rex.", "de"},
		{"de-AT", "", "de"},
		{"ja", "Mein Hund heißt Rex.", "en"}, // chosen, but without texts of its own
		{"", "Mein Hund heißt Rex und ist sehr lieb.", "de"},
		{"", "Mi perro se llama Rex y es muy bueno.", "es"},
		{"", "Mon chien s'appelle Rex et il est très gentil.", "fr"},
		{"", "Il mio cane si chiama Rex ed è molto buono.", "en"},
		{"", "", "en"},
	} {
		if got := tongueOf(c.chosen, c.said).tag; got != c.want {
			t.Errorf("chosen %q, said %q: %s", c.chosen, c.said, got)
		}
	}
}

func TestCountsAndListsAreWordedInEachLanguage(t *testing.T) {
	gone := erase.ForgetResult{Memories: 2, Beliefs: 1, Unsent: 3}
	for tag, want := range map[string]string{
		"en": "2 memories, 1 belief, 3 unsent messages", "de": "2 Erinnerungen, 1 Annahme, 3 ungesendete Nachrichten",
		"es": "2 recuerdos, 1 creencia, 3 mensajes sin enviar", "fr": "2 souvenirs, 1 croyance, 3 messages non envoyés",
	} {
		if got := tongueOf(tag, "").gone(gone); got != want {
			t.Errorf("%s: %q", tag, got)
		}
	}
	if got := tongueOf("de", "").gone(erase.ForgetResult{}); got != "" {
		t.Errorf("nothing is %q", got)
	}
	if got := tongueOf("de", "").listed([]string{"Ann", "Bob", "Eve"}); got != "Ann, Bob und Eve" {
		t.Errorf("a list is %q", got)
	}
	for tag, want := range map[string]string{"en": "German", "de": "Deutsch", "es": "alemán", "fr": "allemand"} {
		if got := tongueOf(tag, "").language("de"); got != want {
			t.Errorf("%s calls German %q", tag, got)
		}
	}
}

func TestALateReminderSaysSoInThePersonsLanguage(t *testing.T) {
	due := reminder.Reminder{Text: "Mama anrufen", Due: time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)}
	if got := Reminded(due, "de", due.Due.Add(time.Minute)); got != "⏰ Mama anrufen" {
		t.Errorf("in time it says %q", got)
	}
	if got := Reminded(due, "de", due.Due.Add(time.Hour)); !strings.Contains(got, "Ich bin spät dran") || !strings.Contains(got, "4.5.2026, 09:00") {
		t.Errorf("late it says %q", got)
	}
	if tags := slices.Sorted(maps.Keys(tongues)); !slices.Equal(tags, []string{"de", "en", "es", "fr"}) {
		t.Errorf("the languages are %v", tags)
	}
}
