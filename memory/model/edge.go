package model

import (
	"time"
)

// EdgeKind is what one memory has to do with another.
type EdgeKind string

// The kinds of edges, read from the first memory to the second.
const (
	RelatesTo   EdgeKind = "relates_to"
	Contradicts EdgeKind = "contradicts"
	Refines     EdgeKind = "refines"
	DependsOn   EdgeKind = "depends_on"
	// Contains joins a summary, or a wider topic, to what it holds.
	Contains EdgeKind = "contains"
	Implies  EdgeKind = "implies"
	CausedBy EdgeKind = "caused_by"
	Prevents EdgeKind = "prevents"
	// MergedInto is a trace of what became of a memory: nothing is recalled over it.
	MergedInto EdgeKind = "merged_into"
)

// EdgeKinds are all kinds of edges.
var EdgeKinds = []EdgeKind{RelatesTo, Contradicts, Refines, DependsOn, Contains, Implies, CausedBy, Prevents, MergedInto}

// edgeWeights are how much of one memory's score the other gets over a new edge, before damping.
var EdgeWeights = map[EdgeKind]float64{
	RelatesTo: 0.5, Contradicts: 0.9, Refines: 0.8, DependsOn: 0.7, Contains: 0.6, Implies: 0.8, CausedBy: 0.75, Prevents: 0.7,
	MergedInto: 0,
}

// Edge joins two memories of one persona and one audience.
type Edge struct {
	From, To int64
	Kind     EdgeKind
	// Weight is 0–1.
	Weight float64
	// Uses is how often a reply was made from both; Touched when the edge was made, last strengthened or last weakened.
	Uses    int
	Touched time.Time
	// JobRun is the run of the job that made it, 0 for the operator's.
	JobRun int64
}
