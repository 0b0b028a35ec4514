package training

import (
	"bytes"
	"encoding/json"
)

// Format writes a conversation as one line. system is "" for none.
type Format func(system string, talk []Exchange) ([]byte, error)

// Formats are the formats by name.
var Formats = map[string]Format{"chatml": ChatML, "sharegpt": ShareGPT}

// ChatML writes messages with a role and a content, as OpenAI's fine-tuning and most trainers read them.
func ChatML(system string, talk []Exchange) ([]byte, error) {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	return encoded(map[string]any{"messages": messages(system, talk, "user", "assistant", func(role, text string) message { return message{role, text} })})
}

// ShareGPT writes messages of system, human and gpt, each with a value.
func ShareGPT(system string, talk []Exchange) ([]byte, error) {
	type message struct {
		From  string `json:"from"`
		Value string `json:"value"`
	}
	return encoded(map[string]any{"conversations": messages(system, talk, "human", "gpt", func(from, text string) message { return message{from, text} })})
}

// messages returns a conversation of the system, a person and the persona, each message made by of.
func messages[M any](system string, talk []Exchange, person, persona string, of func(who, text string) M) (all []M) {
	if system != "" {
		all = append(all, of("system", system))
	}
	for _, x := range talk {
		all = append(all, of(person, x.Said), of(persona, x.Reply))
	}
	return all
}

// encoded returns a value as a line of JSON.
func encoded(value any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return b.Bytes(), err
}
