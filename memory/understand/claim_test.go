package understand

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory/understand/english"
	"familiar/memory/understand/rel"
)

// at0 is a Wednesday.
var at0 = time.Date(2024, time.May, 15, 10, 30, 0, 0, time.UTC)

// notation writes claims as statements does.
func notation(claims []Claim) string {
	var out []string
	for _, c := range claims {
		s := c.Relation + "=" + c.Value
		if c.Subject != "" {
			s = c.Subject + "/" + s
		}
		if c.Negates {
			s += "!"
		}
		if c.Changed {
			s += "~"
		}
		if c.Corrects != "" {
			s += "<" + c.Corrects + ">"
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// agreement returns how many of the texts yield just the wanted claims. A claim that tells of a change or not counts the same,
// and so does one that there is a pet or a relative beside its name.
func agreement(t *testing.T, all []struct{ text, want string }) (share float64) {
	t.Helper()
	right := 0
	plain := func(s string) []string {
		var out []string
		for _, c := range strings.Split(strings.ReplaceAll(s, "~", ""), "; ") {
			if c != "" && !strings.Contains(c, "has_p") {
				out = append(out, strings.ToLower(c))
			}
		}
		slices.Sort(out)
		return out
	}
	for _, tt := range all {
		a := Analyze(Utterance{Text: tt.text, At: at0})
		if got := notation(a.Claims); slices.Equal(plain(got), plain(tt.want)) {
			right++
		} else {
			t.Logf("%q\n got %s\nwant %s", tt.text, got, tt.want)
		}
		for _, c := range a.Claims {
			if !strings.Contains(tt.text, c.Quote) || c.Quote == "" {
				t.Errorf("%q: the quote %q is not in the text", tt.text, c.Quote)
			}
		}
	}
	return float64(right) / float64(len(all))
}

// TestReadStatements checks how many of the plain statements are read just as meant. What the reader reads of people it has
// never seen is measured on held out messages: see package reader.
func TestReadStatements(t *testing.T) {
	const least = 0.72
	if share := agreement(t, statements); share < least {
		t.Errorf("%.2f of the statements are read rightly, want at least %.2f", share, least)
	}
}

// TestReadSurely checks what nobody would forgive a reader for missing.
func TestReadSurely(t *testing.T) {
	if share := agreement(t, sure); share < 1 {
		t.Errorf("%.2f of the simplest statements are read rightly", share)
	}
}

func TestReadTone(t *testing.T) {
	type tone struct{ phatic, greeting, farewell bool }
	for text, want := range map[string]tone{
		"hi":                          {true, true, false},
		"Hello there!":                {true, true, false},
		"good morning":                {true, true, false},
		"Hi, I'm Ann":                 {false, true, false},
		"hey, what's my dog called?":  {false, true, false},
		"thanks!":                     {true, false, false},
		"ok":                          {true, false, false},
		"lol":                         {true, false, false},
		"bye":                         {true, false, true},
		"good night":                  {true, false, true},
		"see you tomorrow":            {true, false, true},
		"I have to go, bye!":          {false, false, true},
		"gotta go":                    {false, false, true},
		"how are you?":                {true, false, false},
		"I saw a film":                {false, false, false},
		"the morning was hard":        {false, false, false},
		"I said bye to my job":        {false, false, false},
		"take care of my dog for me?": {false, false, false},
	} {
		r := Analyze(Utterance{Text: text, At: at0})
		if got := (tone{r.Phatic, r.Greeting, r.Farewell}); got != want {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
		alone := Tone(text)
		if got := (tone{alone.Phatic, alone.Greeting, alone.Farewell}); got != want || alone.Warmth != r.Warmth {
			t.Errorf("%q: its tone alone is %+v of warmth %v, want %+v of %v", text, got, alone.Warmth, want, r.Warmth)
		}
	}
}

func TestReadWarmth(t *testing.T) {
	for _, text := range []string{"thank you so much", "I love you", "you're the best", "you are so sweet", "good bot", "I missed you"} {
		if w := Analyze(Utterance{Text: text, At: at0}).Warmth; w <= 0 || w > 1 {
			t.Errorf("%q: warmth %.2f, want above 0", text, w)
		}
	}
	for _, text := range []string{"shut up", "you idiot", "you're useless", "I hate you", "fuck off", "you're not helpful"} {
		if w := Analyze(Utterance{Text: text, At: at0}).Warmth; w >= 0 || w < -1 {
			t.Errorf("%q: warmth %.2f, want below 0", text, w)
		}
	}
	for _, text := range []string{"I hate mondays", "no thanks", "she loves you not", "my boss is an idiot", "I live in Berlin", ""} {
		if w := Analyze(Utterance{Text: text, At: at0}).Warmth; w != 0 {
			t.Errorf("%q: warmth %.2f, want 0", text, w)
		}
	}
}

func TestReadEntities(t *testing.T) {
	for text, want := range map[string]string{
		"I met Caroline at the Louvre in Paris": "Caroline|Louvre|Paris",
		"Melanie's dog is called Oscar":         "Melanie|Oscar",
		"My name is Ann":                        "",
		"Yesterday was nice":                    "",
		"we watched \"The Third Man\" again":    "The Third Man",
		"check [project falcon] please":         "project falcon",
		"my dog is called rex":                  "rex",
		"I LOVE THIS SONG":                      "",
	} {
		names := Analyze(Utterance{Text: text, At: at0}).Entities
		slices.Sort(names)
		if got := strings.Join(names, "|"); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestDescribe(t *testing.T) {
	for _, tt := range []struct{ subject, relation, value, want string }{
		{"", "name", "Ann", "your name is Ann"},
		{"", "pet_name:dog", "Rex", "your dog is called Rex"},
		{"", "lives_in", "Oslo", "you live in Oslo"},
		{"Melanie", "lives_in", "Oslo", "Melanie lives in Oslo"},
		{"Melanie", "pet_name:dog", "Oscar", "Melanie's dog is called Oscar"},
		{"", "likes", "jazz", "you like jazz"},
		{"Ann", "dislikes", "olives", "Ann dislikes olives"},
		{"", "favourite colour", "green", "your favourite colour is green"},
		{"", "age", "34", "you are 34 years old"},
		{"Ann", "age", "34", "Ann is 34 years old"},
		{"", "born_in", "Hamburg", "you were born in Hamburg"},
		{"Ada", "born_in", "London", "Ada was born in London"},
		{"", "call_me", "Captain", "you want to be called Captain"},
		{"", "plan", "interview", "you have an interview"},
		{"", "plan", "flying to Oslo", "you are flying to Oslo"},
		{"Ann", "plan", "exam", "Ann has an exam"},
		{"", "plan", "finishing my thesis", "you are finishing your thesis"},
		{"", "promise", "send you the photos", "you promised to send me the photos"},
		{"", "instruction", "always greet me with ahoy", "you asked me to always greet you with ahoy"},
		{"", "instruction", "don't mention my ex", "you asked me not to mention your ex"},
		{"", "feels", "sad", "you felt sad"},
		{"", "person_name:sister", "Eva", "your sister is called Eva"},
		{"", "shoe size", "42", "your shoe size is 42"},
		{"France", "capital", "Paris", "France's capital is Paris"},
		{"Hamlet", "written by", "Shakespeare", "Hamlet is written by Shakespeare"},
	} {
		if got := rel.Describe(tt.subject, tt.relation, tt.value); got != tt.want {
			t.Errorf("Describe(%q, %q, %q) = %q, want %q", tt.subject, tt.relation, tt.value, got, tt.want)
		}
	}
}

func TestTopicManyDomain(t *testing.T) {
	for _, tt := range []struct {
		relation, topic string
		many            bool
		domain          string
	}{
		{"pet_name:dog", "your dog's name", false, "person"},
		{"lives_in", "where you live", false, "person"},
		{"likes", "what you like", true, "person"},
		{"call_me", "what to call you", false, "person"},
		{"person_name:sister", "your sister's name", true, "person"},
		{"person_name:wife", "your wife's name", false, "person"},
		{"favourite colour", "your favourite colour", false, "person"},
		{"shoe size", "your shoe size", false, "world"},
		{"plan", "your plans", true, "project"},
	} {
		if got := rel.Topic(tt.relation); got != tt.topic {
			t.Errorf("Topic(%q) = %q, want %q", tt.relation, got, tt.topic)
		}
		if got := rel.Many(tt.relation); got != tt.many {
			t.Errorf("Many(%q) = %t", tt.relation, got)
		}
		if got := rel.Domain(tt.relation); got != tt.domain {
			t.Errorf("Domain(%q) = %q, want %q", tt.relation, got, tt.domain)
		}
	}
}

// TestEveryRelationCanBeSaid checks that every relation that can be claimed of a person can be described and named.
func TestEveryRelationCanBeSaid(t *testing.T) {
	for _, row := range rel.Relations {
		key := row.Key
		if strings.HasSuffix(key, ":") || strings.HasSuffix(key, " ") {
			key += "thing"
		}
		for _, subject := range []string{"", "Ann"} {
			if s := rel.Describe(subject, key, "VALUE"); !strings.Contains(s, "VALUE") || strings.ContainsAny(s, "{}~") {
				t.Errorf("%s is said as %q", key, s)
			}
		}
		if s := rel.Topic(key); s == "" || strings.ContainsAny(s, "{}~") {
			t.Errorf("%s is named %q", key, s)
		}
	}
}

// TestReadIsBounded compares a text with four times that text, so that neither a slow machine nor the race detector counts: linear work takes four
// times as long, quadratic work sixteen times. All texts are longer than what is read of a message. Only what is slow every time fails: a busy
// machine is slow once.
func TestReadIsBounded(t *testing.T) {
	for _, part := range []struct {
		text string
		n    int
	}{
		{"I live in Berlin and my dog is called Rex ", 4000}, {"Ann ", 30000}, {"the the of ", 12000}, {"\"'[", 40000}, {"not but ", 16000},
	} {
		for try := 1; ; try++ {
			short, long := readingTime(strings.Repeat(part.text, part.n/4)), readingTime(strings.Repeat(part.text, part.n))
			if long <= 10*short || long <= 100*time.Millisecond {
				break
			}
			if try == 3 {
				t.Errorf("reading %q took %v, and four times as much %v", part.text, short, long)
				break
			}
		}
	}
}

// readingTime returns how long text takes to read.
func readingTime(text string) time.Duration {
	start := time.Now()
	Analyze(Utterance{Text: text, At: at0, Before: text + "?"})
	return time.Since(start)
}

// TestInvisibleCharactersSplitNoName uses pasted text with zero-width marks, colours and invalid bytes inside names.
func TestInvisibleCharactersSplitNoName(t *testing.T) {
	for text, want := range map[string]string{
		"My dog is called Mi\u200blo":             "pet_name:dog=Milo",
		"My d\u200bog is called Milo":             "pet_name:dog=Milo",
		"My dog is called \u2067Milo\u2069":       "pet_name:dog=Milo",
		"My cat is called \x1b[31mRed\x1b[0m":     "pet_name:cat=Red",
		"My dog is called R\xffex":                "pet_name:dog=R\ufffdex",
		"My dog is called Mi\u00adlo\ufeff, Ann":  "pet_name:dog=Milo",
		"My name is Zoe\u0308\nand I'm a teacher": "name=Zoe\u0308; works_as=teacher",
	} {
		if got := notation(Analyze(Utterance{Text: text, At: at0}).Claims); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range statements {
		f.Add(s.text, "")
	}
	f.Add("Rex", "What's your dog called?")
	f.Add("\xff'\"“[", "you?")
	f.Fuzz(func(t *testing.T, text, before string) {
		r := Analyze(Utterance{Text: text, At: at0, Before: before})
		for _, c := range r.Claims {
			if strings.TrimSpace(c.Value) == "" && !c.Negates && !(c.Kind == rel.Plan && c.Changed) || c.Relation == "" && c.Corrects == "" {
				t.Fatalf("%q: empty claim %+v", text, c)
			}
			if !strings.Contains(english.Legible(text), c.Quote) {
				t.Fatalf("%q: quote %q is not in it", text, c.Quote)
			}
			if rel.Describe(c.Subject, c.Relation, c.Value) == "" || rel.Topic(c.Relation) == "" {
				t.Fatalf("%q: claim %+v cannot be said", text, c)
			}
		}
		if r.Warmth < -1 || r.Warmth > 1 || len(r.Entities) > entityLimit {
			t.Fatalf("%q: out of range: %+v", text, r)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		Analyze(Utterance{Text: "Hey! I live in Berlin and work as a nurse, my dog Rex loves the beach. I have an interview on Friday, wish me luck!", At: at0})
	}
}

func TestReadFillsInTheClaim(t *testing.T) {
	for text, holds := range map[string]func(Claim) bool{
		"I have an interview on Friday": func(c Claim) bool {
			return c.Kind == rel.Plan && c.Many && c.Span != nil && c.Span.From.Weekday() == time.Friday && c.Span.Future
		},
		"I'll send you the photos tomorrow": func(c Claim) bool { return c.Kind == rel.Promise && c.Span != nil },
		"I like jazz":                       func(c Claim) bool { return c.Kind == rel.Taste && c.Many && !c.Changed },
		"I moved to Oslo last year":         func(c Claim) bool { return c.Changed && !c.Many && c.Span != nil && c.Span.Past },
		"call me Captain":                   func(c Claim) bool { return c.Kind == rel.Instruction && c.Relation == "call_me" && !c.Many },
		"always greet me with ahoy":         func(c Claim) bool { return c.Kind == rel.Instruction && c.Many },
		"I'm so sad":                        func(c Claim) bool { return c.Kind == rel.Feeling && Intensity(c.Value) > .5 },
		"I live in Oslo":                    func(c Claim) bool { return !c.Correction && c.Quote == "I live in Oslo" },
	} {
		r := Analyze(Utterance{Text: text, At: at0})
		if len(r.Claims) != 1 || !holds(r.Claims[0]) {
			t.Errorf("%q: read %+v", text, r.Claims)
		}
	}
}

func TestReadCorrects(t *testing.T) {
	for _, text := range []string{"that's wrong", "No, my dog is called Milo", "not Rex, Milo", "That's not right. I live in Oslo.", "actually it's Milo", "you got that wrong"} {
		if !Analyze(Utterance{Text: text, At: at0}).Corrects {
			t.Errorf("%q corrects nothing", text)
		}
	}
	for _, text := range []string{"no", "no, thanks", "no. I saw a film", "is that wrong?", "what's wrong?", "I like jazz", "not bad"} {
		if Analyze(Utterance{Text: text, At: at0}).Corrects {
			t.Errorf("%q was taken for a correction", text)
		}
	}
	r := Analyze(Utterance{Text: "That's wrong. I live in Oslo. I like tea.", At: at0})
	if len(r.Claims) != 2 || !r.Claims[0].Correction || r.Claims[1].Correction {
		t.Errorf("the correction reaches the wrong sentences: %+v", r.Claims)
	}
}

// TestAnalysisSurvivesJSON checks that an analysis can be stored with its text.
func TestAnalysisSurvivesJSON(t *testing.T) {
	for _, s := range statements {
		before := Analyze(Utterance{Text: s.text, At: at0})
		kept, err := json.Marshal(before)
		if err != nil {
			t.Fatal(err)
		}
		var after Analysis
		if err := json.Unmarshal(kept, &after); err != nil || !reflect.DeepEqual(before, after) {
			t.Errorf("%q: stored %s, %v", s.text, kept, err)
		}
	}
}
