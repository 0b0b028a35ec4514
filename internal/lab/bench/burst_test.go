package bench

import (
	"testing"
	"time"

	"familiar/channels/telegram/telegramtest"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/plain"
)

// TestABurstIsAnsweredOnceAndInOrder lets everybody write at once while one room's network is slow.
func TestABurstIsAnsweredOnceAndInOrder(t *testing.T) {
	const rooms, messages = 40, 5
	card, err := card.LoadCard("", "nell")
	if err != nil {
		t.Fatal(err)
	}
	parts := RecallParts{Card: card, Voice: plain.New(), Settings: persona.Settings{
		SessionGap: 30 * time.Minute, GreetingGap: 4 * time.Hour, RecallBudget: 1000, RecentMessages: 30, Zone: time.UTC,
	}}
	pass, err := burst(t.Context(), parts, rooms, messages, 50*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if pass.Lost+pass.Doubled+pass.Disordered != 0 {
		t.Errorf("%d lost, %d doubled, %d out of order", pass.Lost, pass.Doubled, pass.Disordered)
	}
	if pass.Answers < rooms || pass.Answers > rooms*messages {
		t.Errorf("%d answers to %d messages in %d rooms", pass.Answers, rooms*messages, rooms)
	}
	if pass.AcceptMS.P99 <= 0 || pass.AnswerMS.P99 <= pass.AcceptMS.P50 || pass.HeardSeconds <= 0 {
		t.Errorf("times were not taken: %+v", pass)
	}
}

func TestTheLedgerReportsTheFateOfEachMessage(t *testing.T) {
	at := func(second int64) time.Time { return time.Unix(second, 0) }
	for _, c := range []struct {
		name                      string
		answers                   []string
		lost, doubled, disordered int
	}{
		{"one by one", []string{"0: Hello.", "1: I see.", "2: 1 2 0"}, 0, 0, 0},
		{"together", []string{"0 1 2: Hello."}, 0, 0, 0},
		{"nothing", nil, 3, 0, 0},
		{"one is lost", []string{"0: Hello.", "2: I see."}, 1, 0, 0},
		{"one is answered twice", []string{"0 1: Hello.", "1 2: I see."}, 0, 1, 0},
		{"one comes late", []string{"1: Hello.", "0: I see.", "2: Yes."}, 0, 0, 1},
		{"one late in one answer", []string{"0 2 1: Hello."}, 0, 0, 1},
		{"answers to nothing", []string{"Good morning!", ": Hm.", "7: Hello.", "0 1 2: Yes."}, 0, 0, 0},
	} {
		var sent []telegramtest.Sent
		for i, text := range c.answers {
			sent = append(sent, telegramtest.Sent{Text: text, At: at(int64(i + 1))})
		}
		l := read(sent, 3)
		if l.lost != c.lost || l.doubled != c.doubled || l.disordered != c.disordered || l.answers != len(c.answers) {
			t.Errorf("%s: counted %+v", c.name, l)
		}
	}
	l := read([]telegramtest.Sent{{Text: "0: a", At: at(1)}, {Text: "0 1: b", At: at(2)}}, 3)
	if l.answered[0] != at(1) || l.answered[1] != at(2) || !l.answered[2].IsZero() {
		t.Errorf("answered at %v, want when it first was", l.answered)
	}
}
