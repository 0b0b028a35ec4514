package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// Anthropic is a provider with Anthropic's wire format and its cache: it keeps the marked beginnings of requests and counts
// what a later request reads from there.
type Anthropic struct {
	text string

	mu   sync.Mutex
	kept map[string]bool
}

// NewAnthropic returns a provider that answers everything with text.
func NewAnthropic(text string) *Anthropic { return &Anthropic{text: text, kept: make(map[string]bool)} }

// mostMarks is how many marks a request may have.
const mostMarks = 4

// Answer answers a request, streamed or not. A request with too many marks, or a mark that is no block's, is rejected.
func (a *Anthropic) Answer(w http.ResponseWriter, r *Request) {
	whole, marked := beginnings(r)
	if len(marked) > mostMarks {
		Says400(`{"type":"error","error":{"type":"invalid_request_error","message":"A maximum of 4 blocks with cache_control may be provided."}}`)(w, r)
		return
	}
	read, written := a.count(marked)
	usage := fmt.Sprintf(`"input_tokens":%d,"cache_read_input_tokens":%d,"cache_creation_input_tokens":%d`, size(whole)-read-written, read, written)
	if !r.Stream {
		Sends(http.StatusOK, fmt.Sprintf(`{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":%s}],"stop_reason":"end_turn","usage":{%s,"output_tokens":%d}}`,
			quoted(a.text), usage, TokensOut))(w, r)
		return
	}
	events := []string{
		fmt.Sprintf(`{"type":"message_start","message":{"id":"m","role":"assistant","content":[],"usage":{%s,"output_tokens":1}}}`, usage),
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
	}
	for _, word := range strings.SplitAfter(a.text, " ") {
		events = append(events, fmt.Sprintf(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%s}}`, quoted(word)))
	}
	events = append(events, `{"type":"content_block_stop","index":0}`,
		fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":%d}}`, TokensOut), `{"type":"message_stop"}`)
	Streams(anthropicEvents(events)...)(w, r)
}

// count returns the tokens that a request reads from the cache, and those it writes there.
func (a *Anthropic) count(marked []string) (read, written int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	longest := 0
	for _, beginning := range marked {
		longest = max(longest, size(beginning))
		for kept := range a.kept {
			if strings.HasPrefix(beginning, kept) {
				read = max(read, size(kept))
			}
		}
	}
	for _, beginning := range marked {
		a.kept[beginning] = true
	}
	return read, longest - read
}

// size is about the number of tokens of a text.
func size(text string) int { return len(text) / 4 }

// beginnings returns the text of a request, and its beginnings up to each mark.
func beginnings(r *Request) (whole string, marked []string) {
	var b strings.Builder
	take := func(role string, content any) {
		fmt.Fprintf(&b, "\n[%s]", role)
		blocks, ok := content.([]any)
		if !ok {
			fmt.Fprint(&b, content)
			return
		}
		for _, one := range blocks {
			block, _ := one.(map[string]any)
			mark := block["cache_control"]
			delete(block, "cache_control")
			raw, _ := json.Marshal(block) // it was JSON
			b.Write(raw)
			if mark != nil {
				marked = append(marked, b.String())
				block["cache_control"] = mark
			}
		}
	}
	take("system", r.Fields["system"])
	for _, m := range r.Messages {
		take(m.Role, m.Content)
	}
	return b.String(), marked
}
