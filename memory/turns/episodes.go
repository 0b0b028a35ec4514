package turns

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/recall"
)

// EpisodeView is a part of a running talk as one of its episodes tells it.
type EpisodeView struct {
	// ID is the memory's.
	ID int64
	// From and Until are when the first and the last message it tells were said.
	From, Until time.Time
	Text        string
}

// NewEpisode is a part of a talk to be told from now on by its episode in place of its messages.
type NewEpisode struct {
	Text     string
	Salience float64 // 0–1
	// Sources are all messages it tells, in order.
	Sources []int64
}

// Uncompacted are the messages of a session that no episode tells, oldest first.
func (s *Store) Uncompacted(ctx context.Context, session int64) (messages []model.Message, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read what of session %d no episode tells", session), func(tx *db.Tx) error {
		messages, err = db.Collect[model.Message](tx.Query(log.SelectMessages+`
			WHERE m.session_id = ? AND m.text <> '' AND NOT `+recall.CoveredByEpisode+` ORDER BY m.id`, session))(log.ScanMessage)
		return err
	})
	return messages, err
}

// Episodes are what tells the earlier part of a session in the place it is spoken in, in order.
func (s *Store) Episodes(ctx context.Context, h scope.Visibility, session int64) (told []EpisodeView, err error) {
	where, args := h.Where("m")
	err = s.db.Read(ctx, fmt.Sprintf("read the episodes of session %d", session), func(tx *db.Tx) error {
		told, err = db.Collect[EpisodeView](tx.Query(`SELECT m.id, min(x.at), max(x.at), m.text FROM memories m
			JOIN memory_sources s ON s.memory_id = m.id JOIN messages x ON x.id = s.message_id
			WHERE m.session_id = ? AND m.kind = 'episode' AND m.superseded_by IS NULL AND `+where+`
			GROUP BY m.id ORDER BY min(x.id)`, append([]any{session}, args...)...))(func(row db.Scanner) (e EpisodeView, err error) {
			err = row.Scan(&e.ID, db.IntoTime(&e.From), db.IntoTime(&e.Until), &e.Text)
			return e, err
		})
		return err
	})
	return told, err
}

// Fold lets episodes tell parts of a session from now on: Recent leaves out what they tell. They are heard where it was
// said. It fails with ErrNotFound, and changes nothing, when one of their messages was forgotten meanwhile.
func (s *Store) Compact(ctx context.Context, session int64, episodes []NewEpisode) error {
	return s.db.Write(ctx, fmt.Sprintf("fold session %d into episodes", session), func(tx *db.Tx) error {
		talk, err := readSession(tx, session)
		if err != nil {
			return err
		}
		room, err := log.RoomByID(tx, talk.RoomID)
		if err != nil {
			return err
		}
		for _, e := range episodes {
			if err := saveEpisode(tx, talk, room.Audience(), e); err != nil {
				return err
			}
		}
		return nil
	})
}

// foldInto keeps one episode.
func saveEpisode(tx *db.Tx, talk model.Session, a model.Audience, e NewEpisode) error {
	sources, err := entry.Sources(tx, talk.Persona, a, e.Sources)
	if err != nil {
		return err
	}
	gone := slices.ContainsFunc(sources, func(s entry.Source) bool { return s.Text == "" })
	if gone || len(sources) < len(e.Sources) || len(sources) == 0 {
		return fmt.Errorf("messages of an episode: %w", db.ErrNotFound)
	}
	if _, err := entry.Remember(tx, entry.NewMemory{
		Persona: talk.Persona, Audience: a, Origin: model.OriginJob, SessionID: talk.ID, Sector: model.Episodic, Kind: model.Episode,
		Text: log.Redact(strings.TrimSpace(model.StripInvisible(e.Text))), Salience: e.Salience, Sources: e.Sources,
	}); err != nil {
		return err
	}
	_, err = tx.Exec(`UPDATE sessions SET compacted_to = max(coalesce(compacted_to, 0), ?) WHERE id = ?`, slices.Max(e.Sources), talk.ID)
	return err
}
