package memory

import (
	"time"

	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand"
)

// noteSettings describes a text to remember.
type noteSettings struct {
	at         time.Time
	salience   float64
	sector     model.Sector
	pinned     bool
	newSession bool
	answer     string
	tags       []string
	claims     []understand.Claim // claims in addition to those of the text
}

// RememberOption changes what Remember and Believe store.
type RememberOption func(*noteSettings)

// At sets when the text was said; the default is now. The same text with the same time is stored once.
func At(t time.Time) RememberOption { return func(n *noteSettings) { n.at = t } }

// Salience sets how much it matters, 0–1. The default is read from the text. An instruction ("Always call me Captain")
// of at least 0.6 comes up in every context; at most two do.
func Salience(s float64) RememberOption { return func(n *noteSettings) { n.salience = s } }

// As sets the sector. The default is read from the text.
func As(s model.Sector) RememberOption { return func(n *noteSettings) { n.sector = s } }

// Tags labels it, for Tagged.
func Tags(tags ...string) RememberOption { return func(n *noteSettings) { n.tags = tags } }

// Pinned puts it into every context, whatever the query. Only a notebook without a person accepts it.
func Pinned() RememberOption { return func(n *noteSettings) { n.pinned = true } }

// Answer stores what the persona answered to it. Answers belong to the session, OwnWords recalls them, and they are never
// evidence for a belief.
func Answer(text string) RememberOption { return func(n *noteSettings) { n.answer = text } }

// NewSession begins a session with it. Without it, a text continues the session of the last one unless half an hour has
// passed.
func NewSession() RememberOption { return func(n *noteSettings) { n.newSession = true } }

// RecallOption changes a query of a notebook.
type RecallOption func(*recallSettings)

// recallSettings is a query with its options.
type recallSettings struct {
	recall.Query
	weak     bool
	embedder Embedder
}

// Limit sets how many memories to return at most; the default is 20.
func Limit(n int) RecallOption { return func(r *recallSettings) { r.Limit = n } }

// Weights multiplies the scores of sectors; a missing sector has weight 1. A bartender may prefer feelings, a teacher
// skills.
func Weights(w map[model.Sector]float64) RecallOption {
	return func(r *recallSettings) { r.Weights = w }
}

// Sectors leaves out all other sectors.
func Sectors(sectors ...model.Sector) RecallOption {
	return func(r *recallSettings) { r.Sectors = sectors }
}

// After leaves out what was said at t or before.
func After(t time.Time) RecallOption { return func(r *recallSettings) { r.After = t } }

// Before leaves out what was said at t or later.
func Before(t time.Time) RecallOption { return func(r *recallSettings) { r.Before = t } }

// InSession leaves out what was said in other sessions than that of the id; see model.Memory.SessionID.
func InSession(id int64) RecallOption { return func(r *recallSettings) { r.Session = id } }

// Tagged leaves out what has not the tag.
func Tagged(tag string) RecallOption { return func(r *recallSettings) { r.Tag = tag } }

// OwnWords also returns what the persona answered. Such a hit has Own set, and its memory has no ID.
func OwnWords() RecallOption { return func(r *recallSettings) { r.Own = true } }

// Similar also finds what means the same in other words: it embeds the query with e, whose vectors the memories have from
// EmbedWaiting. The recall fails if e fails.
func Similar(e Embedder) RecallOption { return func(r *recallSettings) { r.embedder = e } }

// Weak also returns memories found only for the talk around them or for a slight match.
func Weak() RecallOption { return func(r *recallSettings) { r.weak = true } }

// Explained fills Hit.Reasons.
func Explained() RecallOption { return func(r *recallSettings) { r.Explain = true } }
