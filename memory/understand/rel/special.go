package rel

// The relations that are not facts of somebody, but what the persona is to do or expect; see the kinds of claims.
const (
	// CallMe is the form of address somebody wishes for, Wish anything else they wish for always.
	CallMe = "call_me"
	Wish   = "instruction"
	// Planned and Promised are what lies ahead: alone of all, what they claim ends by itself.
	Planned  = "plan"
	Promised = "promise"
)

// DeathRelation is under what the death of somebody, or of an animal, is kept.
const DeathRelation = "death"
