package memory_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"familiar/channels"
	"familiar/internal/torture"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/transfer"
)

// did accepts an action of somebody on an earlier message and returns its inbox row.
func (k *talk) did(act channels.Action, s saying, text string) int64 {
	k.t.Helper()
	m := k.message(s.place, s.who, text)
	m.Action, m.TargetID = act, fmt.Sprint(s.message)
	if _, err := k.Log.Accept(k.t.Context(), "mira", m); err != nil {
		k.t.Fatal(err)
	}
	pending, err := k.Log.Pending(k.t.Context(), "mira", m.Room, 100)
	if err != nil || len(pending) == 0 {
		k.t.Fatal(pending, err)
	}
	return pending[len(pending)-1].ID
}

func TestA12DeletingAMessageLeavesNothing(t *testing.T) {
	t.Parallel()
	for seed := range uint64(torture.Rounds(1, 3)) {
		k := newTalk(t, 300+seed, 80)
		for _, i := range k.r.Perm(len(k.said)) {
			s := k.said[i]
			if _, err := k.Eraser.DeleteMessage(t.Context(), "mira", k.did(channels.Delete, s, ""), s.message); err != nil {
				t.Fatal(err)
			}
			if rows := rowsWith(contents(t, k.town), s.canary); rows != "" {
				t.Fatalf("seed %d: %s is still in\n%s", seed, s.canary, rows)
			}
			if k.onDisk([]byte(s.canary)) {
				t.Fatalf("seed %d: the files still contain %s", seed, s.canary)
			}
		}
	}
}

// TestA12EditingAMessageLeavesNothingDerived changes messages to texts without claims. Each then has one memory, of
// the new text, and nothing else rests on it except the persona's answer.
func TestA12EditingAMessageLeavesNothingDerived(t *testing.T) {
	t.Parallel()
	for seed := range uint64(torture.Rounds(1, 3)) {
		k := newTalk(t, 400+seed, 80)
		db := k.db()
		for n, i := range k.r.Perm(len(k.said)) {
			s := k.said[i]
			text := fmt.Sprintf("Something else, number %d.", n)
			h := model.AnnotatedMessage{
				InboxID: k.did(channels.Edit, s, text), Message: channels.Message{Text: text}, PersonID: k.person(s.who),
			}
			asIs := func([]model.Loop) (model.Annotation, []int64) { return model.Annotation{}, nil }
			if _, err := k.Eraser.EditMessage(t.Context(), "mira", s.message, h, asIs); err != nil {
				t.Fatal(err)
			}
			for what, count := range map[string]string{
				"evidence":           `SELECT count(*) FROM belief_evidence WHERE message_id = ?1`,
				"open matters":       `SELECT count(*) FROM open_loop_sources WHERE message_id = ?1`,
				"memories made of":   `SELECT count(*) - 1 FROM memory_sources WHERE message_id = ?1`,
				"memories of before": `SELECT count(*) FROM memories m JOIN memory_sources s ON s.memory_id = m.id WHERE s.message_id = ?1 AND m.text <> ?2`,
				"messages":           `SELECT count(*) FROM messages WHERE id = ?1 AND text <> ?2`,
			} {
				var left int
				args := []any{s.message, text}[:strings.Count(count, "?")]
				if err := db.QueryRow(count, args...).Scan(&left); err != nil || left != 0 {
					t.Fatalf("seed %d: %d %s left of %s, %v", seed, left, what, s.canary, err)
				}
			}
		}
		for what, orphans := range map[string]string{
			"beliefs": `SELECT count(*) FROM beliefs WHERE id NOT IN (SELECT belief_id FROM belief_evidence)`,
			"loops":   `SELECT count(*) FROM open_loops`,
			"active":  `SELECT count(*) FROM beliefs WHERE status = 'active'`,
		} {
			var left int
			if err := db.QueryRow(orphans).Scan(&left); err != nil || left != 0 {
				t.Errorf("seed %d: %d %s are left of nothing, %v", seed, left, what, err)
			}
		}
	}
}

// TestReactionsAndSentMessagesAreExported exports and imports what belongs to messages.
func TestReactionsAndSentMessagesAreExported(t *testing.T) {
	k := newTalk(t, 500, 30)
	rooms, err := k.Log.OutboxRooms(t.Context(), "mira")
	if err != nil || len(rooms) == 0 {
		t.Fatal(rooms, err)
	}
	out, err := k.Log.NextOutbox(t.Context(), "mira", rooms[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Log.MarkChunkSent(t.Context(), out, log.SentChunk{ID: "net-1"}); err != nil {
		t.Fatal(err)
	}
	s := k.said[0]
	r := model.Reaction{Message: s.message, Person: k.person(s.who), Emoji: "👍", At: k.clock.Now()}
	if err := k.Turns.React(t.Context(), "mira", k.did(channels.React, s, "👍"), r); err != nil {
		t.Fatal(err)
	}
	if err := k.Log.MarkBlocked(t.Context(), k.person("ann")); err != nil {
		t.Fatal(err)
	}
	text := exported(t, k.Store, transfer.ExportOptions{})
	for _, word := range []string{"net-1", "👍", "unwelcome_at"} {
		if !bytes.Contains([]byte(text), []byte(word)) {
			t.Errorf("the export contains no %s", word)
		}
	}
	other := newTown(t)
	imported(t, other.Store, text)
	if again := exported(t, other.Store, transfer.ExportOptions{}); again != text {
		t.Error(difference(text, again))
	}
}
