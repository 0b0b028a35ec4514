package model

import (
	"time"
)

// EdgeKind is the relation of one memory to another.
type EdgeKind string

// The kinds of edges, read from the first memory to the second.
const (
	// RelatesTo joins similar memories.
	RelatesTo EdgeKind = "relates_to"
	// Contradicts leads from what holds to what it showed to be wrong or past.
	Contradicts EdgeKind = "contradicts"
	// Contains joins a summary, or a wider topic, to what it holds.
	Contains EdgeKind = "contains"
	// MergedInto is a trace of a merge of summaries: recall does not follow it.
	MergedInto EdgeKind = "merged_into"

	// Reasoning edges are made by operators and by other programs, never by jobs: the first refines, needs, was caused by,
	// prevents or implies the second.
	Refines   EdgeKind = "refines"
	DependsOn EdgeKind = "depends_on"
	CausedBy  EdgeKind = "caused_by"
	Prevents  EdgeKind = "prevents"
	Implies   EdgeKind = "implies"
)

// EdgeKinds lists all kinds of edges that can be made.
var EdgeKinds = []EdgeKind{RelatesTo, Contradicts, Contains, MergedInto, Refines, DependsOn, CausedBy, Prevents, Implies}

// EdgeWeights is, for a new edge of each kind, the share of one memory's score that the other memory receives, before
// damping.
var EdgeWeights = map[EdgeKind]float64{
	RelatesTo: 0.5, Contradicts: 0.9, Contains: 0.6, MergedInto: 0,
	Refines: 0.8, DependsOn: 0.7, CausedBy: 0.75, Prevents: 0.7, Implies: 0.8,
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
