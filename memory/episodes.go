package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// EpisodeTold is a part of a running talk as one of its episodes tells it.
type EpisodeTold struct {
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

// toldByEpisode holds of a message m that an episode tells.
const toldByEpisode = `EXISTS (SELECT 1 FROM memory_sources s JOIN memories e ON e.id = s.memory_id AND e.kind = 'episode'
	AND e.superseded_by IS NULL WHERE s.message_id = m.id)`

// Untold are the messages of a session that no episode tells, oldest first.
func (s *Store) Untold(ctx context.Context, session int64) (messages []Message, err error) {
	err = s.read(ctx, fmt.Sprintf("read what of session %d no episode tells", session), func(tx *conn) error {
		messages, err = collect[Message](tx.rows(messageColumns+`
			WHERE m.session_id = ? AND m.text <> '' AND NOT `+toldByEpisode+` ORDER BY m.id`, session))(scanMessage)
		return err
	})
	return messages, err
}

// Episodes are what tells the earlier part of a session in the place it is spoken in, in order.
func (s *Store) Episodes(ctx context.Context, h Hearing, session int64) (told []EpisodeTold, err error) {
	where, args := h.where("m")
	err = s.read(ctx, fmt.Sprintf("read the episodes of session %d", session), func(tx *conn) error {
		told, err = collect[EpisodeTold](tx.rows(`SELECT m.id, min(x.at), max(x.at), m.text FROM memories m
			JOIN memory_sources s ON s.memory_id = m.id JOIN messages x ON x.id = s.message_id
			WHERE m.session_id = ? AND m.kind = 'episode' AND m.superseded_by IS NULL AND `+where+`
			GROUP BY m.id ORDER BY min(x.id)`, append([]any{session}, args...)...))(func(row scanner) (e EpisodeTold, err error) {
			err = row.Scan(&e.ID, intoTime(&e.From), intoTime(&e.Until), &e.Text)
			return e, err
		})
		return err
	})
	return told, err
}

// Fold lets episodes tell parts of a session from now on: Recent leaves out what they tell. They are heard where it was
// said. It fails with ErrNotFound, and changes nothing, when one of their messages was forgotten meanwhile.
func (s *Store) Fold(ctx context.Context, session int64, episodes []NewEpisode) error {
	return s.write(ctx, fmt.Sprintf("fold session %d into episodes", session), func(tx *conn) error {
		talk, err := tx.session(session)
		if err != nil {
			return err
		}
		room, err := tx.roomByID(talk.RoomID)
		if err != nil {
			return err
		}
		for _, e := range episodes {
			if err := tx.foldInto(talk, room.Audience(), e); err != nil {
				return err
			}
		}
		return nil
	})
}

// foldInto keeps one episode.
func (c *conn) foldInto(talk Session, a Audience, e NewEpisode) error {
	sources, err := c.sources(talk.Persona, a, e.Sources)
	if err != nil {
		return err
	}
	gone := slices.ContainsFunc(sources, func(s source) bool { return s.text == "" })
	if gone || len(sources) < len(e.Sources) || len(sources) == 0 {
		return fmt.Errorf("messages of an episode: %w", ErrNotFound)
	}
	if _, err := c.remember(NewMemory{
		Persona: talk.Persona, Audience: a, Origin: Inferred, SessionID: talk.ID, Sector: Episodic, Kind: Episode,
		Text: Redact(strings.TrimSpace(Visible(e.Text))), Salience: e.Salience, Sources: e.Sources,
	}); err != nil {
		return err
	}
	_, err = c.exec(`UPDATE sessions SET compacted_to = max(coalesce(compacted_to, 0), ?) WHERE id = ?`, slices.Max(e.Sources), talk.ID)
	return err
}
