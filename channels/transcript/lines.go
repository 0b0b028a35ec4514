package transcript

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"familiar/channels"
)

type line struct {
	Room   string `json:"room"`
	From   string `json:"from"`
	Text   string `json:"text"`
	At     string `json:"at"`
	ID     string `json:"id"`
	Direct bool   `json:"direct"`
}

// Lines reads a JSONL file called name: one JSON object per line of any length; empty lines are allowed.
func Lines(name string, r io.Reader) (Transcript, error) {
	t := Transcript{Name: name}
	ids := map[string]int{}
	partner := map[channels.Room]channels.Handle{}
	in := bufio.NewReader(r)
	for n := 1; ; n++ {
		raw, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return Transcript{}, err
		}
		if trimmed := bytes.TrimSpace(raw); len(trimmed) > 0 {
			m, bad := parseLine(name, trimmed)
			if bad == nil {
				bad = assignID(&m, n, ids, partner)
			}
			if bad != nil {
				return Transcript{}, fmt.Errorf("line %d: %w", n, bad)
			}
			t.Messages = append(t.Messages, m)
		}
		if err != nil {
			break
		}
	}
	if len(t.Messages) == 0 {
		return Transcript{}, errors.New(`no messages: expected lines like {"from": "Ann", "text": "hello", "at": "2026-01-05T09:00:00Z"}`)
	}
	return t, nil
}

func parseLine(name string, raw []byte) (channels.Message, error) {
	var l line
	in := json.NewDecoder(bytes.NewReader(raw))
	in.DisallowUnknownFields()
	if err := in.Decode(&l); err != nil {
		return channels.Message{}, fmt.Errorf("expected one JSON object with from, text and at: %w", err)
	}
	if in.More() {
		return channels.Message{}, errors.New("more than one JSON object: write one per line")
	}
	at, err := time.Parse(time.RFC3339, l.At)
	if err != nil {
		return channels.Message{}, fmt.Errorf(`"at" is %q: write it like 2026-01-05T09:00:00Z`, l.At)
	}
	place := strings.TrimSpace(l.Room)
	if place == "" {
		place = name
	}
	m := channels.Message{
		ID: strings.TrimSpace(l.ID), Room: room(place), Author: speaker(l.From), Direct: l.Direct, Text: l.Text, At: at,
	}
	if !l.Direct {
		m.RoomTitle = place
	}
	if m.Author.Name == "" {
		return channels.Message{}, errors.New(`"from" is missing: name who said it`)
	}
	if strings.TrimSpace(m.Text) == "" {
		return channels.Message{}, errors.New(`"text" is missing: write what was said`)
	}
	return m, nil
}

// assignID sets a missing id and rejects invalid messages: a duplicate id in a room, two people in a direct room, a
// room that is direct in only some lines. ids counts by room and id; alone holds the one person of each direct room, or
// the zero Handle for a group.
func assignID(m *channels.Message, line int, ids map[string]int, partner map[channels.Room]channels.Handle) error {
	if m.ID == "" {
		m.ID = contentHash(*m)
		key := m.Room.ID + "\x00" + m.ID
		if ids[key]++; ids[key] > 1 { // the same message again
			m.ID += "-" + strconv.Itoa(ids[key])
		}
	} else {
		key := m.Room.ID + "\x00" + m.ID
		if before := ids[key]; before > 0 {
			return fmt.Errorf("the id %q was used in line %d: use each id once per room", m.ID, before)
		}
		ids[key] = line
	}
	owner := channels.Handle{} // the zero Handle: a group
	if m.Direct {
		owner = m.Author.Handle
	}
	first, known := partner[m.Room]
	switch {
	case !known:
		partner[m.Room] = owner
	case first == (channels.Handle{}) && m.Direct:
		return errors.New("the room was a group so far: use another room for direct messages, or omit direct")
	case first != (channels.Handle{}) && owner != first:
		return fmt.Errorf("%s speaks in the direct room of %s: use another room, or omit direct", m.Author.Name, first.ID)
	}
	return nil
}

// contentHash returns an id that depends only on the author, the time and the text.
func contentHash(m channels.Message) string {
	sum := sha256.New()
	for _, part := range []string{m.Author.Handle.ID, m.At.UTC().Format(time.RFC3339Nano), m.Text} {
		_, _ = fmt.Fprintf(sum, "%d:%s", len(part), part)
	}
	return "line-" + hex.EncodeToString(sum.Sum(nil)[:12])
}
