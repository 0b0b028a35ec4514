package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"familiar/channels"
)

// timeLayout is the format of session times.
const timeLayout = "3:04 pm on 2 January, 2006"

type sample struct {
	ID           string                     `json:"sample_id"`
	Persona      string                     `json:"persona"`
	Conversation map[string]json.RawMessage `json:"conversation"`
	QA           []struct {
		Question string       `json:"question"`
		Answer   textOrNumber `json:"answer"`
		Category int          `json:"category"`
		Kind     string       `json:"kind"`
		Evidence []string     `json:"evidence"`
	} `json:"qa"`
}

type turn struct {
	Speaker string `json:"speaker"`
	ID      string `json:"dia_id"`
	Text    string `json:"text"`
	Caption string `json:"blip_caption"`
}

// LoCoMo reads a LoCoMo file: one conversation, or a list as in the published data set. name replaces a missing
// sample_id, with its number in a list. Turns are one second apart, starting at the session's time; a picture's caption
// becomes an attachment.
func LoCoMo(name string, r io.Reader) ([]Transcript, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		t, err := readSample(name, data)
		if err != nil {
			return nil, err
		}
		return []Transcript{t}, nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, withLine(data, err)
	}
	if len(list) == 0 {
		return nil, errors.New("the list is empty: expected conversations {sample_id, conversation, qa}")
	}
	all := make([]Transcript, len(list))
	for i, raw := range list {
		if all[i], err = readSample(fmt.Sprintf("%s-%d", name, i+1), raw); err != nil {
			return nil, fmt.Errorf("conversation %d: %w", i+1, err)
		}
	}
	return all, nil
}

func readSample(name string, data []byte) (Transcript, error) {
	var s sample
	if err := json.Unmarshal(data, &s); err != nil {
		return Transcript{}, withLine(data, err)
	}
	return s.transcript(name)
}

// transcript checks and converts the sample. name replaces a missing sample_id.
func (s sample) transcript(name string) (Transcript, error) {
	if s.Conversation == nil {
		return Transcript{}, errors.New(`no "conversation" in the file: expected an object {sample_id, conversation, qa}`)
	}
	t := Transcript{Name: strings.TrimSpace(s.ID)}
	if t.Name == "" {
		t.Name = name
	}
	known := map[string]bool{}
	for _, n := range sessionNumbers(s.Conversation) {
		if err := t.addSession(s.Conversation, n, known); err != nil {
			return Transcript{}, err
		}
	}
	if len(t.Messages) == 0 {
		return Transcript{}, errors.New(`no messages: expected lists "session_1", "session_2", … in "conversation"`)
	}
	if err := t.setPersona(s.Persona); err != nil {
		return Transcript{}, err
	}
	for _, q := range s.QA {
		evidence, dropped := normalizeEvidence(q.Evidence, known)
		t.Questions = append(t.Questions, Question{Text: q.Question, Answer: string(q.Answer), Category: q.Category, Kind: q.Kind, Evidence: evidence})
		t.Dropped += dropped
	}
	return t, nil
}

// setPersona finds the persona with that name among the authors and the person who talks with it. An empty name changes
// nothing.
func (t *Transcript) setPersona(name string) error {
	if name = strings.TrimSpace(name); name == "" {
		return nil
	}
	persona := speaker(name)
	for _, m := range t.Messages {
		switch {
		case m.Author == persona:
			t.Persona = persona
		case t.Asker == (channels.Author{}):
			t.Asker = m.Author
		case m.Author != t.Asker:
			return fmt.Errorf("%s and %s both talk with the persona %s: expected one person", t.Asker.Name, m.Author.Name, name)
		}
	}
	if t.Persona != persona || t.Asker == (channels.Author{}) {
		return fmt.Errorf(`"persona" is %q: expected the name of one of two speakers`, name)
	}
	return nil
}

