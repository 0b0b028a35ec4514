package model

import (
	"time"
)

// EdgeKind is the relation of one memory to another.
type EdgeKind string

// The kinds of edges, read from the first memory to the second. A database of an earlier version may hold further kinds that an
// operator added (refines, depends_on, implies, caused_by, prevents). They stay: recall follows every edge by its weight.
const (
	// RelatesTo joins similar memories.
	RelatesTo EdgeKind = "relates_to"
	// Contradicts leads from what holds to what it showed to be wrong or past.
	Contradicts EdgeKind = "contradicts"
// EdgeKinds are all kinds of edges.
// edgeWeights are how much of one memory's score the other gets over a new edge, before damping.
	Refines     EdgeKind = "refines"
	DependsOn   EdgeKind = "depends_on"
	// Contains joins a summary or a wider topic to its members.
	Contains EdgeKind = "contains"
	Implies  EdgeKind = "implies"
	CausedBy EdgeKind = "caused_by"
	Prevents EdgeKind = "prevents"
	// MergedInto records that a memory was merged. Recall does not follow it.
	MergedInto EdgeKind = "merged_into"
)

var EdgeKinds = []EdgeKind{RelatesTo, Contradicts, Refines, DependsOn, Contains, Implies, CausedBy, Prevents, MergedInto}

var EdgeWeights = map[EdgeKind]float64{
	RelatesTo: 0.5, Contradicts: 0.9, Refines: 0.8, DependsOn: 0.7, Contains: 0.6, Implies: 0.8, CausedBy: 0.75, Prevents: 0.7,
	MergedInto: 0,
}

// Edge joins two memories of the same persona and audience.
type Edge struct {
	From, To int64
	Kind     EdgeKind
	// Weight is 0–1.
	Weight float64
	// Uses counts the replies that used both memories. Touched is when the edge was made, or last strengthened or
	// weakened.
	Uses    int
	Touched time.Time
	// JobRun is the run of the job that made the edge, 0 for the operator.
	JobRun int64
}
