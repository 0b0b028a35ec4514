package turns

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"familiar/memory/budget"
	"familiar/memory/internal/db"
)

// Usage is what the calls of one model used for a turn.
type Usage struct {
	// Job is what the calls were for: budget.Talk for the reply itself, or the name of a job. Model is the model's name in the
	// ledger.
	Job, Model string
	// Requests counts all that were made, repeated ones and those without an answer included.
	Requests int
	// In and Out are the tokens of all requests. CacheRead and CacheWritten are the parts of In that the provider read from its
	// cache and wrote there.
	In, Out, CacheRead, CacheWritten int
	// Cost is 0 if no price was known.
	Cost budget.Money
	// Took is how long the model was waited for.
	Took time.Duration
}

// Priced reports whether the price of the tokens was known.
func (u Usage) Priced() bool { return u.Cost > 0 || u.In+u.Out == 0 }

// Add adds what another call of the same model for the same job used.
func (u *Usage) Add(o Usage) {
	u.Requests += o.Requests
	u.In, u.Out = u.In+o.In, u.Out+o.Out
	u.CacheRead, u.CacheWritten = u.CacheRead+o.CacheRead, u.CacheWritten+o.CacheWritten
	u.Cost += o.Cost
	u.Took += o.Took
}

// String words what was used: "2 calls to gpt-x: 1,234 tokens in (900 from cache), 210 out, $0.0042, 3.4 s".
func (u Usage) String() string {
	var b strings.Builder
	b.WriteString(english.Plural(u.Requests, "call", "") + " to " + u.Model)
	if u.Job != budget.Talk {
		b.WriteString(" for " + u.Job)
	}
	if u.In+u.Out == 0 {
		b.WriteString(": no tokens were counted")
	} else {
		b.WriteString(": " + humanize.Comma(int64(u.In)) + " tokens in")
		if u.CacheRead > 0 {
			b.WriteString(" (" + humanize.Comma(int64(u.CacheRead)) + " from cache)")
		}
		b.WriteString(", " + humanize.Comma(int64(u.Out)) + " out, " + u.price())
	}
	if u.Took >= leastShown {
		fmt.Fprintf(&b, ", %.1f s", u.Took.Seconds())
	}
	return b.String()
}

// leastShown is the shortest time that String names.
const leastShown = 50 * time.Millisecond

// price words the cost with two significant digits, and with cents at least.
func (u Usage) price() string {
	if !u.Priced() {
		return "price unknown"
	}
	dollars := u.Cost.Dollars()
	digits := max(2, 1-int(math.Floor(math.Log10(dollars))))
	return "$" + strconv.FormatFloat(dollars, 'f', digits, 64)
}

// insertUsage stores what the models used for the turn.
func (r *TurnWriter) insertUsage() error {
	var rows [][]any
	for _, u := range r.Turn.Usage {
		rows = append(rows, []any{
			r.Done.TurnID, u.Job, u.Model, u.Requests, u.In, u.Out, u.CacheRead, u.CacheWritten, u.Cost, u.Took.Milliseconds(),
		})
	}
	return r.InsertRows("turn_usage (turn_id, job, model, requests, tokens_in, tokens_out, cache_read, cache_written, cost, took_ms)", rows)
}

const selectUsage = `SELECT t.reply_id, u.job, u.model, u.requests, u.tokens_in, u.tokens_out, u.cache_read, u.cache_written, u.cost, u.took_ms
	FROM turns t JOIN turn_usage u ON u.turn_id = t.id `

// usageOf returns what models used for the turns that a condition selects, by the message of the answer; the reply itself first.
func usageOf(tx *db.Tx, where string, args ...any) (map[int64][]Usage, error) {
	all := map[int64][]Usage{}
	_, err := db.Collect[int64](tx.Query(selectUsage+where+` ORDER BY t.id, u.job <> '`+budget.Talk+`', u.job, u.model`, args...))(
		func(row db.Scanner) (reply int64, err error) {
			var u Usage
			var took int64
			err = row.Scan(db.IntoID(&reply), &u.Job, &u.Model, &u.Requests, &u.In, &u.Out, &u.CacheRead, &u.CacheWritten, &u.Cost, &took)
			u.Took = time.Duration(took) * time.Millisecond
			all[reply] = append(all[reply], u)
			return reply, err
		})
	return all, err
}

// SessionUsage returns what models used for each answer of a session, by the answer's message: for operators only. An answer that
// no model was asked for is left out.
func (s *Store) SessionUsage(ctx context.Context, session int64) (all map[int64][]Usage, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read what models used in session %d", session), func(tx *db.Tx) error {
		all, err = usageOf(tx, `WHERE t.session_id = ? AND t.reply_id IS NOT NULL`, session)
		return err
	})
	return all, err
}
