package persona_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlainTalkIsNoCommand says every wording of the exam that asks for nothing to the whole engine: none may be answered like
// a command.
func TestPlainTalkIsNoCommand(t *testing.T) {
	files, err := filepath.Glob("request/testdata/*/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no exam: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := play(t, nil)
		said, taken := 0, 0
		for line := range strings.Lines(string(data)) {
			text, found := strings.CutPrefix(strings.TrimSpace(line), "-\t")
			if !found {
				continue
			}
			said++
			m := s.message("ann", text)
			before := s.desk.count(m.Room)
			s.answer(m)
			for _, out := range s.desk.in(m.Room)[before:] {
				if strings.Contains(out.Key, "command-") {
					taken++
					t.Errorf("a sentence of %s is taken for a command", file)
				}
			}
		}
		t.Logf("%s: %d of %d sentences are taken for commands", file, taken, said)
	}
}

// TestPlainWordsDoWhatCommandsDo asks for what commands do in plain words, and names what the answer says.
func TestPlainWordsDoWhatCommandsDo(t *testing.T) {
	for ask, want := range map[string]string{
		"remind me tomorrow at 9 to call mum":                        "09:00: call mum",
		"please remind me to water the plants tomorrow at 8 am":      "08:00: water the plants",
		"erinnere mich morgen um 9 daran, Mama anzurufen":            "09:00: Mama anzurufen",
		"kannst du mich bitte morgen um 9 Uhr an den Ofen erinnern?": "09:00: an den Ofen",
		"recuérdame mañana a las 9 llamar a mamá":                    "09:00: llamar a mamá",
		"rappelle-moi demain à 9h d'appeler maman":                   "09:00: appeler maman",
		"please speak German":                                        "auf Deutsch",
		"Kannst du mit mir auf Französisch reden?":                   "en français",
		"respóndeme en alemán":                                       "auf Deutsch",
		"parle espagnol s'il te plaît":                               "en español",
		"I live in the Tokyo time zone":                              "Asia/Tokyo",
		"Meine Zeitzone ist Lisbon":                                  "Europe/Lisbon",
		"stop listening to me":                                       "/pause off",
		"Hör bitte auf, mir zuzuhören":                               "/pause off",
		"give me everything you have on me":                          "familiar person export",
		"link my accounts":                                           "/link ",
		"keep what I just said in the group between us":              "nothing in a group",
		"you may share memory 1 with the group":                      "in no group",
		"show me my memories":                                        "Rex",
	} {
		s := play(t, nil)
		s.say("ann", "My dog is called Rex.")
		if got := s.say("ann", ask); !strings.Contains(got, want) {
			t.Errorf("%q is answered with %q, which does not say %q", ask, got, want)
		}
	}
}

// TestPlainNamesMustBeThere has sentences of the form of a request that name no language, timezone or time.
func TestPlainNamesMustBeThere(t *testing.T) {
	s := play(t, nil)
	for _, said := range []string{
		"please speak louder", "answer me honestly", "could we speak tomorrow?", "speak to me in it", "my time zone is different", "can you speak French?",
		"remind me at the end of the day", "remind me in what year I was born",
	} {
		m := s.message("ann", said)
		before := s.desk.count(m.Room)
		s.answer(m)
		for _, out := range s.desk.in(m.Room)[before:] {
			if strings.Contains(out.Key, "command-") {
				t.Errorf("%q is answered like a command: %q", said, out.Text)
			}
		}
	}
}
