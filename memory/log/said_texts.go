package log

import (
	"context"
	"slices"
	"strings"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// SaidTexts returns those of texts that are stored as a message of a person on a channel, or wait to be. A text that was
// forgotten everywhere is not among them.
func (s *Store) SaidTexts(ctx context.Context, channel string, texts []string) (said map[string]bool, err error) {
	stored := func(text string) string { return strings.TrimSpace(Redact(model.CleanText(text))) }
	said = map[string]bool{}
	err = s.db.Read(ctx, "look for what was said on "+channel, func(tx *db.Tx) error {
		known, err := waitingTexts(tx, channel)
		if err != nil {
			return err
		}
		for chunk := range slices.Chunk(texts, db.MaxArgs-1) {
			clean := make([]string, len(chunk))
			for i, text := range chunk {
				clean[i] = stored(text)
			}
			in, args := db.Placeholders(clean)
			found, err := db.Collect[string](tx.Query(`SELECT DISTINCT m.text FROM messages m JOIN rooms r ON r.id = m.room_id
				WHERE m.person_id IS NOT NULL AND r.channel = ? AND m.text IN `+in, append([]any{channel}, args...)...))(db.ScanText)
			if err != nil {
				return err
			}
			for _, text := range found {
				known[text] = true
			}
		}
		for _, text := range texts {
			if known[stored(text)] {
				said[text] = true
			}
		}
		return nil
	})
	return said, err
}

// waitingTexts returns the texts of a channel's messages that wait for an answer or were given up.
func waitingTexts(tx *db.Tx, channel string) (map[string]bool, error) {
	waiting, err := db.Collect[InboxEntry](tx.Query(SelectInbox+` WHERE status <> 'done' AND channel = ?`, channel))(ScanInboxEntry)
	if err != nil {
		return nil, err
	}
	texts := map[string]bool{}
	for _, w := range waiting {
		texts[w.Message.FullText()] = true
	}
	return texts, nil
}
