package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"familiar/channels"
	"familiar/channels/transcript"
)

// factsFile is a list of facts told one after another, in which later facts replace earlier ones, with questions about
// what holds at the end.
type factsFile struct {
	Name      string     `json:"name"`
	Facts     []string   `json:"facts"`
	Questions []string   `json:"questions"`
	Answers   [][]string `json:"answers"` // per question, any of which is right
}

func readFacts(path string) (factsFile, error) {
	data, err := os.ReadFile(path) //nolint:gosec // the operator names the file to be read
	if err != nil {
		return factsFile{}, fmt.Errorf("read the facts: %w", err)
	}
	var f factsFile
	if err := json.Unmarshal(data, &f); err != nil {
		return factsFile{}, fmt.Errorf("read the facts %s: expected an object {name, facts, questions, answers}: %w", path, err)
	}
	if f.Name == "" {
		f.Name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	if len(f.Facts) == 0 || len(f.Questions) != len(f.Answers) {
		return factsFile{}, fmt.Errorf("read the facts %s: %d facts, %d questions and %d answers: there must be facts, and answers to each question",
			path, len(f.Facts), len(f.Questions), len(f.Answers))
	}
	return f, nil
}

// told returns the facts as messages that one person sends to a group, a second apart.
func (f factsFile) told() transcript.Transcript {
	at := time.Date(2024, 1, 1, 9, 0, 0, 0, time.UTC)
	t := transcript.Transcript{Name: f.Name}
	for i, fact := range f.Facts {
		t.Messages = append(t.Messages, channels.Message{
			ID: strconv.Itoa(i), Room: channels.Room{Channel: transcript.Channel, ID: "facts/" + f.Name},
			Author: channels.Author{Handle: channels.Handle{Channel: transcript.Channel, ID: "teller"}, Name: "Teller"},
			Text:   fact, At: at.Add(time.Duration(i) * time.Second),
		})
	}
	return t
}

// replacedFacts returns the values that later facts replace, by the position of the fact. Facts that share their words
// up to a value are about the same thing. The benchmark must not ask the product which facts it considers the same.
func replacedFacts(facts []string) map[int]string {
	words := make([][]string, len(facts))
	byStart := map[string][]int{}
	for i, f := range facts {
		words[i] = strings.Fields(strings.TrimRight(f, "."))
		if start := words[i]; len(start) >= sharedStart {
			key := strings.Join(start[:sharedStart], " ")
			byStart[key] = append(byStart[key], i)
		}
	}
	replaced := map[int]string{}
	for _, alike := range byStart {
		for n, i := range alike {
			for _, j := range slices.Backward(alike[n+1:]) {
				at := valueAt(words[i], words[j])
				if at == 0 {
					continue
				}
				if facts[i] != facts[j] { // the last fact about it differs
					replaced[i] = strings.Join(words[i][at:], " ")
				}
				break
			}
		}
	}
	return replaced
}

// sharedStart is the minimum number of words that two facts about the same thing share at the start.
const sharedStart = 2

// valueAt returns the index of the word at which the values of two facts about the same thing begin, or 0 when the
// facts are about different things. In equal facts the value is at the end.
func valueAt(a, b []string) int {
	if slices.Equal(a, b) {
		return len(a)
	}
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for ; n > sharedStart; n-- {
		switch last := a[n-1]; {
		case last == "is" && named(a[:n-1]) && !phrase(a[n:]) && !phrase(b[n:]):
			return n
		case linking[last] && slices.ContainsFunc(a[:n-1], func(w string) bool { return verbs[w] }):
			return n
		}
	}
	return 0
}

var (
	linking = map[string]bool{"of": true, "by": true, "in": true, "to": true, "for": true, "at": true, "with": true}
	verbs   = map[string]bool{
		"is": true, "was": true, "are": true, "were": true, "died": true, "plays": true, "played": true, "speaks": true,
		"works": true, "worked": true, "lives": true, "lived": true,
	}
)

// named reports whether the words name a thing by its relation to another: "The capital of France", "Ann's child".
func named(words []string) bool {
	if !strings.EqualFold(words[0], "the") {
		return strings.HasSuffix(words[len(words)-2], "'s")
	}
	return slices.ContainsFunc(words, func(w string) bool { return w == "of" || w == "in" || w == "where" || w == "that" })
}

// phrase reports whether the words continue with a relation rather than with a value: "located in …", "a citizen of …".
func phrase(words []string) bool {
	for i, w := range words[:min(3, len(words))] {
		if i > 0 && linking[w] && words[0] == strings.ToLower(words[0]) {
			return true
		}
	}
	return false
}
