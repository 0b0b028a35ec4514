// Package tool is what a model may call while it answers. A Tool does one thing; a Registry has the tools of a persona with the
// gates that say where each is allowed; an Offer is what is allowed in one place; a Runner makes the calls of one answer or of one helper. It
// repairs what the model wrote, checks it against the tool's schema and its gate, calls the tool within its limits, and quotes the result: what a tool returns is
// data, never an instruction, and never evidence about people.
package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"familiar/memory"
	"familiar/memory/model"
)

// Tool is one thing that a model may call. It is shared by all rooms and safe for concurrent use.
type Tool interface {
	// Spec describes the tool. It is the same in every call.
	Spec() Spec
	// Call does it, within ctx. The model is told the text of an error, so it says in a few words what to do otherwise, and
	// names no secret and no path of this machine.
	Call(ctx context.Context, u Use) (Result, error)
}

// Spec describes a tool.
type Spec struct {
	// Name is a lower-case word with letters, digits and underscores, at most 64 bytes.
	Name string
	// Description tells the model when to use it. Parameters is the JSON schema of the arguments, an object.
	Description string
	Parameters  json.RawMessage
	// Aliases are other names that models give it.
	Aliases []string
	// Touches is what a call can reach, for the operator.
	Touches []Reach
	// Default is the gate where the configuration names none: Deny for every tool that leaves the persona's own memory.
	Default Gate
	// Timeout bounds one call; 0 takes that of the Registry.
	Timeout time.Duration
	// Tokens is the most that models use for one call, 0 for a tool without a model.
	Tokens int
	// ReadOnly reports that a call changes nothing and asks no model: a helper may make it.
	ReadOnly bool
	// Changes reports that a call changes something outside this process's memory, so that it must never run twice.
	Changes bool
}

// Reach is what a call of a tool can reach.
type Reach string

// What calls can reach.
const (
	ReachNothing Reach = "nothing"
	ReachMemory  Reach = "memory"
	ReachNotes   Reach = "notes"
	ReachFiles   Reach = "files"
	ReachNetwork Reach = "network"
	ReachModel   Reach = "model"
	// ReachProgram is whatever another program can reach.
	ReachProgram Reach = "program"
)

// Use is one call as a tool sees it.
type Use struct {
	Place
	// Arguments is a JSON object that fits the tool's schema.
	Arguments json.RawMessage
	// Tokens is how much of the result the model will see, in tokens: what is longer is cut.
	Tokens int
	// Helper returns what makes the calls of a helper that does a side task within this call, at most so many. See Runner.helper
	// for what it may. It is asked for once at most.
	Helper func(calls int) *Runner
}

// Decode reads the arguments into a pointer to a struct with json tags.
func (u Use) Decode(into any) error {
	if err := json.Unmarshal(u.Arguments, into); err != nil {
		return fmt.Errorf("read the arguments: %w", err)
	}
	return nil
}

// Place is where and for whom a model answers.
type Place struct {
	// Persona is the key of the persona that answers.
	Persona string
	// Person is who is answered, Room where.
	Person model.Person
	Room   model.Room
	// Server is the network's id of the server that the room belongs to, "" for none.
	Server string
	// Visibility is what everybody in the room may see.
	Visibility memory.Visibility
	// Now is in the person's timezone.
	Now time.Time
	// Turn is the key of the turn. A turn that is taken again has the same.
	Turn string
	// Said returns what people wrote in the room lately, the messages that are answered among it. Nil is nothing.
	Said func() []string
}

// Result is what a call brought.
type Result struct {
	// Text is shown to the model, quoted unless ProgramText says that all of it is this program's words: numbers it computed, and
	// what it has done.
	Text        string
	ProgramText bool
	// Source says where Text is from, such as an address, "" to name the tool alone.
	Source string
	// Tokens is what models used for the call.
	Tokens int
}
