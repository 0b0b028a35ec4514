package persona

import (
	"time"

	"familiar/memory/model"
)

// OutboxCheck is how soon a running engine notices a text that another process queued, such as a dead letter that the
// operator sends again.
const OutboxCheck = 15 * time.Second

// WakeSender tells the engine that a message was queued for room outside a turn.
func (e *Engine) WakeSender(room model.Room) { e.sender.wake(room) }
