package model

// ScopeRevision says how far a scope has come: five counters that only grow. A scope nothing was ever written to has
// zeros. What is kept in memory of a scope is compared with them, and nothing else tells whether it still holds.
type ScopeRevision struct {
	Audience Audience
	// Revision grows when something was said in the scope or added to its memories.
	Revision int64
	// Epoch grows when something in the scope was changed or removed: see changed for where it is known what.
	Epoch int64
	// Beliefs grows when something was believed anew, confirmed or given up in the scope.
	Beliefs int64
	// Names grows when a person or a room of the store got another name.
	Names int64
	// Edges grows when memories of the scope were joined, parted, or an edge between them got another weight: at 0 there is
	// none to read.
	Edges int64
	// Unclustered grows when memories may have become free to be summed up, or what was made of them untrue: when some were parted
	// or shown to be wrong, removed or awoken. SumUp alone reads it, and sets it back to zero.
	Unclustered int64
}
