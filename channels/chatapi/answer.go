package chatapi

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode"
)

// writeTimeout is how long a program may take to read one piece of an answer.
const writeTimeout = 30 * time.Second

// completion is the JSON of an answer, and of one piece of it.
type completion struct {
	ID      string   `json:"id"`
	Object  string   `json:"object"`
	Created int64    `json:"created"`
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Usage   *usage   `json:"usage,omitempty"`
}

type choice struct {
	Index        int      `json:"index"`
	Message      *message `json:"message,omitempty"`
	Delta        *message `json:"delta,omitempty"`
	FinishReason *string  `json:"finish_reason"`
}

type message struct {
	Role    string  `json:"role,omitempty"`
	Content *string `json:"content,omitempty"`
}

// usage has estimated numbers of tokens: the messages of the request, and the answer. What the persona adds to its prompt is
// in `familiar usage`.
type usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
}

// answer writes the answer to one request, whole or as a stream of server-sent events.
type answer struct {
	w       http.ResponseWriter
	q       request
	head    completion
	tokens  func(string) int
	now     func() time.Time
	before  string // what is shown before the reply
	shown   string // the part of the reply that was streamed
	text    string // everything that was said
	started bool
}

// newAnswer returns the answer to what a plan asks for.
func (h *handler) newAnswer(ctx context.Context, w http.ResponseWriter, q request, p plan) (*answer, error) {
	a := h.answerAs(w, q, p.exchange.ID)
	texts, err := h.mailbox.texts(ctx, p.unread)
	for _, t := range texts {
		a.before += t + "\n\n"
	}
	return a, err
}

func (h *handler) answerAs(w http.ResponseWriter, q request, id string) *answer {
	head := completion{ID: "chatcmpl-" + id, Object: "chat.completion", Created: h.host.Now().Unix(), Model: q.Model}
	if q.Stream {
		head.Object = "chat.completion.chunk"
	}
	return &answer{w: w, q: q, head: head, tokens: h.callers.Tokens, now: h.host.Now}
}

// begin opens a stream: the message is stored.
func (a *answer) begin() {
	if !a.q.Stream || a.started {
		return
	}
	a.started = true
	a.w.Header().Set("Content-Type", "text/event-stream")
	a.w.Header().Set("X-Accel-Buffering", "no") // proxies pass each piece on
	a.w.WriteHeader(http.StatusOK)
	empty := ""
	a.piece(choice{Delta: &message{Role: assistant, Content: &empty}})
	if a.before != "" {
		a.say(a.before)
	}
}

// show streams what a reply that is being written gained. It waits when the new text does not continue the one that was
// streamed: what was said cannot be taken back, and the rest of the reply may still change.
func (a *answer) show(soFar string) {
	soFar = strings.TrimRightFunc(soFar, unicode.IsSpace)
	if rest, ok := strings.CutPrefix(soFar, a.shown); ok && rest != "" && a.q.Stream {
		a.begin()
		a.say(rest)
		a.shown = soFar
	}
}

// finish sends the rest of the reply. If the reply is another text than the one that was streamed, it follows whole in a
// paragraph of its own.
func (a *answer) finish(reply string) {
	a.begin()
	if !a.q.Stream {
		a.text = a.before + reply
		return
	}
	rest, ok := strings.CutPrefix(reply, a.shown)
	switch {
	case reply == "":
		rest = ""
	case !ok:
		rest = "\n\n" + reply
	}
	if rest != "" {
		a.say(rest)
	}
}

// end completes the answer.
func (a *answer) end() {
	stop := "stop"
	if !a.q.Stream {
		a.deadline()
		a.head.Choices = []choice{{Message: &message{Role: assistant, Content: &a.text}, FinishReason: &stop}}
		a.head.Usage = a.usage()
		writeJSON(a.w, http.StatusOK, a.head)
		return
	}
	a.piece(choice{Delta: &message{}, FinishReason: &stop})
	if a.q.StreamOptions.IncludeUsage {
		a.head.Usage = a.usage()
		a.piece()
	}
	a.send("data: [DONE]\n\n")
}

// fail ends an answer with an error. It returns the error if nothing was sent.
func (a *answer) fail(e *apiError) *apiError {
	if !a.started {
		return e
	}
	body, err := json.Marshal(e.body())
	if err == nil {
		a.send("data: " + string(body) + "\n\n")
	}
	return nil
}

// keepAlive shows that a stream is alive.
func (a *answer) keepAlive() {
	if a.started {
		a.send(": waiting\n\n")
	}
}

// say streams a text.
func (a *answer) say(text string) {
	a.text += text
	a.piece(choice{Delta: &message{Content: &text}})
}

// piece streams one piece.
func (a *answer) piece(choices ...choice) {
	a.head.Choices = append([]choice{}, choices...)
	if body, err := json.Marshal(a.head); err == nil { // it has only texts and numbers
		a.send("data: " + string(body) + "\n\n")
	}
}

// send writes to the stream at once. The request's context ends if the program is gone.
func (a *answer) send(text string) {
	a.deadline()
	_, _ = io.WriteString(a.w, text)
	_ = http.NewResponseController(a.w).Flush()
}

// deadline cuts off a program that does not read.
func (a *answer) deadline() {
	_ = http.NewResponseController(a.w).SetWriteDeadline(a.now().Add(writeTimeout)) // not every server can
}

func (a *answer) usage() *usage {
	u := usage{CompletionTokens: a.tokens(a.text)}
	for _, m := range a.q.Messages {
		u.PromptTokens += a.tokens(string(m.Content))
	}
	u.TotalTokens = u.PromptTokens + u.CompletionTokens
	return &u
}
