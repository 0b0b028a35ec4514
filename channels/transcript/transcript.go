// Package transcript reads recorded conversations as channel messages. It delivers nothing itself: a transcript is read
// and checked completely before it is used.
//
// There are two formats. A LoCoMo file is one JSON object {sample_id, conversation, qa}, or a list of them. The
// conversation has speaker_a, speaker_b and for each N a list session_N of turns {speaker, dia_id, text, blip_caption},
// with its time in session_N_date_time ("1:56 pm on 8 May, 2023", taken as UTC). "persona" beside the conversation names
// the speaker that is the persona; the other one talks with it in a direct room. A JSONL file has one JSON object per
// line:
//
//	{"from": "Ann", "text": "hello", "at": "2026-01-05T09:00:00Z", "room": "garden", "id": "17", "direct": false}
//
// from, text and at (RFC 3339) are required. room defaults to the file's name, id to a hash of the line's content,
// direct to false.
package transcript

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"familiar/channels"
)

// Channel is the channel of transcript messages: a speaker is the same person as at the console.
const Channel = "console"

// Transcript is a conversation with questions about it.
type Transcript struct {
	// Name is the sample's id, or the file name without its extension.
	Name string
	// Messages are in chronological order.
	Messages []channels.Message
	// Persona is the author of what the persona said, and Asker is the person who talks with it. Both are empty in a
	// conversation without a persona.
	Persona, Asker channels.Author
	// Questions are the file's questions about the conversation; a JSONL file has none.
	Questions []Question
	// Dropped is how many evidence entries match no message.
	Dropped int
}

// Question is one question about a transcript.
type Question struct {
	Text string
	// Answer is the expected answer, empty if there is none.
	Answer string
	// Category is the data set's: 1 multi-hop, 2 time, 3 open domain, 4 single-hop, 5 unanswerable.
	Category int
	// Kind is the ability that the question tests, in the words of the data set, empty if it names none.
	Kind string
	// Evidence holds the ids of the messages with the answer, each once, in the given order.
	Evidence []string
}

// Read reads the transcripts at path. Names ending in .jsonl or .ndjson are JSONL files, all others LoCoMo files, which
// may contain several transcripts. Errors name the file and, if known, the line.
func Read(path string) ([]Transcript, error) {
	f, err := os.Open(path) //nolint:gosec // the operator names the file to be read
	if err != nil {
		return nil, fmt.Errorf("read the transcript: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read from
	read := LoCoMo
	switch strings.ToLower(filepath.Ext(path)) {
	case ".jsonl", ".ndjson":
		read = asList(Lines)
	}
	t, err := read(stem(path), f)
	if err != nil {
		return nil, fmt.Errorf("read the transcript %s: %w", path, err)
	}
	return t, nil
}

// asList adapts a reader of one transcript to return a list.
func asList(read func(string, io.Reader) (Transcript, error)) func(string, io.Reader) ([]Transcript, error) {
	return func(name string, r io.Reader) ([]Transcript, error) {
		t, err := read(name, r)
		return []Transcript{t}, err
	}
}

func stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// room returns the room of a transcript's messages.
func room(name string) channels.Room {
	return channels.Room{Channel: Channel, ID: "transcript/" + name}
}

// speaker returns the author for a name: the console account with that name in lower case.
func speaker(name string) channels.Author {
	name = strings.TrimSpace(name)
	return channels.Author{Handle: channels.Handle{Channel: Channel, ID: strings.ToLower(name)}, Name: name}
}
