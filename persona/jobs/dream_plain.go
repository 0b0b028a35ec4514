package jobs

import (
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"familiar/memory/model"
)

// image is a concrete thing that was mentioned.
type image struct {
	shown   string
	source  int64
	session int64
}

// The wordings of a dream, by number of images. {a}, {b} and {c} are the images, {who} is a person who mentioned them.
var (
	ofOne = []string{
		"I dreamt of {a}, and of nothing else for a long while.",
		"Only {a} was there last night, larger than it could be, and {who} somewhere behind it.",
		"All night I was keeping {a} safe for {who}. I never learnt from what.",
	}
	ofTwo = []string{
		"I was looking for {a}, and each time I opened a door there was {b} instead.",
		"{A} and {b} stood side by side as if they had always belonged together, and {who} saw nothing odd in it.",
		"Somebody had put {a} where {b} should have been. {Who} laughed, and I set it right, and it was wrong again.",
		"I carried {a} over a long bridge, and at the other end {b} was waiting.",
	}
	ofThree = []string{
		"I was looking for {a} and found {b}; behind it, very small, was {c}.",
		"{A} had turned into {b} by the time I came near, and {who} said that it had been {c} all along.",
		"There was a house with three rooms: {a} in the first, {b} in the second, and in the third {c}, with the light left on.",
		"I was asked to choose between {a} and {b}. I took {c}, and nobody minded.",
	}
	wakings = []string{
		"I woke before it came to an end.",
		"It was quiet when I woke.",
		"In the morning I still had the colours of it.",
		"I should like to know how it goes on.",
	}
)

// weave returns a dream in a few sentences with the messages of its images, or "" if nothing concrete was mentioned. It
// depends only on the persona, the scope and the date, so every run returns the same dream.
func (n Deps) weave(a model.Audience, said []model.Memory, now time.Time) (text string, sources []int64) {
	dice := n.dice(a, now)
	images := chosen(imagesOf(said, n.Card.Name), dice)
	wordings := [][]string{nil, ofOne, ofTwo, ofThree}[len(images)]
	if wordings == nil {
		return "", nil
	}
	who := nameOf(said[len(said)-1])
	words := []string{"{who}", who, "{Who}", capital(who)}
	for i, im := range images {
		name := string(rune('a' + i))
		words = append(words, "{"+name+"}", im.shown, "{"+strings.ToUpper(name)+"}", capital(im.shown))
		sources = append(sources, im.source)
	}
	sources = append(sources, said[len(said)-1].Sources...) // the dream names this person
	text = strings.NewReplacer(words...).Replace(wordings[dice.IntN(len(wordings))]) + " " + wakings[dice.IntN(len(wakings))]
	if values := n.Card.Values; len(values) > 0 && dice.IntN(2) == 0 {
		text += " What stayed with me was this: " + strings.TrimRight(values[dice.IntN(len(values))], ".") + "."
	}
	return text, sources
}

// dice returns a random source seeded with the persona, the scope and the day.
func (n Deps) dice(a model.Audience, now time.Time) *rand.Rand {
	h := fnv.New64a()
	for _, part := range []string{n.Card.Key, string(a.Kind), strconv.FormatInt(a.Ref, 10), now.In(n.zone()).Format(time.DateOnly)} {
		h.Write([]byte(part + "\x00")) // never fails
	}
	return rand.New(rand.NewPCG(h.Sum64(), 0)) //nolint:gosec // a dream is no secret
}

// imagesOf returns the concrete things mentioned, newest first, without duplicates.
func imagesOf(said []model.Memory, self string) (images []image) {
	known := map[string]bool{}
	for i := len(said) - 1; i >= 0; i-- {
		m := said[i]
		for _, t := range topicsOf(m.Text, m.Entities) {
			if known[t.key] || strings.EqualFold(t.key, m.Author) || strings.EqualFold(t.key, self) {
				continue
			}
			known[t.key] = true
			images = append(images, image{t.of(possessive(nameOf(m))), m.Sources[0], m.SessionID})
		}
	}
	return images
}

// chosen returns up to three images: one of the newest, one from another session if there is one, then any.
func chosen(images []image, dice *rand.Rand) (three []image) {
	const fresh = 6 // the first is one of this many newest
	if len(images) == 0 {
		return nil
	}
	take := func(from []image) []image {
		i := dice.IntN(len(from))
		three = append(three, from[i])
		return append(append([]image(nil), from[:i]...), from[i+1:]...)
	}
	rest := append(take(images[:min(fresh, len(images))]), images[min(fresh, len(images)):]...)
	var elsewhere []image
	for _, im := range rest {
		if im.session != three[0].session {
			elsewhere = append(elsewhere, im)
		}
	}
	if len(elsewhere) > 0 {
		left := take(elsewhere)
		rest = left
	}
	if len(rest) > 0 && len(three) < 3 {
		take(rest)
	}
	return three
}

// possessive returns the possessive form of a name.
func possessive(name string) string {
	if strings.HasSuffix(name, "s") {
		return name + "'"
	}
	return name + "'s"
}

// capital capitalizes a text.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
