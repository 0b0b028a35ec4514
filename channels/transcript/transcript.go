// Package transcript reads talk that was written down elsewhere, as the messages a channel would have heard. It plays
// nothing: a transcript is read and checked as a whole before anything is done with it.
//
// Two formats are read. A LoCoMo file is one JSON object {sample_id, conversation, qa}, or a list of such: the conversation holds
// speaker_a, speaker_b and for each N a list session_N of turns {speaker, dia_id, text, blip_caption} with its moment
// in session_N_date_time ("1:56 pm on 8 May, 2023", taken as UTC). A lines file has one JSON object a line:
//
//	{"from": "Ann", "text": "hello", "at": "2026-01-05T09:00:00Z", "room": "garden", "id": "17", "direct": false}
//
// from, text and at (RFC 3339) are required; room is the file's name when missing, id a hash of the line's content,
// direct false.
package transcript

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"familiar/channels"
)

// Channel is the channel that transcripts are heard on: who speaks in one is the same person as at the console.
const Channel = "console"

// Transcript is talk with what may be asked about it.
type Transcript struct {
	// Name is the sample's id, or the file's name without its extension.
	Name string
	// Messages are in the order they were said.
	Messages []channels.Message
	// Questions are what the file asks about the talk, none for a lines file.
	Questions []Question
	// Dropped is how many pieces of evidence name no message.
	Dropped int
}

// Question is one question about a transcript.
type Question struct {
	Text string
	// Answer is what the data set expects, empty where it expects none.
	Answer string
	// Category is the data set's: 1 several turns, 2 time, 3 open domain, 4 one turn, 5 not answerable.
	Category int
	// Evidence are the ids of the messages that hold the answer, each once, in the order given.
	Evidence []string
}

// Read reads the transcript at path: names that end in .jsonl or .ndjson are lines files, all others LoCoMo files.
// A LoCoMo
// file may hold several. The error names the file and, where there is one, the line.
func Read(path string) ([]Transcript, error) {
	f, err := os.Open(path) //nolint:gosec // the operator names the file to be read
	if err != nil {
		return nil, fmt.Errorf("read the transcript: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read from
	read := LoCoMo
	switch strings.ToLower(filepath.Ext(path)) {
	case ".jsonl", ".ndjson":
		read = oneOf(Lines)
	}
	t, err := read(stem(path), f)
	if err != nil {
		return nil, fmt.Errorf("read the transcript %s: %w", path, err)
	}
	return t, nil
}

// oneOf makes what reads one transcript read a list.
func oneOf(read func(string, io.Reader) (Transcript, error)) func(string, io.Reader) ([]Transcript, error) {
	return func(name string, r io.Reader) ([]Transcript, error) {
		t, err := read(name, r)
		return []Transcript{t}, err
	}
}

func stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// room is the room a transcript is heard in.
func room(name string) channels.Room {
	return channels.Room{Channel: Channel, ID: "transcript/" + name}
}

// speaker is somebody in a transcript: the account of the console that bears their name in lower case.
func speaker(name string) channels.Author {
	name = strings.TrimSpace(name)
	return channels.Author{Handle: channels.Handle{Channel: Channel, ID: strings.ToLower(name)}, Name: name}
}
