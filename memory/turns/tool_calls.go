package turns

import "familiar/memory/toolcall"

// noteCalls binds the calls of tools to the turn's last message, so that they are found when it is forgotten.
func (r *TurnWriter) noteCalls() error {
	if r.Turn.ToolTurn == "" {
		return nil
	}
	var last int64
	for _, id := range r.Done.MessageIDs {
		last = max(last, id)
	}
	return toolcall.Of(r.Tx, r.Turn.ToolTurn, last)
}
