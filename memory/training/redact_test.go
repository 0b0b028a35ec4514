package training

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"familiar/internal/text"
	"familiar/memory/naming"
)

// someNames are the names of a small store: person 1 and 2 agreed, person 3 did not.
func someNames() *placeholders {
	n := naming.New("Tess")
	n.Add(1, "Zoë Ångström")
	n.AddAccount(1, "4917012345678@s.whatsapp.net")
	n.AddAccount(1, "~1")
	n.Add(2, "Will")
	n.AddAccount(2, "will_the.great")
	n.AddAccount(2, "20")
	n.Add(3, "Bob Smith")
	n.Add(3, "太郎")
	n.AddAccount(3, "~2")
	n.Add(4, "Tess")
	n.Add(5, "Person")
	return newPlaceholders(n, map[int64]bool{1: true, 2: true, 5: true})
}

func TestRedactTakesOutWhoSomebodyIs(t *testing.T) {
	for said, want := range map[string]string{
		"Hello zoe":                                       "Hello Person 1",
		"I have 1 apple, 2 pears and 20 figs":             "I have 1 apple, 2 pears and 20 figs",
		"ZOË ÅNGSTRÖM's dog, and Zoes cat":                "Person 1's dog, and Person 1 cat",
		"Will will go, says will_the.great":               "Person 1 will go, says Person 1",
		"@zoe and @stranger_7, <@12345>":                  "@zoe", // see below
		"I talk to Tess":                                  "I talk to Tess",
		"昨日太郎さんに会った":                                      "昨日Person 1さんに会った",
		"Ångström-Zoe, Zoe":                               "Person 1, Person 1",
		"Zoe is a person":                                 "Person 1 is a person",
		"bobsled and Bobby":                               "bobsled and Bobby",
		"mail zoe@example.org or +49 170 123 45-67":       "mail [email] or [number]",
		"see https://example.org/u/zoe?token=abc, please": "see [link] please",
		"My key is sk-abcdefghijklmnopqrstuv":             "My key is [redacted key]",
		"since 2026-01-05 18:30, 3 times, 1.5 km":         "since [date] 18:30, 3 times, 1.5 km",
		"am 05.01.2026 um 18 Uhr":                         "am [date] um 18 Uhr",
		"I live at 12 Baker Street now":                   "I live at [address] now",
		"Ich wohne in der Hauptstraße 5a, im Hof":         "Ich wohne in der [address], im Hof",
		"Vivo en la calle de la Luna 3":                   "Vivo en la [address]",
		"J'habite 12 bis, rue de Rivoli à Paris":          "J'habite [address] à Paris",
		"it took 20 minutes on the way":                   "it took 20 minutes on the way",
		"(030) 1234567 oder 0049-30-1234567":              "[number] oder [number]",
		"030 - 123 456, 0176_9988_7766 and 0176,998,877":  "[number] and [number]",
		"０１７６６９９８８７７６６ ٠١٧٦٩٩٨٨٧٧٦٦":                      "[number]",
		"Hauptstraße 5, 50667 Köln":                       "[address]",
		"I live in London NW1 6XE now":                    "I live in [address] now",
		"75002 Paris, 28013 Madrid":                       "[address]",
		"Am Markt 7, 04109 Leipzig":                       "[address]",
		"Unter den Linden 77":                             "[address]",
		"Springfield, IL 62704":                           "[address]",
		"mysite.de/u/8841 and 192.168.17.4":               "[link] and [number]",
		"ich bin am 12.05.1980 geboren, 12 May 1980":      "ich bin am [date] geboren, [date]",
		"born May 12th, 1980, passport C01X00T47":         "born [date], passport [account]",
		"instagram carlov99, the 20th, 100km, 1980s":      "instagram [account], the 20th, 100km, 1980s",
	} {
		e := exporter{names: someNames()}
		if strings.HasPrefix(said, "@zoe and") {
			want = "Person 1 and [account], [account]"
		}
		if got := e.redact(said); got != want {
			t.Errorf("%q becomes\n%q, not\n%q", said, got, want)
		}
	}
}

func TestForeignFindsWhoDidNotAgree(t *testing.T) {
	n := someNames()
	for _, said := range []string{"bob", "Bob's cat", "Bobs Katze", "ask @BOB!", "mr. smith", "bob-smith", "太郎さん", "¿Bob?", "I told @2", "<@!2> said so"} {
		if !n.foreign(said) {
			t.Errorf("%q names nobody", said)
		}
	}
	for _, said := range []string{"Zoe and Will", "bobby", "smithy", "tess", "", "I have 1 apple and 2 pears."} {
		if n.foreign(said) {
			t.Errorf("%q names somebody", said)
		}
	}
}

// What must not be in the data, in forms of their own.
var (
	anyEmail = regexp.MustCompile(`[^\s@]+@[^\s@]+\.[a-z]`)
	anyPhone = regexp.MustCompile(`\d(?:[ ./()-]?\d){6,}`)
)

// TestRedactLeavesNoNameAndNoNumber builds texts of names, numbers, addresses and words in any order.
func TestRedactLeavesNoNameAndNoNumber(t *testing.T) {
	parts := []string{
		"Zoë", "zoe", "ANGSTROM", "zoe Ångström's", "Will", "@will_the.great", "Bob", "smith", "太郎", "zoe@bob.example", "+1 (555) 123-4567",
		"555.123.4567", "https://t.me/bob", "www.bob.example/zoe", "4917012345678@s.whatsapp.net", "12 Bob Street", "and", "said", "4", "\n", "é", "“", "🙂", "-", "@", "'", "(", "2026-01-05",
	}
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test
	for range 20000 {
		var b strings.Builder
		for range 1 + r.IntN(7) {
			b.WriteString(parts[r.IntN(len(parts))])
			if r.IntN(4) > 0 {
				b.WriteByte(' ')
			}
		}
		e := exporter{names: someNames()}
		got := e.redact(b.String())
		if found := anyEmail.FindString(got); found != "" {
			t.Fatalf("%q becomes %q: %s", b.String(), got, found)
		}
		for _, found := range anyPhone.FindAllString(got, -1) {
			t.Fatalf("%q becomes %q: %s", b.String(), got, found)
		}
		for w := range text.PlainWords(got) {
			switch strings.TrimSuffix(w, "s") {
			case "zoe", "angstrom", "bob", "smith":
				t.Fatalf("%q becomes %q: %s", b.String(), got, w)
			}
		}
		if again := e.redact(got); again != got {
			t.Fatalf("%q becomes %q, then %q", b.String(), got, again)
		}
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("Zoë Ångström: +49 170 1234567, zoe@example.org")
	f.Add("12 rue de Rivoli\xff @will_the.great 太郎")
	f.Fuzz(func(t *testing.T, said string) {
		e := exporter{names: someNames()}
		if got := e.redact(said); e.names.foreign(got) {
			t.Errorf("%q becomes %q", said, got)
		}
	})
}
