package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// What an answer is said to have cost, in tokens.
const (
	TokensIn  = 21
	TokensOut = 4
)

// Done is the last event of a stream, Usage the one before it.
const Done = "data: [DONE]\n\n"

// Usage tells what a streamed answer cost.
var Usage = event(`{"choices":[],` + usage + `}`)

var usage = fmt.Sprintf(`"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}`, TokensIn, TokensOut, TokensIn+TokensOut)

// Whole is the body of an answer that comes at once.
func Whole(text string) string {
	return fmt.Sprintf(`{"choices":[{"index":0,"message":{"role":"assistant","content":%s},"finish_reason":"stop"}],%s}`, quoted(text), usage)
}

// Delta is the event of one piece of an answer; finish is why the answer ends with it, empty when it goes on.
func Delta(piece, finish string) string {
	reason := "null"
	if finish != "" {
		reason = quoted(finish)
	}
	return event(fmt.Sprintf(`{"choices":[{"index":0,"delta":{"content":%s},"finish_reason":%s}]}`, quoted(piece), reason))
}

func event(data string) string { return "data: " + data + "\n\n" }

func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // every string can be marshalled
	}
	return string(b)
}

// Says answers with text as was asked: word by word, or at once. It charges TokensIn and TokensOut.
func Says(text string) Answer {
	return func(w http.ResponseWriter, r *Request) {
		if !r.Stream {
			Sends(http.StatusOK, Whole(text))(w, r)
			return
		}
		var events []string
		for _, word := range strings.SplitAfter(text, " ") {
			events = append(events, Delta(word, ""))
		}
		Streams(append(events, Delta("", "stop"), Usage, Done)...)(w, r)
	}
}

// Sends answers with a status and a body, whatever they are.
func Sends(status int, body string) Answer {
	return func(w http.ResponseWriter, _ *Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// Streams sends chunks one by one, then ends.
func Streams(chunks ...string) Answer {
	return func(w http.ResponseWriter, _ *Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, chunk := range chunks {
			fmt.Fprint(w, chunk)
			w.(http.Flusher).Flush()
		}
	}
}

// Hangs streams chunks, then neither goes on nor ends until the client leaves. Without chunks not even a header comes.
func Hangs(chunks ...string) Answer {
	return func(w http.ResponseWriter, r *Request) {
		Streams(chunks...)(w, r)
		<-r.Context().Done()
	}
}

// Drops breaks the connection off before an answer.
func Drops(http.ResponseWriter, *Request) { panic(http.ErrAbortHandler) }

// Busy refuses for now; retryAfter says for how long, in seconds or until a date.
func Busy(retryAfter string) Answer {
	return func(w http.ResponseWriter, r *Request) {
		w.Header().Set("Retry-After", retryAfter)
		Sends(http.StatusTooManyRequests, "slow down")(w, r)
	}
}

// flood is more than any client should take.
const flood = 10 << 20

// Floods sends opening, then filler until 10 MB are full or the client leaves.
func Floods(opening, filler string) Answer {
	return func(w http.ResponseWriter, _ *Request) {
		_, err := fmt.Fprint(w, opening)
		for sent := 0; err == nil && sent < flood; sent += len(filler) {
			_, err = fmt.Fprint(w, filler)
		}
	}
}

// After waits, then answers, unless the client has left.
func After(wait time.Duration, answer Answer) Answer {
	return func(w http.ResponseWriter, r *Request) {
		select {
		case <-time.After(wait):
			answer(w, r)
		case <-r.Context().Done():
		}
	}
}
