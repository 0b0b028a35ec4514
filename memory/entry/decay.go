package entry

import (
	"slices"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// fadeColumns returns the values of the columns lasts and forget_at for a new memory. What the operator tells and
// standing instructions never fade, nor does signed lore; a pinned memory does not fade while it is pinned. A message imported later starts
// to fade when it is imported, however old it is.
func fadeColumns(f model.DecayModel, m model.Memory, now time.Time) (lasts, forgetAt any) {
	if m.Origin == model.OriginOperator || m.Instruction || m.Kind == model.Lore {
		return nil, nil
	}
	span := f.Lifetime(f.RatesOf(m.Persona)[m.Sector], m.Salience)
	if m.Pinned {
		return span.Milliseconds(), nil
	}
	return span.Milliseconds(), db.Millis(model.Later(m.Created, now).Add(span))
}

// strengthened is the SQL of a memory's strength after one more use. Each of its arguments is now, in milliseconds.
const strengthened = `(strength + CASE WHEN ? - coalesce(recalled_at, created_at) >= 86400000 THEN 1.0
	WHEN ? <= coalesce(recalled_at, created_at) THEN 0.0
	ELSE (? - coalesce(recalled_at, created_at)) / 86400000.0 END / (recalls + 1))`

// strengthen counts one use of memories: each gets stronger, and its decay starts again.
const strengthen = `UPDATE memories SET recalls = recalls + 1, uses = uses + 1, strength = ` + strengthened + `,
	forget_at = CASE WHEN pinned = 1 THEN NULL ELSE ? + CAST(lasts * ` + strengthened + ` AS INTEGER) END,
	recalled_at = ? WHERE id IN `

// strengthenNows is how many arguments of strengthen are the current time.
const strengthenNows = 8

// MarkUsed records that a reply was made from memories now.
func MarkUsed(tx *db.Tx, memories []int64) error {
	nows := slices.Repeat([]any{tx.NowMillis()}, strengthenNows)
	for chunk := range slices.Chunk(db.Distinct(memories), db.MaxArgs) {
		in, args := db.Placeholders(chunk)
		if _, err := tx.Exec(strengthen+in, slices.Concat(nows, args)...); err != nil {
			return err
		}
	}
	return nil
}
