package log

import (
	"context"
	"time"

	"familiar/channels"
	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// ChannelState is the latest state that a channel reported.
type ChannelState struct {
	Channel string
	channels.State
	// Since is when the channel entered its phase, At when it last reported.
	Since, At time.Time
}

// SaveChannelState stores the state of a channel.
func (s *Store) SaveChannelState(ctx context.Context, channel string, state channels.State) error {
	return s.db.Write(ctx, "store the state of "+channel, func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO channel_states (channel, phase, says, todo, account, since, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)
			ON CONFLICT (channel) DO UPDATE SET phase = excluded.phase, says = excluded.says, todo = excluded.todo,
				account = CASE WHEN excluded.account <> '' THEN excluded.account ELSE channel_states.account END,
				since = CASE WHEN channel_states.phase = excluded.phase THEN channel_states.since ELSE excluded.since END,
				at = excluded.at`,
			channel, state.Phase, model.CleanText(state.Problem), model.CleanText(state.NextStep), model.CleanText(state.Account), tx.NowMillis())
		return err
	})
}

// ChannelStates returns the latest states of all channels by name.
func (s *Store) ChannelStates(ctx context.Context) (states []ChannelState, err error) {
	err = s.db.ReadOne(ctx, "read the channels' states", func(tx *db.Tx) error {
		states, err = db.Collect[ChannelState](tx.Query(`SELECT channel, phase, says, todo, account, since, at FROM channel_states ORDER BY channel`))(
			func(row db.Scanner) (c ChannelState, err error) {
				err = row.Scan(&c.Channel, &c.Phase, &c.Problem, &c.NextStep, &c.Account, db.IntoTime(&c.Since), db.IntoTime(&c.At))
				return c, err
			})
		return err
	})
	return states, err
}
