package persona

import "familiar/memory"

// Told says that something was queued to be said in a room that is no answer of the engine's own.
func (e *Engine) Told(room memory.Room) { e.sender.wake(room) }
