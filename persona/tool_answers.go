package persona

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/memory/toolcall"
	"familiar/persona/command"
	"familiar/persona/request"
	"familiar/persona/tool"
)

// toolAnswer is a person's answer to the question whether a call may be made.
type toolAnswer struct {
	question toolcall.Question
	yes      bool
	came     *tool.Answered
}

// answersTool returns the answer that a message gives to a question about a call, nil if it gives none. Only the person who was
// asked can give it, in the room of the question. Anything else that they say to the persona drops the question, so that no later
// yes is taken for one. Where no gate asks, nothing is looked up.
func (e *Engine) answersTool(ctx context.Context, h log.InboxEntry) (*toolAnswer, error) {
	m := h.Message
	if !e.Tools.Asks() || !m.Addressed || m.Action != channels.Post || m.Proactive != "" || m.Arrival {
		return nil, nil
	}
	q, err := e.openQuestion(ctx, m)
	if q == nil || err != nil {
		return nil, err
	}
	said := withoutName(m.Text, e.Card.Name)
	switch {
	case request.IsYes(said):
		return &toolAnswer{question: *q, yes: true}, nil
	case request.IsNo(said):
		return &toolAnswer{question: *q}, nil
	}
	return nil, e.Store.ToolCalls.Drop(ctx, q.Call.ID)
}

// openQuestion returns the question about a call that waits for the author of m in its room, nil for none.
func (e *Engine) openQuestion(ctx context.Context, m channels.Message) (*toolcall.Question, error) {
	room, err := e.Store.Log.RoomByAddress(ctx, m.Room)
	if errors.Is(err, memory.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find the room of an answer: %w", err)
	}
	person, err := e.Store.Log.PersonByHandle(ctx, m.Author.Handle)
	if errors.Is(err, memory.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find the author of an answer: %w", err)
	}
	q, err := e.Store.ToolCalls.Open(ctx, e.Card.Key, person.ID, room.ID, e.replyKey(m))
	if errors.Is(err, memory.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &q, nil
}

// withoutName returns a short answer without the name of the persona and without mentions: "Tess, yes" is a yes.
func withoutName(said, name string) string {
	kept := strings.FieldsFunc(said, func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
	out := kept[:0]
	for _, word := range kept {
		if plain := strings.Trim(word, "@!.:"); !strings.HasPrefix(word, "@") && !strings.EqualFold(plain, name) {
			out = append(out, word)
		}
	}
	return strings.Join(out, " ")
}

// takeToolAnswer makes the call that the person agreed to, or notes that they did not, for the voice to tell of.
func (e *Engine) takeToolAnswer(ctx context.Context, t *turn) (err error) {
	if t.tool == nil || t.scene.Tools == nil {
		return nil
	}
	if t.tool.came, err = t.scene.Tools.Answer(ctx, t.tool.question, t.tool.yes); err != nil {
		return err
	}
	t.scene.Answered = t.tool.came
	return nil
}

// tellOfTools adds to a reply what the program says of calls itself: the question about one, and the result of one where no
// model worded the reply.
func (e *Engine) tellOfTools(t *turn) {
	add := func(text string) { t.reply.Text = strings.TrimSpace(t.reply.Text + "\n\n" + text) }
	if t.tool != nil && t.tool.came != nil && t.reply.Fault != "" {
		add(command.ToldByTool(t.asker.Language, t.addressedText(), t.tool.question.Call.Tool, *t.tool.came))
	}
	if q := t.reply.Question; q != nil && t.reply.Text != "" {
		add(command.AskForTool(t.asker.Language, t.addressedText(), *q))
	}
}
