package model

import (
	"encoding/json"

	"familiar/memory/understand"
)

// StoredAnalysis is the analysis of a message as it is stored. It stays encoded: most reads of a message do not ask for it.
type StoredAnalysis struct {
	// Version is the understand.Version it was made by, 0 when none is stored.
	Version int
	// JSON is the understand.Analysis without its version, "" when nothing was found in the text.
	JSON string
}

// StoreAnalysis encodes an analysis. One that understand.Analyze did not make is not stored: it has no version.
func StoreAnalysis(a understand.Analysis) StoredAnalysis {
	version := a.Version
	a.Version = 0
	encoded, err := json.Marshal(a)
	if version == 0 || err != nil { // a time after the year 9999: such a text is analysed again when it is needed
		return StoredAnalysis{}
	}
	if string(encoded) == "{}" {
		encoded = nil
	}
	return StoredAnalysis{Version: version, JSON: string(encoded)}
}

// Current decodes the analysis. It returns false when none is stored or another version of understand.Analyze made it.
func (s StoredAnalysis) Current() (a understand.Analysis, ok bool) {
	if s.Version != understand.Version {
		return a, false
	}
	if s.JSON != "" && json.Unmarshal([]byte(s.JSON), &a) != nil {
		return understand.Analysis{}, false
	}
	a.Version = s.Version
	return a, true
}

// Or is the stored analysis, or one made of u when none of the present version is stored.
func (s StoredAnalysis) Or(u understand.Utterance) understand.Analysis {
	if a, ok := s.Current(); ok {
		return a
	}
	return understand.Analyze(u)
}

// Analysis is what was understood of the message when it was heard. It is decoded at each call, or made from the text alone
// when none of the present version is stored.
func (m Message) Analysis() understand.Analysis {
	return m.Stored.Or(understand.Utterance{Text: m.Text, At: m.At})
}
