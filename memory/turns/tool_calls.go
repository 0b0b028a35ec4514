package turns

import "familiar/memory/toolcall"

// noteCalls stores the question that the reply puts, ends the one that the turn answers, and binds the calls of tools to the
// turn's last message, so that they are found when it is forgotten.
func (r *TurnWriter) noteCalls() error {
	if q := r.Turn.ToolQuestion; q != nil && r.Turn.Reply != nil {
		if err := toolcall.Ask(r.Tx, *q); err != nil {
			return err
		}
	}
	if r.Turn.ToolAnswered != 0 {
		if err := toolcall.Answered(r.Tx, r.Turn.ToolAnswered); err != nil {
			return err
		}
	}
	if r.Turn.ToolTurn == "" {
		return nil
	}
	var last int64
	for _, id := range r.Done.MessageIDs {
		last = max(last, id)
	}
	return toolcall.Of(r.Tx, r.Turn.ToolTurn, last)
}
