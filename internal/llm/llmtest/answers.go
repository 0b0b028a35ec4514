package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// The token counts of an answer.
const (
	TokensIn  = 21
	TokensOut = 4
)

// Done is the last event of a stream, Usage the one before it.
const Done = "data: [DONE]\n\n"

// Usage reports the token counts of a streamed answer.
var Usage = event(`{"choices":[],` + usage + `}`)

var usage = fmt.Sprintf(`"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}`, TokensIn, TokensOut, TokensIn+TokensOut)

// Whole returns the body of an answer that is not streamed.
func Whole(text string) string {
	return fmt.Sprintf(`{"choices":[{"index":0,"message":{"role":"assistant","content":%s},"finish_reason":"stop"}],%s}`, quoted(text), usage)
}

// Delta returns the event for one piece of an answer; finish is the stop reason, empty if the answer continues.
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
		panic(err) // every string can be encoded
	}
	return string(b)
}

// Says answers with text as requested: word by word, or at once. It reports TokensIn and TokensOut.
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

// Sends responds with any status and body.
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

// Hangs streams chunks, then waits until the client gives up. Without chunks it does not even send a header.
func Hangs(chunks ...string) Answer {
	return func(w http.ResponseWriter, r *Request) {
		Streams(chunks...)(w, r)
		<-r.Context().Done()
	}
}

// Drops closes the connection before an answer.
func Drops(http.ResponseWriter, *Request) { panic(http.ErrAbortHandler) }

// Busy responds with 429; retryAfter is the wait, in seconds or as a date.
func Busy(retryAfter string) Answer {
	return func(w http.ResponseWriter, r *Request) {
		w.Header().Set("Retry-After", retryAfter)
		Sends(http.StatusTooManyRequests, "slow down")(w, r)
	}
}

// flood is more than any client should read.
const flood = 20 << 20

// Floods sends opening, then filler up to 20 MB or until the client gives up.
func Floods(opening, filler string) Answer {
	return func(w http.ResponseWriter, _ *Request) {
		_, err := fmt.Fprint(w, opening)
		for sent := 0; err == nil && sent < flood; sent += len(filler) {
			_, err = fmt.Fprint(w, filler)
		}
	}
}

// After waits, then answers, unless the client has given up.
func After(wait time.Duration, answer Answer) Answer {
	return func(w http.ResponseWriter, r *Request) {
		select {
		case <-time.After(wait):
			answer(w, r)
		case <-r.Context().Done():
		}
	}
}
