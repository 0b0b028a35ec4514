package bench

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"familiar/channels"
	"familiar/channels/transcript"
)

// corpus generates talk of any length: a few people in one group, words with the uneven frequencies of natural
// language, names, places, numbers and dates, in sessions some hours apart. The same seed gives the same talk, and a
// longer talk starts with the shorter one.
type corpus struct {
	rng   *rand.Rand
	word  *rand.Zipf
	words []string
	room  channels.Room
	at    time.Time
	n     int // messages generated so far
	left  int // messages left in the session
}

const (
	corpusSeed = 20260105
	// vocabulary is the number of content words. zipfS and zipfV shape the distribution of their frequencies.
	vocabulary = 30_000
	zipfS      = 1.07
	zipfV      = 8
)

var (
	corpusPeople = strings.Fields("Anna Bruno Chidi Dalia Emre Freya Goran Hana")
	corpusPlaces = strings.Fields("Oslo Porto Leeds Kyoto Gdansk Lima Tartu Cork Accra Quito Hanoi Bergen Ghent Izmir")
	corpusFiller = strings.Fields(`I you we they it the a to and of in that was for on with my is so but at have this are be
		not he she what just about from or had can will there if out would been when your like really think know`)
	corpusTimes = []string{
		"yesterday", "last week", "next Monday", "on Friday", "in May", "this morning", "two weeks ago", "on 3 March", "tomorrow",
	}
)

func newCorpus() *corpus {
	rng := rand.New(rand.NewPCG(corpusSeed, corpusSeed))
	return &corpus{
		rng: rng, word: rand.NewZipf(rng, zipfS, zipfV, vocabulary-1), words: inventWords(rng),
		room: channels.Room{Channel: transcript.Channel, ID: "town"},
		at:   time.Date(2020, time.January, 6, 8, 0, 0, 0, time.UTC),
	}
}

// inventWords generates pronounceable words, with short ones for the frequent ranks.
func inventWords(rng *rand.Rand) []string {
	onsets := strings.Fields("b br ch d dr f fl g gr h j k kl l m n p pr qu r s sh sk st t th tr v w z")
	vowels := strings.Fields("a e i o u ai ea oo ou")
	codas := strings.Fields("l m n r s t nd rk st ng p ck")
	seen := map[string]bool{}
	words := make([]string, 0, vocabulary)
	for len(words) < vocabulary {
		var b strings.Builder
		for range 1 + rng.IntN(2) + min(1, len(words)/300) {
			b.WriteString(onsets[rng.IntN(len(onsets))])
			b.WriteString(vowels[rng.IntN(len(vowels))])
		}
		b.WriteString(codas[rng.IntN(len(codas))])
		if w := b.String(); !seen[w] {
			seen[w] = true
			words = append(words, w)
		}
	}
	return words
}

// enter moves the talk to another room, where it begins a session.
func (c *corpus) enter(room string) { c.room.ID, c.left = room, 0 }

// next returns the next n messages.
func (c *corpus) next(n int) []channels.Message {
	messages := make([]channels.Message, n)
	for i := range messages {
		if c.left == 0 {
			c.left = 8 + c.rng.IntN(32)
			c.at = c.at.Add(time.Duration(3+c.rng.IntN(10)) * time.Hour)
		}
		c.left--
		c.n++
		c.at = c.at.Add(time.Duration(5+c.rng.IntN(90)) * time.Second)
		who := corpusPeople[c.rng.IntN(len(corpusPeople))]
		messages[i] = channels.Message{
			ID: strconv.Itoa(c.n), Room: c.room, RoomTitle: "Town", At: c.at, Text: c.sentence(),
			Author: channels.Author{Handle: channels.Handle{Channel: transcript.Channel, ID: who}, Name: who},
		}
	}
	return messages
}

// sentence returns a plausible message: about half filler, sometimes with a name, a time or a number, and sometimes a
// question.
func (c *corpus) sentence() string {
	var s []string
	for range 4 + c.rng.IntN(12) {
		switch dice := c.rng.IntN(100); {
		case dice < 48:
			s = append(s, pick(c.rng, corpusFiller))
		case dice < 52:
			s = append(s, pick(c.rng, corpusPeople))
		case dice < 55:
			s = append(s, pick(c.rng, corpusPlaces))
		case dice < 57:
			s = append(s, pick(c.rng, corpusTimes))
		case dice < 59:
			s = append(s, strconv.Itoa(2+c.rng.IntN(60)))
		default:
			s = append(s, c.words[c.word.Uint64()])
		}
	}
	// Every message holds at least one distinctive fact.
	s = append(s, c.words[c.word.Uint64()], c.words[c.word.Uint64()])
	end := "."
	if c.rng.IntN(6) == 0 {
		end = "?"
	}
	return strings.Join(s, " ") + end
}

// question asks for the content of one of messages, using a few of its words and its author.
func (c *corpus) question(messages []channels.Message) string {
	m := messages[c.rng.IntN(len(messages))]
	words := strings.Fields(strings.TrimRight(m.Text, ".?"))
	c.rng.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	opening := pick(c.rng, []string{"When did %s say", "What did %s tell about", "Why was %s at", "How many did %s want of"})
	return fmt.Sprintf(opening, m.Author.Name) + " " + strings.Join(words[:min(5, len(words))], " ") + "?"
}

func pick(rng *rand.Rand, from []string) string { return from[rng.IntN(len(from))] }
