package belief

import (
	"time"

	"familiar/memory/model"
	"familiar/memory/understand"
)

// AttributedClaim is a claim with who made it, where and when: all that decides what it does to the beliefs.
type AttributedClaim struct {
	understand.Claim
	// AuthorID is who said it. A claim of nobody (0: the persona, the operator, a job) is never evidence.
	AuthorID int64
	Author   string
	// SubjectPerson is whom Subject names, 0 when nobody we know; for an empty Subject it is the author.
	SubjectPerson int64
	MessageID     int64
	At            time.Time
	// Audience is who heard it: the beliefs it may change are those of the same audience.
	Audience model.Audience
	// JobRun is the run of the job that found the claim, 0 for none.
	JobRun int64
	// Completed says that what was planned has been: it was never wrong, and is no longer ahead.
	Completed bool
}
