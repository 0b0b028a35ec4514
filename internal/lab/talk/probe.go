package talk

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
)

// Probe is a short talk and the questions about it.
type Probe struct {
	// ID names the probe. It is unique in its file.
	ID string `json:"id"`
	// Kind groups probes in the report: "correct", "unanswerable".
	Kind string `json:"cat"`
	// Who talks with the persona.
	Who string `json:"who"`
	// Ago says for each told message how many days ago it was told; the last value holds for the rest. Nil tells
	// everything right before the questions.
	Ago []int `json:"ago"`
	// Fill is the number of messages without content between what is told and the questions.
	Fill int      `json:"fill"`
	Told []string `json:"told"`
	Asks []Ask    `json:"asks"`

	// number is the probe's position in its file, which selects its fillers.
	number int
}

// Ask is one question of a probe.
type Ask struct {
	Question string
	// Expected and Forbidden are regular expressions for answers, "" for none. An alternative UNKNOWN in Expected asks
	// for an honest "I don't know".
	Expected, Forbidden string

	rules rules
}

// UnmarshalJSON reads [question, expected, forbidden].
func (a *Ask) UnmarshalJSON(data []byte) (err error) {
	var parts []string
	if err := json.Unmarshal(data, &parts); err != nil || len(parts) != 3 {
		return fmt.Errorf("a question is [question, expected, forbidden], not %s", data)
	}
	a.Question, a.Expected, a.Forbidden = parts[0], parts[1], parts[2]
	if strings.TrimSpace(a.Question) == "" {
		return errors.New("a question is empty")
	}
	a.rules, err = compile(a.Expected, a.Forbidden)
	return err
}

// Read reads the probes in files, each a JSON list.
func Read(files ...string) (all []Probe, err error) {
	for _, file := range files {
		probes, err := readFile(file)
		if err != nil {
			return nil, fmt.Errorf("read the probes in %s: %w", file, err)
		}
		all = append(all, probes...)
	}
	return all, nil
}

func readFile(file string) (probes []Probe, err error) {
	data, err := os.ReadFile(file) //nolint:gosec // the operator names the file to be read
	if err != nil {
		return nil, err
	}
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("expected a JSON list of probes: %w", err)
	}
	if len(list) == 0 {
		return nil, errors.New("the list is empty: add probes {id, cat, who, ago, fill, told, asks}")
	}
	known := map[string]bool{}
	for i, raw := range list {
		p := Probe{number: i}
		err := json.Unmarshal(raw, &p)
		if err == nil {
			err = p.check(known)
		}
		if err != nil {
			return nil, fmt.Errorf("probe %d: %w", i+1, err)
		}
		known[p.ID] = true
		probes = append(probes, p)
	}
	return probes, nil
}

// check reports what is missing in a probe. known holds the ids of the probes before it.
func (p Probe) check(known map[string]bool) error {
	for _, days := range p.Ago {
		if days < 1 {
			return fmt.Errorf(`"ago" is %v: use days of at least 1, or null`, p.Ago)
		}
	}
	for _, text := range p.Told {
		if strings.TrimSpace(text) == "" {
			return errors.New(`a message in "told" is empty`)
		}
	}
	switch {
	case p.ID == "":
		return errors.New(`"id" is missing`)
	case known[p.ID]:
		return fmt.Errorf("the id %q was used before: use each id once", p.ID)
	case strings.TrimSpace(p.Who) == "":
		return errors.New(`"who" is missing: name who talks`)
	case p.Fill < 0:
		return fmt.Errorf(`"fill" is %d: use 0 or more`, p.Fill)
	case len(p.Told) == 0:
		return errors.New(`"told" is empty: write what is told`)
	case len(p.Asks) == 0:
		return errors.New(`"asks" is empty: add a question`)
	}
	return nil
}
