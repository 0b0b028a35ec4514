package memory

import (
	"context"
	"time"

	"familiar/channels"
)

// ChannelState is how a channel stood when it last said so.
type ChannelState struct {
	Channel string
	channels.State
	// Since is when it came into its phase, At when it last said how it stands.
	Since, At time.Time
}

// ReportState keeps how a channel stands.
func (s *Store) ReportState(ctx context.Context, channel string, state channels.State) error {
	return s.write(ctx, "keep how "+channel+" stands", func(tx *conn) error {
		_, err := tx.exec(`INSERT INTO channel_states (channel, phase, says, todo, account, since, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)
			ON CONFLICT (channel) DO UPDATE SET phase = excluded.phase, says = excluded.says, todo = excluded.todo,
				account = CASE WHEN excluded.account <> '' THEN excluded.account ELSE channel_states.account END,
				since = CASE WHEN channel_states.phase = excluded.phase THEN channel_states.since ELSE excluded.since END,
				at = excluded.at`,
			channel, state.Phase, clean(state.Problem), clean(state.NextStep), clean(state.Account), tx.nowMS())
		return err
	})
}

// ChannelStates are how the channels stood when they last said so, by name.
func (s *Store) ChannelStates(ctx context.Context) (states []ChannelState, err error) {
	err = s.readOne(ctx, "read how the channels stand", func(tx *conn) error {
		states, err = collect[ChannelState](tx.rows(`SELECT channel, phase, says, todo, account, since, at FROM channel_states ORDER BY channel`))(
			func(row scanner) (c ChannelState, err error) {
				err = row.Scan(&c.Channel, &c.Phase, &c.Problem, &c.NextStep, &c.Account, intoTime(&c.Since), intoTime(&c.At))
				return c, err
			})
		return err
	})
	return states, err
}
