package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/dustin/go-humanize/english"

	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/understand"
)

const (
	// rereadAtOnce is how many messages share a write: a turn waits behind it for a few milliseconds.
	rereadAtOnce = 100
	// rereadPerRun bounds what one run analyses, some seconds of work; the next run goes on.
	rereadPerRun = 20_000
)

// Reread counts the messages whose analysis a run made again.
type Reread int

// String says the count in words, for the ledger.
func (r Reread) String() string {
	if r == 0 {
		return "every message is analysed by this version"
	}
	return "analysed " + english.Plural(int(r), "message", "messages") + " again"
}

// RereadOnce analyses again what people said and another version of understand.Analyze analysed, or none: before an upgrade,
// in another home, or where the question that a message answers was forgotten. Each batch is a transaction of its own; what
// an interrupted run left the next one takes. A message that came with files is read with the notes that name them.
func (n Deps) RereadOnce(ctx context.Context, _ int64, _ time.Time) (done Reread, err error) {
	zones := map[int64]*time.Location{}
	last := int64(0)
	for looked := 0; looked < rereadPerRun; {
		batch, err := n.Store.Log.AnalyzedOtherwise(ctx, n.Card.Key, understand.Version, last, rereadAtOnce)
		if err != nil || len(batch) == 0 {
			return done, err
		}
		if err := n.reread(ctx, batch, zones); err != nil {
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

// reread replaces the analyses of messages. zones are those of their authors, as far as they were looked up.
func (n Deps) reread(ctx context.Context, batch []log.Reread, zones map[int64]*time.Location) (err error) {
	for i := range batch {
		m := &batch[i]
		zone := zones[m.PersonID]
		if zone == nil {
			if zone, err = n.zoneOf(ctx, m.PersonID); err != nil {
				return fmt.Errorf("find the timezone of person %d: %w", m.PersonID, err)
			}
			zones[m.PersonID] = zone
		}
		m.Stored = model.StoreAnalysis(understand.Analyze(understand.Utterance{
			Text: m.Text, At: m.At.In(zone), Before: m.Before, WithoutFacts: n.Card.WithoutFacts,
		}))
	}
	return nil
}
