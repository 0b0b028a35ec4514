package lexical

import (
	"slices"
	"testing"
)

func TestTablesContainOnlyKnownLists(t *testing.T) {
	for _, l := range languages {
		for name, list := range readTable(l.tag) {
			if !slices.Contains([]string{
				"stop", "times", "common", "numbers", "first person", "first subject",
				"second person", "yours", "speech", "you said", "asks when", "asks how many", "asks who", "asks what", "verbs", "irregular", "synonyms",
			}, name) || len(list) == 0 {
				t.Errorf("%s.txt: list %q with %d bytes", l.tag, name, len(list))
			}
		}
	}
}

func TestDetect(t *testing.T) {
	for text, tag := range map[string]string{
		"Wo hast du denn dein Fahrrad gelassen?":       "de",
		"¿Dónde dejaste tu bicicleta?":                 "es",
		"Où as-tu laissé ton vélo ?":                   "fr",
		"Onde é que deixaste a tua bicicleta?":         "pt",
		"Dove hai lasciato la tua bicicletta?":         "it",
		"Waar heb je je fiets gelaten?":                "nl",
		"Где ты оставил велосипед?":                    "ru",
		"自転車はどこに置きましたか":                                "ja",
		"Where did you leave your bicycle?":            "en",
		"I loved El Niño in Los Angeles":               "en",
		"We sang \"Qué será, será\" the whole evening": "en",
		"He said \"auf Wiedersehen\" to us":            "en",
		"Wie heißt die Reitlehrerin?":                  "de",
		"was kostet das zimmer?":                       "de",
		"dónde trabajo":                                "es",
		"mon chien":                                    "fr",
		"what was it":                                  "en",
		"ok":                                           "en",
		"":                                             "en",
		"한국어는 어렵다":                                     "en",
	} {
		if got := Detect(text); got.Tag() != tag {
			t.Errorf("%q is taken for %s, want %s", text, got.Tag(), tag)
		}
	}
}

func TestShortTextsUseTheConversationsLanguage(t *testing.T) {
	text := cluesOf(slices.Collect(words("Der Hund!")))
	if as := detect(text, new(tally), English); as.lang != English || !as.others.has(Named("de")) || as.sure {
		t.Errorf("where nothing was said: %+v, want English or German", as)
	}
	var mixed tally
	mixed[English.nth], mixed[Named("de").nth] = 90, 10
	if as := detect(text, &mixed, English); as.lang != Named("de") || as.sure {
		t.Errorf("where some German was said: %+v", as)
	}
	if as := detect(cluesOf(slices.Collect(words("Schokolade?"))), &mixed, English); as.lang != English || !as.others.has(Named("de")) {
		t.Errorf("a word of no language where two are spoken: %+v", as)
	}
}

func TestNamed(t *testing.T) {
	for tag, want := range map[string]*Language{"de": languages[1], "pt-BR": languages[4], "EN-gb": English, "tlh": English, "": English} {
		if got := Named(tag); got != want {
			t.Errorf("%q is %s", tag, got.tag)
		}
	}
}

func TestStem(t *testing.T) {
	for _, c := range []struct {
		tag, word, stem string
		function        bool
	}{
		{"de", "Häuser", "haus", false},
		{"de", "NICHT", "nicht", true},
		{"en", "driven", "drive", false},
		{"es", "canciones", "cancion", false},
	} {
		if stem, function := Named(c.tag).Stem(c.word); stem != c.stem || function != c.function {
			t.Errorf("%s %q: %q, %v, want %q, %v", c.tag, c.word, stem, function, c.stem, c.function)
		}
	}
}

