package recall

import (
	"slices"
	"testing"

	"familiar/memory/belief"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// TestRecentTalkGrowsWithoutChangingWhatWasReturned adds messages to cached talk, from its latest state and from older ones
// as concurrent reads do. What an earlier read returned must stay as it was.
func TestRecentTalkGrowsWithoutChangingWhatWasReturned(t *testing.T) {
	const limit = 5
	var c recentCache
	h := scope.NewVisibility("mira", model.Audience{Kind: model.World})
	ids := func(messages []model.Message) (all []int64) {
		for _, m := range messages {
			all = append(all, m.ID)
		}
		return all
	}
	type read struct {
		messages []model.Message
		ids      []int64
	}
	var reads []read
	last := read{}
	for id := int64(1); id <= 3*recentRoom; id++ {
		from := last
		if id%7 == 0 {
			from = reads[len(reads)-3] // a read that began earlier
		}
		got := c.put(h, recentTalk{limit: limit, messages: from.messages}, []model.Message{{ID: id}})
		want := append(slices.Clone(from.ids), id)
		if want = want[max(0, len(want)-limit):]; !slices.Equal(ids(got), want) {
			t.Fatalf("after message %d the talk is %d, want %d", id, ids(got), want)
		}
		last = read{c.rooms[belief.RoomKey{Persona: "mira"}].messages, want}
		reads = append(reads, last)
		for _, r := range reads {
			if !slices.Equal(ids(r.messages), r.ids) {
				t.Fatalf("after message %d, an earlier read is %d, was %d", id, ids(r.messages), r.ids)
			}
		}
	}
	if empty := c.put(h, recentTalk{limit: limit}, nil); len(empty) != 0 {
		t.Errorf("no talk is %d", ids(empty))
	}
}

// TestALateReaderDoesNotShareTheRoomForNewMessages has a reader cache talk again that another has added to meanwhile. The
// message that the next one adds must not be written where the other reader has its own.
func TestALateReaderDoesNotShareTheRoomForNewMessages(t *testing.T) {
	const limit = 5
	var c recentCache
	h := scope.NewVisibility("mira", model.Audience{Kind: model.World})
	cached := func() recentTalk { return c.rooms[belief.RoomKey{Persona: "mira"}] }
	c.put(h, recentTalk{limit: limit}, []model.Message{{ID: 1}})
	late := cached()
	first := c.put(h, cached(), []model.Message{{ID: 2, Text: "as the first reader saw it"}})
	c.put(h, late, nil)
	second := c.put(h, cached(), []model.Message{{ID: 2, Text: "as the second did"}})
	if first[1].Text != "as the first reader saw it" || second[1].Text != "as the second did" {
		t.Errorf("the first reader has %q, the second %q", first[1].Text, second[1].Text)
	}
}
