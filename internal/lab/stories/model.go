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
	filed := r.filed(task, p.Name == "extract")
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
	case "portrait":
		return asJSON(map[string]any{"portrait": r.portrait(task)})
	case "dream":
		return `{"dream": null, "insight": null}`
	case "reflect":
		return `{"observations": []}`
	case "pursue":
		return `{"goals": []}`
	}
	return "{}"
}

// portrait returns a portrait of the first notes that a prompt shows: each as a sentence.
func (r *reader) portrait(task string) []map[string]any {
	drawn := []map[string]any{}
	for _, f := range r.story.Filing {
		if line, found := lineOf(task, f.Sentence); found && line > 0 && len(drawn) < portrayed {
			drawn = append(drawn, map[string]any{"text": f.Sentence, "from": []int{line}})
		}
	}
	return drawn
}

// portrayed is how many sentences a portrait has at most.
const portrayed = 6

// filed returns what there is to file of the lines that a prompt shows; of one whose new lines are numbered, of those.
// What another line of the same prompt corrects is left out.
func (r *reader) filed(task string, numbered bool) (all []Filed) {
	replaced := map[int]bool{}
	for i, f := range slices.Backward(r.story.Filing) {
		if number, found := lineOf(task, f.Quote); !found || number == 0 && numbered || replaced[i] {
			continue
		}
		all = append(all, f)
		if f.Replaces != nil {
			replaced[*f.Replaces] = true
		}
	}
	slices.Reverse(all)
	return all
}

var lettered = regexp.MustCompile(`^([A-Z])\. (.*)$`)

// said returns the letters of the statements that the story's author filed.
func (r *reader) said(task string) []string {
	letters := []string{}
	for line := range strings.Lines(task) {
		statement := lettered.FindStringSubmatch(strings.TrimSpace(line))
		if statement != nil && slices.ContainsFunc(r.story.Filing, func(f Filed) bool { return shows(task, f) && r.says(statement[2], f) }) {
			letters = append(letters, statement[1])
		}
	}
	return letters
}

// shows reports whether a prompt shows the words of a filing.
func shows(task string, f Filed) bool {
	_, found := lineOf(task, f.Quote)
	return found
}

var numberedLine = regexp.MustCompile(`^(\d+)\. `)

// lineOf returns the number of the line of a prompt that contains a quote, 0 if it has none. A numbered line goes first: the
// same words may stand in a note or in what was read before.
func lineOf(task, quote string) (number int, found bool) {
	quote = spaced(quote)
	for line := range strings.Lines(task) {
		if !strings.Contains(spaced(line), quote) {
			continue
		}
		if match := numberedLine.FindStringSubmatch(line); match != nil {
			n, _ := strconv.Atoi(match[1])
			return n, true
		}
		found = true
	}
	return 0, found
}

// wrapped are the marks of a line break and of an opening bracket in prompts.
var wrapped = strings.NewReplacer("⏎", " ", "[ ", "[")

func spaced(text string) string {
	return strings.Join(strings.Fields(wrapped.Replace(text)), " ")
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
		line, _ := lineOf(task, f.Quote)
		if f.Replaces != nil {
			if id = knownAs(task, r.story.Filing[*f.Replaces]); id > 0 {
				state = "changes"
			}
		}
		list = append(list, map[string]any{
			"state": state, "id": id, "message": line, "quote": f.Quote, "subject": subject, "kind": kind[0],
			"relation": kind[1], "value": f.Quote, "sentence": f.Sentence, "due": f.Due, "sensitive": false,
		})
	}
	return list
}

var knownLine = regexp.MustCompile(`^#(\d+) (.*)$`)

// knownAs returns the number of the known note that tells a filing, 0 if there is none.
func knownAs(task string, f Filed) int {
	for line := range strings.Lines(task) {
		if note := knownLine.FindStringSubmatch(strings.TrimSpace(line)); note != nil && f.tellsThis(note[2]) {
			n, _ := strconv.Atoi(note[1])
			return n
		}
	}
	return 0
}

// denial stands before a note that a talk is said to end.
const denial = "It is not or no longer so: "

// says reports whether a statement is what a filing says: the filing itself, or that what it replaces is over.
func (r *reader) says(statement string, f Filed) bool {
	if note, denies := strings.CutPrefix(statement, denial); denies {
		return f.Replaces != nil && r.story.Filing[*f.Replaces].tellsThis(note)
	}
	return f.tellsThis(statement)
}

// tellsThis reports whether a note is the filing, in its own words or in those of its author.
func (f Filed) tellsThis(note string) bool {
	return strings.Contains(note, f.Sentence) || strings.Contains(note, spaced(f.Quote))
}

func asJSON(v any) string {
	data, _ := json.Marshal(v) //nolint:errchkjson // maps of strings and numbers
	return string(data)
}
