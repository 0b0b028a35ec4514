package stories

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"familiar/internal/tokens"
	"familiar/prompts"
)

// reader is a scripted model: it says what the persona says in the story, and files what the story's author would file. It
// is safe for concurrent use.
type reader struct {
	story *Story

	mu      sync.Mutex
	next    string
	replies []prompts.Prompt
	// spoilt, if not nil, makes each answer bad.
	spoilt *spoiler
}

// Generate implements modelvoice.Model.
func (r *reader) Generate(_ context.Context, p prompts.Prompt, stream func(string)) (prompts.Answer, error) {
	text := r.answer(p)
	if r.spoilt != nil {
		text = r.spoil(p, text)
	}
	if stream != nil {
		stream(text)
	}
	return prompts.Answer{Text: text, TokensIn: p.Tokens(), TokensOut: tokens.Estimate(text), Estimated: true, Stop: prompts.StopEnd}, nil
}

// spoil makes an answer bad.
func (r *reader) spoil(p prompts.Prompt, good string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.spoilt.spoil(p, good)
}

// say sets the next reply.
func (r *reader) say(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next = text
}

// heard returns the prompts for replies since the last call.
func (r *reader) heard() []prompts.Prompt {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.replies
	r.replies = nil
	return all
}

// answer returns the answer to a prompt, as a good model gives it.
func (r *reader) answer(p prompts.Prompt) string {
	if p.Name == "reply" {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.replies = append(r.replies, p)
		return r.next
	}
	task := p.Messages[0].Text
	filed := r.filed(task)
	switch p.Name {
	case "extract":
		return asJSON(map[string]any{"claims": r.claims(task, filed)})
	case "summary":
		var said []string
		for _, f := range filed {
			said = append(said, f.Sentence)
		}
		return strings.Join(said, " ")
	case "check":
		return asJSON(map[string]any{"said": r.said(task)})
	case "dream":
		return `{"dream": null, "insight": null}`
	case "reflect":
		return `{"observations": []}`
	case "pursue":
		return `{"goals": []}`
	}
	return "{}"
}

// filed returns what there is to file of the lines that a prompt shows.
func (r *reader) filed(task string) (all []Filed) {
	for _, f := range r.story.Filing {
		if lineOf(task, f.Quote) > 0 {
			all = append(all, f)
		}
	}
	return all
}

var lettered = regexp.MustCompile(`^([A-Z])\. (.*)$`)

// said returns the letters of the statements that the story's author filed.
func (r *reader) said(task string) []string {
	letters := []string{}
	for line := range strings.Lines(task) {
		statement := lettered.FindStringSubmatch(strings.TrimSpace(line))
		if statement != nil && slices.ContainsFunc(r.story.Filing, func(f Filed) bool { return strings.Contains(statement[2], f.Sentence) }) {
			letters = append(letters, statement[1])
		}
	}
	return letters
}

var numberedLine = regexp.MustCompile(`^(\d+)\. `)

// lineOf returns the number of the line of a prompt that contains a quote, 0 if none does.
func lineOf(task, quote string) int {
	quote = spaced(quote)
	for line := range strings.Lines(task) {
		if !strings.Contains(spaced(line), quote) {
			continue
		}
		if number := numberedLine.FindStringSubmatch(line); number != nil {
			n, _ := strconv.Atoi(number[1])
			return n
		}
		return 1
	}
	return 0
}

func spaced(text string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("⏎", " ", "[ ", "[").Replace(text)), " ")
}

// relations are the kind and the relation in which a good reader files each kind of a story.
var relations = map[string][2]string{
	"home": {"home", "home"}, "work": {"work", "job"}, "kin": {"kin", "family"}, "health": {"health", "health"}, "pet": {"fact", "pet"},
	"taste": {"taste", "likes"}, "plan": {"plan", "plan"}, "wish": {"instruction", "instruction"}, "feeling": {"feeling", "feels"},
	"name": {"fact", "name"}, "address": {"instruction", "call_me"},
}

// claims returns filings in the form that the prompt asks for.
func (r *reader) claims(task string, filed []Filed) []map[string]any {
	list := []map[string]any{}
	for _, f := range filed {
		kind, known := relations[f.Kind]
		if !known {
			kind = [2]string{"fact", f.Kind}
		}
		speaker := r.story.Sessions[f.Session].Turns[f.Turn].Who
		subject := f.Subject
		if subject == speaker {
			subject = ""
		}
		if subject != "" && kind[0] == "instruction" {
			kind = [2]string{"fact", f.Kind} // only the speaker's own wishes say how to treat them
		}
		if speaker == self {
			subject, kind = "you", [2]string{"promise", "promise"}
		}
		state, id := "new", 0
		if f.Replaces != nil {
			if id = knownAs(task, r.story.Filing[*f.Replaces].Sentence); id > 0 {
				state = "changes"
			}
		}
		list = append(list, map[string]any{
			"state": state, "id": id, "message": lineOf(task, f.Quote), "quote": f.Quote, "subject": subject, "kind": kind[0],
			"relation": kind[1], "value": f.Quote, "sentence": f.Sentence, "due": f.Due, "sensitive": false,
		})
	}
	return list
}

var knownLine = regexp.MustCompile(`^#(\d+) (.*)$`)

// knownAs returns the number of the known note with a sentence, 0 if there is none.
func knownAs(task, sentence string) int {
	for line := range strings.Lines(task) {
		if note := knownLine.FindStringSubmatch(strings.TrimSpace(line)); note != nil && strings.Contains(note[2], sentence) {
			n, _ := strconv.Atoi(note[1])
			return n
		}
	}
	return 0
}

func asJSON(v any) string {
	data, _ := json.Marshal(v) //nolint:errchkjson // maps of strings and numbers
	return string(data)
}
