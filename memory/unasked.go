package memory

import (
	"context"
	"errors"
	"fmt"
)

// ErrSaidEnough says that the persona has spoken to somebody unasked as often as it may in a day.
var ErrSaidEnough = errors.New("the day's unasked messages are used up")

// ReserveUnasked sets aside one message that persona sends to person unasked on a day, YYYY-MM-DD by the person's own
// calendar, or fails with ErrSaidEnough when cap of them were. Checking and adding are one step: two jobs at once cannot
// both take the last.
func (s *Store) ReserveUnasked(ctx context.Context, persona string, person int64, day string, cap int) error {
	return s.write(ctx, fmt.Sprintf("reserve an unasked message to person %d", person), func(tx *conn) error {
		n, err := tx.affect(`INSERT INTO unasked (persona, person_id, day, times) SELECT ?, ?, ?, 1 WHERE ? > 0
			ON CONFLICT (persona, person_id, day) DO UPDATE SET times = unasked.times + 1 WHERE unasked.times < ?`,
			persona, person, day, cap, cap)
		if err == nil && n == 0 {
			err = fmt.Errorf("%w: %d on %s", ErrSaidEnough, cap, day)
		}
		return err
	})
}
