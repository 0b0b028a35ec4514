package serving

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/memorytest"
)

// TestMalformedMessageIsSkipped checks that a malformed or endless message, which would be delivered again and again,
// counts as accepted, and that a message that cannot be stored right now does not.
func TestMalformedMessageIsSkipped(t *testing.T) {
	store := memorytest.Open(t)
	accept := skipMalformed(slog.New(slog.NewTextHandler(t.Output(), nil)), func(ctx context.Context, m channels.Message) error {
		_, err := store.Log.Accept(ctx, "mira", m)
		return err
	})
	good := channels.Message{
		ID: "1", Room: channels.Room{Channel: "net", ID: "r"}, Author: channels.Author{Handle: channels.Handle{Channel: "net", ID: "a"}},
		At: time.Unix(0, 0),
	}
	odd, long := good, good
	odd.ID, odd.Action, odd.TargetID = "2", channels.React, "\xff"
	long.ID, long.Text = "3", strings.Repeat("endless ", 1<<20)
	for _, m := range []channels.Message{odd, long, good} {
		if err := accept(t.Context(), m); err != nil {
			t.Error(err)
		}
	}
	if kept, err := store.Log.Pending(t.Context(), "mira", good.Room, 9); err != nil || len(kept) != 1 || kept[0].Message.ID != good.ID {
		t.Errorf("stored %+v, %v", kept, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	good.ID = "4"
	if err := accept(ended, good); !errors.Is(err, context.Canceled) {
		t.Errorf("what could not be stored now gets %v", err)
	}
}
