package model

// ScopeRevision holds the six change counters of a scope. They only grow, except that SummarizeClusters resets Unclustered. A scope
// that was never written has zeros. Caches compare these counters to find out whether they are still valid; no other
// signal exists.
type ScopeRevision struct {
	Audience Audience
	// Revision grows when a message or a memory is added to the scope.
	Revision int64
	// Epoch grows when something in the scope is changed or removed. scope.ChangedMemories tells which memories.
	Epoch int64
	// Beliefs grows when a belief of the scope is added, confirmed or retracted.
	Beliefs int64
	// Names grows when any person or room of the store is renamed.
	Names int64
	// Edges grows when an edge of the scope is added, removed or reweighted. At 0 the scope has no edges to read.
	Edges int64
	// Unclustered grows when memories may have become free for a summary, or a summary may have become wrong: when
	// edges are removed, or memories are corrected, removed or woken from dormancy. Only SummarizeClusters reads it, and resets it
	// to zero.
	Unclustered int64
}
