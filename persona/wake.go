package persona

import "familiar/memory/model"

// WakeSender tells the engine that a message was queued for room outside a turn.
func (e *Engine) WakeSender(room model.Room) { e.sender.wake(room) }
