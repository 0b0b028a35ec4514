package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"familiar/channels/telegram/telegramtest"
	"familiar/persona/scene"
)

// say queues everybody's messages, numbered from 0 in each room, with the rooms interleaved.
func say(server *telegramtest.Server, rooms, messages int) {
	rng := rand.New(rand.NewPCG(1, 2))
	next := make([]int, rooms)
	turns := make([]int, rooms*messages)
	for i := range turns {
		turns[i] = i % rooms
	}
	rng.Shuffle(len(turns), func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
	for _, room := range turns {
		server.Say(chatOf(room), chatOf(room), smallTalk(rng)+" "+strconv.Itoa(next[room]))
		next[room]++
	}
}

// chatOf returns the chat id of a room, which is also the account id of the person in it.
func chatOf(room int) int64 { return firstChat + int64(room) }

// numberIn returns the number of the message with that text.
func numberIn(text string) (int, error) {
	return strconv.Atoi(text[strings.LastIndexByte(text, ' ')+1:])
}

// counting is a voice that starts each answer with the numbers of the messages it answers: "3 4: ". The network's
// ledger can then account for every message.
type counting struct{ scene.Voice }

// Reply returns the voice's answer, prefixed with the numbers.
func (c counting) Reply(ctx context.Context, s scene.Scene, _ func(string)) (scene.Reply, error) {
	speech, err := c.Voice.Reply(ctx, s, nil)
	var numbers []string
	for _, line := range s.Incoming {
		if n, err := numberIn(line.Text); err == nil {
			numbers = append(numbers, strconv.Itoa(n))
		}
	}
	speech.Text = fmt.Sprintf("%s: %s", strings.Join(numbers, " "), speech.Text)
	return speech, err
}

// ledger records which answers the network accepted for a room.
type ledger struct {
	// answered holds the time of the first answer to each message, zero for a lost one.
	answered                           []time.Time
	answers, lost, doubled, disordered int
}

// read counts the room's messages in the answers sent.
func read(sent []telegramtest.Sent, messages int) ledger {
	l := ledger{answered: make([]time.Time, messages), answers: len(sent)}
	latest := -1
	for _, s := range sent {
		numbers, _, _ := strings.Cut(s.Text, ":")
		for _, number := range strings.Fields(numbers) {
			n, err := strconv.Atoi(number)
			switch {
			case err != nil || n < 0 || n >= messages:
				continue
			case !l.answered[n].IsZero():
				l.doubled++
			case n < latest:
				l.disordered++
			}
			if l.answered[n].IsZero() {
				l.answered[n] = s.At
			}
			latest = max(latest, n)
		}
	}
	for _, at := range l.answered {
		if at.IsZero() {
			l.lost++
		}
	}
	return l
}