// sessionNumbers returns the N of all lists session_N, ascending. Times without a list are ignored.
func sessionNumbers(conversation map[string]json.RawMessage) []int {
	var numbers []int
	for key := range conversation {
		digits, named := strings.CutPrefix(key, "session_")
		if n, err := strconv.Atoi(digits); named && err == nil && strconv.Itoa(n) == digits {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers
}

// addSession appends the turns of session n. known holds the ids of all turns so far.
func (t *Transcript) addSession(conversation map[string]json.RawMessage, n int, known map[string]bool) error {
	key := "session_" + strconv.Itoa(n)
	var turns []turn
	if err := json.Unmarshal(conversation[key], &turns); err != nil {
		return fmt.Errorf("%s: expected a list of turns {speaker, dia_id, text}: %w", key, describeJSONError(err))
	}
	if len(turns) == 0 {
		return nil
	}
	var said string
	raw, found := conversation[key+"_date_time"]
	if !found {
		return fmt.Errorf(`%s has no time: add "%s_date_time", like "1:56 pm on 8 May, 2023"`, key, key)
	}
	if err := json.Unmarshal(raw, &said); err != nil {
		return fmt.Errorf("%s_date_time: expected a text: %w", key, describeJSONError(err))
	}
	began, err := time.Parse(timeLayout, strings.ToLower(strings.Join(strings.Fields(said), " ")))
	if err != nil {
		return fmt.Errorf(`%s_date_time is %q: write it like "1:56 pm on 8 May, 2023"`, key, said)
	}
	for i, u := range turns {
		m, err := u.message(t.Name, began.Add(time.Duration(i)*time.Second))
		if err != nil {
			return fmt.Errorf("%s, turn %d: %w", key, i+1, err)
		}
		if known[m.ID] {
			return fmt.Errorf("%s, turn %d: the dia_id %q was used before: use each id once", key, i+1, m.ID)
		}
		known[m.ID] = true
		t.Messages = append(t.Messages, m)
	}
	return nil
}

func (u turn) message(sample string, at time.Time) (channels.Message, error) {
	m := channels.Message{
		ID: strings.TrimSpace(u.ID), Room: room(sample), Author: speaker(u.Speaker), RoomTitle: sample,
		Text: u.Text, At: at,
	}
	if u.Caption != "" {
		m.Attachments = []channels.Attachment{{Kind: "image", Caption: u.Caption}}
	}
	switch {
	case m.ID == "":
		return m, errors.New("it has no dia_id")
	case m.Author.Name == "":
		return m, errors.New("it has no speaker")
	}
	return m, nil
}

// turnID matches turn ids in evidence: "D8:6; D9:17", "D9:05", "D:11:26".
var turnID = regexp.MustCompile(`D:?(\d+):0*(\d+)`)

// normalizeEvidence converts evidence to ids of known turns, each once, and counts those that match no turn.
func normalizeEvidence(written []string, known map[string]bool) (ids []string, dropped int) {
	keep := func(id string) {
		switch {
		case !known[id]:
			dropped++
		case !slices.Contains(ids, id):
			ids = append(ids, id)
		}
	}
	for _, w := range written {
		if known[w] {
			keep(w)
			continue
		}
		found := turnID.FindAllStringSubmatch(w, -1)
		if len(found) == 0 {
			dropped++
		}
		for _, f := range found {
			keep("D" + f[1] + ":" + f[2])
		}
	}
	return ids, dropped
}

// withLine adds the line number to a JSON error.
func withLine(data []byte, err error) error {
	var offset int64
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	default:
		return err
	}
	offset = min(max(offset, 0), int64(len(data)))
	return fmt.Errorf("line %d is not LoCoMo JSON: %w", 1+bytes.Count(data[:offset], []byte("\n")), describeJSONError(err))
}

// describeJSONError explains a JSON error for the file's author: what was found where, without Go types.
func describeJSONError(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &kind):
		return err
	case kind.Field == "":
		return fmt.Errorf("found a JSON %s", kind.Value)
	}
	return fmt.Errorf("%s: found a JSON %s", kind.Field, kind.Value)
}

// textOrNumber is a JSON text or number as text: answers may be either.
type textOrNumber string

// UnmarshalJSON implements json.Unmarshaler.
func (a *textOrNumber) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		text = string(data)
	}
	*a = textOrNumber(text)
	return nil
}
