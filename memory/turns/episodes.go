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
)

// EpisodeView is an episode: a text that replaces a part of a running session.
type EpisodeView struct {
	// ID is the memory's id.
	ID int64
	// From and Until are the times of its first and last message.
	From, Until time.Time
	Text        string
}

// NewEpisode is a text that from now on replaces a part of a session.
type NewEpisode struct {
	Text     string
	Salience float64 // 0–1
	// Sources are the ids of all messages it replaces, in order.
	Sources []int64
}

// Uncompacted returns the messages of a session that no episode covers, oldest first.
func (s *Store) Uncompacted(ctx context.Context, session int64) (messages []model.Message, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read the uncompacted messages of session %d", session), func(tx *db.Tx) error {
		messages, err = db.Collect[model.Message](tx.Query(log.SelectMessages+`
			WHERE m.session_id = ?1 AND m.text <> '' AND m.id NOT IN (SELECT s.message_id FROM memories e JOIN memory_sources s ON s.memory_id = e.id
				WHERE e.session_id = ?1 AND e.kind = 'episode' AND e.superseded_by IS NULL) ORDER BY m.id`, session))(log.ScanMessage)
		return err
	})
	return messages, err
}

// Episodes returns the episodes of a session that may be heard in h, in order. The slice is shared: do not change it.
func (s *Store) Episodes(ctx context.Context, h scope.Visibility, session int64) (told []EpisodeView, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read the episodes of session %d", session), func(tx *db.Tx) error {
		at, err := scope.Revisions(tx, h.Persona(), h.Audiences())
		if err != nil {
			return err
		}
		compacted, err := compactedTo(tx, session)
		if err != nil {
			return err
		}
		key := episodesKey{h.Persona(), h.Room().ID, session}
		known := sessionEpisodes{at: at, compacted: compacted}
		if kept, same := s.episodes.get(key, known); same {
			told = kept
			return nil
		}
		if told, err = readEpisodes(tx, h, session); err != nil {
			return err
		}
		known.told = told
		s.episodes.put(key, known)
		return nil
	})
	return told, err
}

// compactedTo is the last message of a session that an episode covers, 0 for none.
func compactedTo(tx *db.Tx, session int64) (message int64, err error) {
	err = tx.QueryRow(`SELECT coalesce((SELECT compacted_to FROM sessions WHERE id = ?), 0)`, session).Scan(&message)
	return message, err
}

func readEpisodes(tx *db.Tx, h scope.Visibility, session int64) ([]EpisodeView, error) {
	where, args := h.Where("m")
	return db.Collect[EpisodeView](tx.Query(`SELECT m.id, min(x.at), max(x.at), m.text FROM memories m
		JOIN memory_sources s ON s.memory_id = m.id JOIN messages x ON x.id = s.message_id
		WHERE m.session_id = ? AND m.kind = 'episode' AND m.superseded_by IS NULL AND `+where+`
		GROUP BY m.id ORDER BY min(x.id)`, append([]any{session}, args...)...))(func(row db.Scanner) (e EpisodeView, err error) {
		err = row.Scan(&e.ID, db.IntoTime(&e.From), db.IntoTime(&e.Until), &e.Text)
		return e, err
	})
}

// Compact stores episodes of a session: Recent leaves out the messages they cover. Their audience is that of the
// session's room. It fails with ErrNotFound, and changes nothing, when one of the messages was forgotten meanwhile.
func (s *Store) Compact(ctx context.Context, session int64, episodes []NewEpisode) error {
	return s.db.Write(ctx, fmt.Sprintf("compact session %d into episodes", session), func(tx *db.Tx) error {
		talk, room, told, err := sessionToCompact(tx, session)
		if err != nil {
			return err
		}
		memories := make([]entry.NewMemory, len(episodes))
		for i, e := range episodes {
			memories[i] = episodeMemory(talk, room.Audience(), e)
		}
		made, err := saveEpisodes(tx, memories)
		if err != nil {
			return err
		}
		last := int64(0)
		for _, e := range episodes {
			last = max(last, slices.Max(e.Sources))
		}
		if last > told {
			_, err := tx.Exec(`UPDATE sessions SET compacted_to = ? WHERE id = ?`, last, talk.ID)
			return err
		}
		// Messages of a forgotten episode are compacted again. Caches that look at compacted_to would not see it.
		return scope.AdvanceMemories(tx, made, model.ScopeRevision{Epoch: 1})
	})
}

// sessionToCompact reads a session, its room and the last message that an episode covers.
func sessionToCompact(tx *db.Tx, session int64) (talk model.Session, room model.Room, told int64, err error) {
	readTalk := func() (err error) { talk, err = readSession(tx, session); return err }
	readRoom := func() (err error) { room, err = log.RoomOfSession(tx, session); return err }
	readTold := func() (err error) { told, err = compactedTo(tx, session); return err }
	err = tx.Prefetch(readTalk, readRoom, readTold)
	for _, read := range []func() error{readTalk, readRoom, readTold} {
		if err == nil {
			err = read()
		}
	}
	return talk, room, told, err
}

// episodeMemory is the memory that an episode becomes.
func episodeMemory(talk model.Session, a model.Audience, e NewEpisode) entry.NewMemory {
	return entry.NewMemory{
		Persona: talk.Persona, Audience: a, Origin: model.OriginJob, SessionID: talk.ID, Sector: model.Episodic, Kind: model.Episode,
		Text: log.Redact(strings.TrimSpace(model.StripInvisible(e.Text))), Salience: e.Salience, Sources: e.Sources,
	}
}

// saveEpisodes stores episodes.
func saveEpisodes(tx *db.Tx, episodes []entry.NewMemory) (made []scope.MemoryRef, err error) {
	checks := make([]func() error, len(episodes))
	for i, e := range episodes {
		checks[i] = func() error { return entry.Check(tx, e) }
	}
	if err := tx.Prefetch(checks...); err != nil {
		return nil, err
	}
	for _, e := range episodes {
		id, err := entry.Remember(tx, e)
		if err != nil {
			return nil, err
		}
		made = append(made, scope.MemoryRef{MemoryID: id, Persona: e.Persona, Audience: e.Audience})
	}
	return made, nil
}
