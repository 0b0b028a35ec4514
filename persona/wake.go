package persona

import "familiar/memory/model"

// WakeSender says that something was queued to be said in a room that is no answer of the engine's own.
func (e *Engine) WakeSender(room model.Room) { e.sender.wake(room) }
