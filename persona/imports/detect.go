package imports

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// signs are keys that show a format: of the file's object, of the first object of its list, or of its first line. The first
// sign of a file decides.
var signs = map[string]string{
	"mapping": "chatgpt", "current_node": "chatgpt",
	"chat_messages": "claude",
	"histories":     "characterai", "turns": "characterai", "turn_key": "characterai", "msgs": "characterai", "chats": "characterai", "character_name": "characterai",
	"mes": "sillytavern", "chat_metadata": "sillytavern", "user_name": "sillytavern", "is_user": "sillytavern",
	"agents": "letta", "core_memory": "letta", "agent_type": "letta",
	"bio": "eliza", "lore": "eliza", "messageExamples": "eliza", "adjectives": "eliza",
}

// cards are keys of character cards, which another verb imports.
var cards = map[string]bool{"spec": true, "char_persona": true, "first_mes": true}

// errCard reports a character card.
var errCard = errors.New("it is a character card: use `familiar persona import`")

// signsWithin bounds how much of a file is searched for a sign, in bytes: exports have one among their first keys.
const signsWithin = 1 << 20

// errNoSign reports that the beginning of a file has no sign.
var errNoSign = errors.New("no sign of a format")

// detect finds the format of a file from its beginning.
func detect(in *guard) (format, error) {
	r := &jsonReader{dec: json.NewDecoder(in.only(signsWithin)), in: in}
	name, err := r.firstSign()
	if errors.Is(err, errNoSign) {
		name, err = "", nil
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("near byte %d: the file ends in the middle of a value: it is truncated; export or download it again", r.dec.InputOffset())
	}
	if err != nil {
		return format{}, plainError(err)
	}
	for _, f := range formats {
		if f.name == name {
			return f, nil
		}
	}
	return format{}, fmt.Errorf("%w: name it with --format (%s)", ErrUnknown, strings.Join(Formats(), ", "))
}

// firstSign returns the format of the first sign, "" if there is none.
func (r *jsonReader) firstSign() (name string, err error) {
	begin, err := r.token()
	if begin == json.Delim('[') && err == nil && r.more() {
		begin, err = r.token()
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return "", fmt.Errorf("%w: it is not JSON (%w)", ErrUnknown, err)
	}
	if err != nil || begin != json.Delim('{') {
		return "", err
	}
	for r.more() {
		key, err := r.token()
		if err != nil {
			return "", err
		}
		if cards[key.(string)] {
			return "", errCard
		}
		if name := signs[key.(string)]; name != "" {
			return name, nil
		}
		if err := r.skip(); err != nil {
			return "", err
		}
	}
	_, err = r.token()
	return "", err
}
