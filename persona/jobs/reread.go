package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/dustin/go-humanize/english"

	"familiar/memory/entry"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/understand"
)

const (
	// rereadAtOnce is how many messages share a write. A turn waits for it for a few milliseconds only.
	rereadAtOnce = 100
	// rereadPerRun bounds what one run analyzes, some seconds of work. The next run continues.
	rereadPerRun = 20_000
)

// Reread counts the messages that a run analyzed again.
type Reread int

// String describes the result for the ledger.
func (r Reread) String() string {
	if r == 0 {
		return "every message is analysed by this version"
	}
	return "analysed " + english.Plural(int(r), "message", "messages") + " again"
}

// RereadOnce analyzes people's messages again if their stored analysis is missing or from another version of
// understand.Analyze: from before an upgrade, from another home, or because the question that a message answers was
// forgotten. Each batch is a transaction of its own, so the next run continues after an interruption. A message with
// files is analyzed with the notes that name them.
func (n Deps) RereadOnce(ctx context.Context, _ int64, _ time.Time) (done Reread, err error) {
	zones := map[int64]*time.Location{}
	last := int64(0)
	for looked := 0; looked < rereadPerRun; {
		batch, err := n.Store.Log.AnalyzedOtherwise(ctx, n.Card.Key, understand.Version, last, rereadAtOnce)
		if err != nil || len(batch) == 0 {
			return done, err
		}
		told, err := n.reread(ctx, batch, zones)
		if err != nil {
			return done, err
		}
		// What they tell comes before their analyses, so that it is stored again after an interruption.
		if _, err := n.Store.Entries.StoreTold(ctx, told); err != nil {
			return done, err
		}
		stored, err := n.Store.Log.StoreAnalyses(ctx, batch)
		if err != nil {
			return done, err
		}
		done += Reread(stored)
		looked += len(batch)
		last = batch[len(batch)-1].ID
	}
	return done, nil
}

// reread replaces the analyses of messages and returns what they tell. zones caches the timezones of their authors.
func (n Deps) reread(ctx context.Context, batch []log.Reread, zones map[int64]*time.Location) (told []entry.Telling, err error) {
	for i := range batch {
		m := &batch[i]
		zone := zones[m.PersonID]
		if zone == nil {
			if zone, err = n.zoneOf(ctx, m.PersonID); err != nil {
				return nil, fmt.Errorf("find the timezone of person %d: %w", m.PersonID, err)
			}
			zones[m.PersonID] = zone
		}
		a := understand.Analyze(understand.Utterance{
			Text: m.Text, At: m.At.In(zone), Before: m.Before, WithoutFacts: n.Card.WithoutFacts,
		})
		m.Stored = model.StoreAnalysis(a)
		told = append(told, entry.Telling{Message: m.ID, Text: m.Text, Told: a.Told})
	}
	return told, nil
}
