package memory

import "context"

// Told lists what a person said themselves and may be heard in h, the salient before the rest and the newest first
// within both, with what no longer holds left out or marked, as in packed context; 20 when limit is 0. Standing wishes
// and what has faded are left out.
func (s *Store) Told(ctx context.Context, h Hearing, person int64, limit int) (memories []Memory, err error) {
	where, args := h.where("m")
	err = s.read(ctx, "list what a person told", func(tx *conn) error {
		at, err := tx.revisions(h.persona, h.audiences)
		if err != nil {
			return err
		}
		believed, err := s.believed(tx, h, at)
		if err != nil {
			return err
		}
		memories, err = collect[Memory](tx.rows(memoryColumns+` WHERE `+where+` AND m.author_id = ? AND m.origin = 'said'
			AND m.instruction = 0 AND m.superseded_by IS NULL AND m.tier <> 'dormant' AND (m.expires_at IS NULL OR m.expires_at > ?)
			ORDER BY CASE WHEN m.salience >= ? THEN 0 ELSE 1 END, m.id DESC LIMIT ? + 0`,
			append(args, person, tx.nowMS(), salientFrom, limitOr(limit, 20))...))(scanMemory)
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
