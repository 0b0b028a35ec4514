package conversations

import (
	"fmt"
	"net/http"
	"strconv"

	"familiar/memory"
	"familiar/memory/conversation"
	"familiar/memory/toolcall"
	"familiar/memory/turns"
	"familiar/web/layout"
)

// explained is what the page on one answer shows.
type explained struct {
	talk
	said  conversation.Said
	heard []conversation.Said
	turn  turns.TurnView
	calls []toolcall.Call
	// prompt reports that the prompt as it would be now can be shown.
	prompt bool
}

// used and shown divide what was in front of the voice into what the answer was made from and the rest.
func (e explained) used() (items []turns.TurnItem) {
	for _, i := range e.turn.Items {
		if i.Used {
			items = append(items, i)
		}
	}
	return items
}

func (e explained) shown() (items []turns.TurnItem) {
	for _, i := range e.turn.Items {
		if !i.Used {
			items = append(items, i)
		}
	}
	return items
}

// explain reads what is known of the answer in the path.
func (p Pages) explain(r *http.Request) (e explained, err error) {
	ctx, persona := r.Context(), r.PathValue("persona")
	room, err := number(r.PathValue("room"))
	if err != nil {
		return e, err
	}
	message, err := number(r.PathValue("message"))
	if err != nil {
		return e, err
	}
	e = explained{talk: talk{persona: persona, name: p.shell.NameOf(persona), explained: true}}
	if e.room, err = p.store.Conversations.Room(ctx, persona, room); err != nil {
		return e, err
	}
	if e.said, err = p.store.Conversations.Message(ctx, persona, room, message); err != nil {
		return e, err
	}
	if e.said.Text == "" { // what explains it went with it
		return e, memory.ErrNotFound
	}
	visible, err := p.store.Log.Visibility(ctx, persona, room)
	if err != nil {
		return e, err
	}
	if e.turn, err = p.store.Turns.TurnOf(ctx, visible, message); err != nil {
		return e, fmt.Errorf("explain answer %d: %w", message, err)
	}
	if e.heard, err = p.store.Conversations.Heard(ctx, e.turn.ID); err != nil {
		return e, err
	}
	e.said.Answers = conversation.Quoted{} // it stands above
	e.calls, err = p.store.ToolCalls.OfTurn(ctx, e.turn.ID)
	return e, err
}

// why answers with what an answer was made from.
func (p Pages) why(w http.ResponseWriter, r *http.Request) error {
	e, err := p.explain(r)
	if err != nil {
		return err
	}
	e.prompt = p.Prompt != nil && e.turn.PersonID != 0
	return p.shell.Write(w, r, layout.Page{
		Title: "Why " + e.name + " said this", Section: layout.Conversations, Persona: e.persona, Body: whyBody(e),
	})
}

// itemPath returns the page of what an answer was made from, "" if it has none.
func itemPath(e explained, i turns.TurnItem) string {
	if i.MemoryID != 0 {
		return layout.Of(e.persona, "memory", strconv.FormatInt(i.MemoryID, 10))
	}
	return ""
}

// itemKind says what an item is.
func itemKind(i turns.TurnItem) string {
	switch {
	case i.BeliefID != 0:
		return "belief"
	case i.LoopID != 0:
		return "open item"
	}
	return "memory"
}

// outcome returns the kind of badge for what became of a call of a tool.
func outcome(o toolcall.Outcome) string {
	switch o {
	case toolcall.Done:
		return "good"
	case toolcall.Refused, toolcall.Running:
		return "warn"
	}
	return "bad"
}

// noUsage words that nothing is on record of models. Answers of earlier versions have no record.
func noUsage(t turns.TurnView) string {
	if t.Voice == modelVoice || t.Fault != "" {
		return "No call of a model is on record."
	}
	return "No model was used."
}

// modelVoice is the name of the voice that asks models.
const modelVoice = "model"

// gates words what the gate said about a call.
var gates = map[string]string{"allow": "allowed", "confirm": "asked the person first", "deny": "not allowed"}

func gate(word string) string {
	if words, known := gates[word]; known {
		return words
	}
	return word
}
