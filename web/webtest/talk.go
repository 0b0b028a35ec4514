package webtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory"
)

// Talk makes what many people say for benchmarks, of words that are as uneven as those of a language. It is the same each time.
type Talk struct {
	Rand *rand.Rand
	at   time.Time
}

// NewTalk returns a talk that begins at start.
func NewTalk(start time.Time) *Talk {
	return &Talk{Rand: rand.New(rand.NewPCG(1, 2)), at: start}
}

// Words returns n words.
func (g *Talk) Words(n int) string {
	zipf := rand.NewZipf(g.Rand, 1.07, 8, 30_000)
	said := make([]string, n)
	for i := range said {
		said[i] = fmt.Sprintf("w%x", zipf.Uint64()*2654435761%1048573)
	}
	return strings.Join(said, " ")
}

// Fill has 20 people say n messages in ten groups of a channel, one a minute, which a persona only hears. catchUp is what its engine
// reads them with.
func (g *Talk) Fill(t testing.TB, store *memory.Store, persona, channel string, n int, catchUp func(context.Context) error) {
	t.Helper()
	for begin := 0; begin < n; begin += 2000 {
		said := make([]channels.Message, min(2000, n-begin))
		for i := range said {
			g.at = g.at.Add(time.Minute)
			who := fmt.Sprintf("person%d", g.Rand.IntN(20))
			said[i] = channels.Message{
				ID: fmt.Sprint(begin + i), Room: channels.Room{Channel: channel, ID: fmt.Sprint("group", (begin+i)/50%10)}, Text: g.Words(6 + g.Rand.IntN(14)), At: g.at,
				Author: channels.Author{Handle: channels.Handle{Channel: channel, ID: who}, Name: who},
			}
		}
		if _, err := store.Log.AcceptAll(t.Context(), persona, said); err != nil {
			t.Fatal(err)
		}
	}
	if err := catchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
}
