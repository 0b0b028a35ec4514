package log

import (
	"time"

	"familiar/memory/internal/db"
)

// SetTimezone stores a person's timezone. While it was unknown, times in their messages were read in usual, although
// the person meant their own clock. They are moved to the new zone: "the dentist on Friday at nine" is at nine where
// the person lives.
func SetTimezone(tx *db.Tx, person int64, zone string, usual *time.Location) error {
	was, err := db.One(tx.QueryRow(`SELECT timezone FROM people WHERE id = ?`, person), db.ScanText)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE people SET timezone = ? WHERE id = ?`, zone, person); err != nil {
		return err
	}
	if was != "" || zone == "" || usual == nil {
		return nil
	}
	to, err := time.LoadLocation(zone)
	if err != nil || to.String() == usual.String() {
		return err
	}
	return moveTimes(tx, person, usual, to)
}

// moveTimes keeps the clock time of the times that a person named, in another zone.
func moveTimes(tx *db.Tx, person int64, from, to *time.Location) error {
	for _, t := range []struct{ read, write string }{
		{
			`SELECT s.due_from, s.due_until, s.loop_id, s.message_id, s.kind FROM open_loop_sources s JOIN messages m ON m.id = s.message_id
				WHERE m.person_id = ? AND s.due_from IS NOT NULL`,
			`UPDATE open_loop_sources SET due_from = ?, due_until = ? WHERE loop_id = ? AND message_id = ? AND kind = ?`,
		},
		{
			`SELECT due_from, due_until, id, 0, '' FROM open_loops WHERE person_id = ? AND due_from IS NOT NULL`,
			`UPDATE open_loops SET due_from = ?, due_until = ? WHERE id = ? AND ? = 0 AND ? = ''`,
		},
		{
			`SELECT event_from, event_until, id, 0, '' FROM memories WHERE author_id = ? AND event_from IS NOT NULL`,
			`UPDATE memories SET event_from = ?, event_until = ? WHERE id = ? AND ? = 0 AND ? = ''`,
		},
		{
			`SELECT due_at, NULL, id, 0, '' FROM reminders WHERE person_id = ? AND wall = 1`,
			`UPDATE reminders SET due_at = ?, wall = coalesce(?, wall) WHERE id = ? AND ? = 0 AND ? = ''`,
		},
	} {
		spans, err := db.Collect[timeSpan](tx.Query(t.read, person))(scanSpan)
		if err != nil {
			return err
		}
		for _, s := range spans {
			if _, err := tx.Exec(t.write, db.NullMillis(inZone(s.from, from, to)), db.NullMillis(inZone(s.until, from, to)), s.row, s.message, s.kind); err != nil {
				return err
			}
		}
	}
	// Caches of their scopes hold the old times.
	_, err := tx.Exec(`UPDATE scopes SET epoch = epoch + 1 WHERE audience = 'private' AND ref = ?
		OR audience = 'room' AND ref IN (SELECT room_id FROM room_people WHERE person_id = ?)`, person, person)
	return err
}

// timeSpan is the time that one row is about, with the row's key.
type timeSpan struct {
	from, until  time.Time
	row, message int64
	kind         string
}

func scanSpan(row db.Scanner) (s timeSpan, err error) {
	err = row.Scan(db.IntoTime(&s.from), db.IntoTime(&s.until), &s.row, &s.message, &s.kind)
	return s, err
}

// inZone returns the time at which clocks in zone to show what clocks in zone from show at t. Zero stays zero.
func inZone(t time.Time, from, to *time.Location) time.Time {
	if t.IsZero() {
		return t
	}
	t = t.In(from)
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), to)
}
