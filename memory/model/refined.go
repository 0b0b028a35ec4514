package model

import (
	"time"
)

// Routine is the class of sessions in which nothing happened worth a second reading.
const Routine = "routine"

// refineWithin is how long after its end a session is worth reading again: later the talk has moved on, and a model that
// failed for a week is not coming back for it.
const RefineWithin = 7 * 24 * time.Hour
