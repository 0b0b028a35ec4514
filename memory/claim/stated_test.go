package claim

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// stating are sentences that state something about the world, and what is read of them.
var stating = []struct{ text, want string }{
	{"The author of Our Mutual Friend is Charles Dickens.", "Our Mutual Friend/author=Charles Dickens"},
	{"The author of Antony and Cleopatra is William Shakespeare.", "Antony and Cleopatra/author=William Shakespeare"},
	{"The author of 1984 is George Orwell.", "1984/author=George Orwell"},
	{"The author of L.A. Confidential is James Ellroy.", "L.A. Confidential/author=James Ellroy"},
	{"The author of Dune is Frank Herbert, I think.", "Dune/author=Frank Herbert"},
	{"The capital of France is Paris because it is big.", "France/capital=Paris"},
	{"Berlin is the capital of Germany.", "Germany/capital=Berlin"},
	{"Ann Brown is the mayor of Leeds.", "Leeds/mayor=Ann Brown"},
	{"Terry Pratchett's publisher is Colin Smythe.", "Terry Pratchett/published by=Colin Smythe"},
	{"Walter Chrysler's child is Charles Frederick, Duke of Holstein-Gottorp.", "Walter Chrysler/person_name:child=Charles Frederick, Duke of Holstein-Gottorp"},
	{"The headquarters of University of California, Berkeley is located in the city of Berkeley.", "University of California, Berkeley/headquarters=Berkeley"},
	{"The university where Lluís Domènech i Montaner was educated is Yale University.", "Lluís Domènech i Montaner/educated at=Yale University"},
	{"The company that produced Me 262 is Messerschmitt.", "Me 262/made by=Messerschmitt"},
	{"The type of music that Nina Simone plays is jazz.", "Nina Simone/music=jazz"},
	{"The name of the current head of the Tuvalu government is Feleti Teo.", "Tuvalu/head of government=Feleti Teo"},
	{"The name of the current head of state in Poland is Andrzej Duda.", "Poland/head of state=Andrzej Duda"},
	{"The Wheel of Time was written in the language of English.", "The Wheel of Time/language=English"},
	{"Hines Ward plays the position of wide receiver.", "Hines Ward/position=wide receiver"},
	{"Alta IF is associated with the sport of association football.", "Alta IF/sport=association football"},
	{"quarterback is associated with the sport of American football.", "quarterback/sport=American football"},
	{"phenomenology was created by Edmund Husserl.", "phenomenology/created by=Edmund Husserl"},
	{"Bengaluru is located in the continent of Asia.", "Bengaluru/continent=Asia"},
	{"Le Petit Parisien was created in the country of France.", "Le Petit Parisien/created in the country of=France"},
	{"Pedro Pierluisi worked in the city of Washington, D.C..", "Pedro Pierluisi/worked in=Washington, D.C."},
	{"I Fall to Pieces was performed by Patsy Cline.", "I Fall to Pieces/performed by=Patsy Cline"},
	{"Born in the U.S.A. was performed by Bruce Springsteen.", "Born in the U.S.A./performed by=Bruce Springsteen"},
	{"David Crane is a citizen of ancient Rome.", "David Crane/citizen of=ancient Rome"},
	{"Dune was written by Frank Herbert.", "Dune/author=Frank Herbert"},
	{"The writer of Dune is Frank Herbert.", "Dune/author=Frank Herbert"},
	{"The founder of Chanel is Coco Chanel.", "Chanel/founded by=Coco Chanel"},
	// What ordinary people say of each other is no statement of one thing at a time.
	{"Ann likes jazz.", "Ann/likes=jazz"},
	{"Ann loves the city of Rome.", "Ann/likes=the city of Rome"},
	{"Ann hates the sport of cricket.", "Ann/dislikes=the sport of cricket"},
	{"Ann visited Rome last week.", ""},
	{"Ann visited the city of Rome.", ""},
	{"Ann was bitten by Rex.", ""},
	{"Ann is a fan of Queen.", "Ann/likes=Queen"},
	{"Ann is interested in Roman history.", ""},
	{"Tom is the love of Ann's life.", ""},
	{"Ann loves the smell of coffee.", "Ann/likes=the smell of coffee"},
	{"The book that Ann loves is Dune.", ""},
	{"The end of the movie is sad.", ""},
	{"The weather in Leeds is Great!", ""},
	{"Dinner was made by my sister.", ""},
	// What is not said plainly is not stated.
	{"I think the author of Dune is Frank Herbert.", ""},
	{"She said the author of Dune is Frank Herbert.", ""},
	{"If the capital of France is Rome, then I'm a fish.", ""},
	{"The author of Dune is not Tolkien.", ""},
	{"Dune was not written by Tolkien.", ""},
	{"Is the capital of France Paris?", ""},
}

func TestReadStating(t *testing.T) {
	for _, tt := range stating {
		if got := notation(Read(Utterance{Text: tt.text, At: at0}).Claims); got != tt.want {
			t.Errorf("%q\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// shapes are how a relation may be told of a subject and a value, with the key it is kept under.
var shapes = []struct{ said, key string }{
	{"The governor of S is V.", "governor"},
	{"The current head coach of S is V.", "head coach"},
	{"S was founded by V.", "founded by"},
	{"S was invented by V.", "invented by"},
	{"S is located in the continent of V.", "continent"},
	{"S is affiliated with the religion of V.", "religion"},
	{"S plays the instrument of V.", "instrument"},
	{"S died in the city of V.", "died in"},
	{"S is married to V.", "spouse"},
	{"S is a citizen of V.", "citizen of"},
	{"The school where S was educated is V.", "educated at"},
	{"The company that produced S is V.", "made by"},
	{"V is the author of S.", "author"},
}

// Whatever the names, and whichever shape, a statement falls apart into what it was made of.
func TestStatementsOfAnyNames(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	syllables := strings.Fields("ka lo mi tar ren vo su bel dor ek fin gan ru shi")
	word := func() string {
		w := ""
		for range 2 + rng.IntN(2) {
			w += syllables[rng.IntN(len(syllables))]
		}
		return strings.ToUpper(w[:1]) + w[1:]
	}
	name := func() string {
		switch rng.IntN(4) {
		case 0:
			return word()
		case 1:
			return word() + " of " + word()
		case 2:
			return word() + " " + word() + " Jr."
		}
		return word() + " " + word()
	}
	for range 2000 {
		shape, subject, value := shapes[rng.IntN(len(shapes))], name(), name()
		text := strings.NewReplacer("S", subject, "V", value).Replace(shape.said)
		want := subject + "/" + shape.key + "=" + value
		got := notation(Read(Utterance{Text: text, At: at0}).Claims)
		if got != want {
			t.Errorf("%q\n got %s\nwant %s", text, got, want)
		}
	}
}

func FuzzState(f *testing.F) {
	for _, tt := range stating {
		f.Add(tt.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range split(text) {
			r := reader{u: Utterance{Text: text, At: at0}}
			if !r.state(s, false) {
				continue
			}
			c := r.out.Claims[0]
			if !strings.Contains(text, c.Subject) || !strings.Contains(text, c.Value) || c.Subject == "" || c.Value == "" || c.Relation == "" {
				t.Fatalf("%q: %+v is not what it says", text, c)
			}
		}
	})
}
