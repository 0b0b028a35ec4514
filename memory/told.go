package memory

import "context"

// Told lists what a person said themselves and may be heard in h, the salient before the rest and the newest first
// within both, with what no longer holds left out or marked, as in packed context; 20 when limit is 0. Standing wishes
// and what has faded are left out.
func (s *Store) Told(ctx context.Context, h Hearing, person int64, limit int) (memories []Memory, err error) {
	err = s.read(ctx, "list what a person told", func(tx *conn) error {
		at, err := tx.revisions(h.persona, h.audiences)
		if err != nil {
			return err
		}
		believed, err := s.believed(tx, h, at)
		if err != nil {
			return err
		}
		memories, err = tx.foremost(h, `m.author_id = ? AND m.origin = 'said' AND m.instruction = 0 AND m.tier <> 'dormant'`,
			[]any{person}, limitOr(limit, 20))
		markTold(memories, believed.mark)
		return err
	})
	return memories, err
}

// markTold marks what no longer holds: what is believed otherwise, and what was taken back in other words.
func markTold(memories []Memory, mark marker) {
	lines := make([]SnippetLine, len(memories))
	var withdrawn withdrawals
	for i, m := range memories {
		lines[i] = SnippetLine{PersonID: m.AuthorID, At: m.Created, Text: m.Text}
		withdrawn.add(lines[i])
	}
	for i, l := range lines {
		memories[i].Text = withdrawn.mark(l, mark.mark(l))
	}
}
