package turns

import (
	"errors"
	"slices"

	"familiar/memory/belief"
	"familiar/memory/log"
	"familiar/memory/model"
)

// Reanalysis annotates a message with its new text and returns the ids of the loops it closes. open are the loops that
// were open with the author when the message was said, without the effect of its old text. It is called within the
// transaction and may be called again.
type Reanalysis func(open []model.Loop) (f model.Annotation, closes []int64)

// Reanalyze stores what a message with a new text says, and closes the loops it closes.
func (r *TurnWriter) Reanalyze(h model.AnnotatedMessage, m model.Message, text string, read Reanalysis) error {
	open, err := r.openBefore(m)
	if err != nil {
		return err
	}
	h.Annotation, r.Turn.ClosedLoops = read(open)
	if err := log.StoreAnalysis(r.Tx, m.ID, h.Annotation.Stored); err != nil {
		return err
	}
	if err := errors.Join(r.noteDanger(m.ID, h.Annotation.Danger), r.understand(h, m.ID, text, m.At), r.remember()); err != nil {
		return err
	}
	r.heardNow = []model.TurnMessage{{Message: m.ID, Person: m.PersonID, At: m.At, Text: text}}
	if err := r.learn(); err != nil {
		return err
	}
	return belief.CloseLoops(r.Tx, r.Turn.Persona, r.Turn.ClosedLoops, r.heardNow, 0)
}

// openBefore returns the loops open with the author of a message that were opened before it was said.
func (r *TurnWriter) openBefore(m model.Message) ([]model.Loop, error) {
	if err := r.readHears(); err != nil {
		return nil, err
	}
	open, err := belief.Loops(r.Tx, *r.hears, m.PersonID)
	return slices.DeleteFunc(open, func(l model.Loop) bool { return l.MessageID >= m.ID }), err
}
