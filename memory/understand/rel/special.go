package rel

// The relations for wishes to the persona and for future events; see the kinds of claims.
const (
	// CallMe is the form of address that somebody wants, Wish any other standing wish.
	CallMe = "call_me"
	Wish   = "instruction"
	// Planned and Promised are future events. Only their claims end without being changed or denied.
	Planned  = "plan"
	Promised = "promise"
	// Remembered is what somebody asked to be remembered.
	Remembered = "remember"
)

// DeathRelation is the relation for the death of a person or an animal.
const DeathRelation = "death"