// The inflected forms of a word have the same stem, with and without accents.
func TestInflectedFormsShareAStem(t *testing.T) {
	for _, c := range []struct {
		lang *Language
		one  string
		more []string
	}{
		{Named("de"), "Straße", []string{"Strasse", "Straßen"}},
		{Named("de"), "Häuser", []string{"Haus", "Häusern", "hausern"}},
		{Named("es"), "canción", []string{"canciones", "cancion"}},
		{Named("es"), "decir", []string{"decirlo", "decirle"}},
		{Named("fr"), "mangée", []string{"manger", "mangé", "mange"}},
		{Named("fr"), "horloges", []string{"horloge", "l'horloge"}},
		{Named("pt"), "informação", []string{"informações"}},
		{Named("pt"), "lembra", []string{"lembra-me", "lembram"}},
		{Named("it"), "all'università", []string{"universita"}},
		{Named("nl"), "boeken", []string{"boek"}},
		{Named("ru"), "ёлка", []string{"елка", "ёлки", "ёлку"}},
		{Named("ru"), "новый", []string{"новая", "новым", "нового"}},
	} {
		want := c.lang.Terms(c.one)
		for _, form := range c.more {
			if got := c.lang.Terms(form); !slices.Equal(got, want) {
				t.Errorf("%s: %q is %q, %q is %q", c.lang.tag, c.one, want, form, got)
			}
		}
	}
}

func TestGistReadsOtherTextsInItsLanguage(t *testing.T) {
	g := GistOf("Wir haben die Katzen in dem Haus gelassen")
	if n := g.Shared("Katze?"); n != 1 {
		t.Errorf("shares %d words with the cat", n)
	}
	if n := g.Shared("Haben wir die in dem?"); n != 0 {
		t.Errorf("shares %d words of grammar", n)
	}
}

func TestInflectedNamesMatch(t *testing.T) {
	for _, c := range []struct{ name, query, talk string }{
		{"Anna", "Was ist denn Annas Lieblingsfarbe?", "Das ist mir so lieb wie dir"},
		{"Анна", "Что любит сестра Анны?", "Я это очень люблю"},
		{"Борис", "Расскажи о Борисе", "Я это очень люблю"},
	} {
		x := New(English)
		x.Name(ann, c.name)
		x.Add(Document{Text: c.talk, Author: ann, Thread: 1})
		if b := prepare([]*Index{x}, &Query{Text: c.query}); !slices.Equal(b.authors, []int64{ann}) {
			t.Errorf("%q names %v", c.query, b.authors)
		}
	}
}

func TestCuesByLanguage(t *testing.T) {
	for _, c := range []struct{ query, talk string }{
		{"Wann war das denn bei dir?", "Das war gestern, nicht heute"},
		{"¿Cuándo fue eso y con quién?", "Eso fue el lunes con ella"},
		{"Quand est-ce que tu as fait ça ?", "Je l'ai fait hier avec elle"},
		{"Quando foi isso com ele?", "Foi na segunda com ele"},
		{"Quando è stato, e con chi?", "Era ieri e non oggi"},
		{"Wanneer was dat met hem?", "Dat was gisteren met hem"},
		{"Когда это было у тебя?", "Это было вчера"},
		{"それはいつでしたか", "昨日のことです"},
	} {
		x := New(English)
		x.Add(Document{Text: c.talk, Thread: 1})
		b := prepare([]*Index{x}, &Query{Text: c.query})
		if !b.when || x.rows[0].flags&namesTime == 0 {
			t.Errorf("%q asks when: %v; %q tells when: %v", c.query, b.when, c.talk, x.rows[0].flags&namesTime != 0)
		}
	}
}

func TestMerge(t *testing.T) {
	a := []posting{newPosting(1, 1), newPosting(3, 2)}
	b := []posting{newPosting(2, 1), newPosting(3, 1), newPosting(7, 1)}
	want := []posting{newPosting(1, 1), newPosting(2, 1), newPosting(3, 2), newPosting(7, 1)}
	if got := merge(a, b); !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if got := merge(nil, b); !slices.Equal(got, b) {
		t.Errorf("got %v", got)
	}
}

func TestANameInAnotherLanguageIsStillFound(t *testing.T) {
	x := talk("Where would you go?", "Rio de Janeiro!", "I would rather stay here", "What is it that you like?")
	if got := first(t, x, Query{Text: "Which of them is Janeiro?"}); got.Ordinal != 1 {
		t.Errorf("found %d", got.Ordinal)
	}
}
