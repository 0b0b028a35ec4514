package doctor

import (
	"context"

	"github.com/dustin/go-humanize/english"

	"familiar/cmd/familiar/internal/queues"
	"familiar/internal/cli"
)

// checkLost reports what did not get through.
func checkLost(ctx context.Context, inv *cli.Invocation) (found []Finding, err error) {
	letters, messages, err := queues.ReadLost(ctx, inv)
	for _, kind := range []struct {
		check, what, help string
		rooms             []queues.Lost
	}{
		{"outbox", "dead letter", queues.HelpLetters, letters},
		{"inbox", "unanswered message", queues.HelpMessages, messages},
	} {
		for _, l := range kind.rooms[:min(len(kind.rooms), queues.LostShown)] {
			found = append(found, Finding{kind.check, stateWarning, l.In(kind.what, inv.Now()), kind.help})
		}
		if more := len(kind.rooms) - queues.LostShown; more > 0 {
			found = append(found, Finding{kind.check, stateWarning, "the same in " + english.Plural(more, "more room", ""), kind.help})
		}
	}
	return found, err
}
