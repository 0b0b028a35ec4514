// Package imports reads what people bring from other programs: conversations, characters and notes. A format has a reader
// that streams a file into a Sink, so that its size does not matter; readers look at nothing but their input and store
// nothing. Reading the same file twice yields the same ids.
package imports

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"
)

// Sink takes what a reader finds, in the order of the file. An error ends the reading and is returned.
type Sink interface {
	// Conversation takes messages of one conversation, oldest first. A long one comes in several calls with the same ID.
	Conversation(Conversation) error
	Document(Document) error
	Persona(Persona) error
	// Skip counts what is left out, by reason.
	Skip(reason string, n int)
}

// Conversation is a talk between one person and the persona.
type Conversation struct {
	// ID is unique and stable within the format.
	ID, Title string
	Lines     []Line
}

// Line is one message.
type Line struct {
	// ID is unique and stable within the conversation.
	ID string
	// Own says that the character or assistant wrote it, not the person.
	Own  bool
	Text string
	At   time.Time
}

// Document is a text to be remembered passage by passage.
type Document struct {
	Name, Text string
	Markdown   bool
	// Private says that it tells of the person who used the other program, and not only of the character.
	Private bool
}

// Options are what a reader needs to know besides its input.
type Options struct {
	// Format is the name of a format, "" to find out.
	Format string
	// Now bounds the times of messages: what claims to be later has no time.
	Now time.Time
}

// format is one kind of file. Exactly one of its readers is set.
type format struct {
	name string
	// tell describes the format in messages.
	tell string
	json func(*jsonReader) error
	rows func(*lineReader) error
	tree func(*treeReader) error
}

// formats lists all formats.
var formats = []format{
	{name: "sillytavern", tell: "a SillyTavern chat", rows: readSillyTavern},
	{name: "characterai", tell: "a Character.AI export", json: readCharacterAI},
	{name: "chatgpt", tell: "a ChatGPT export", json: readChatGPT},
	{name: "claude", tell: "a Claude export", json: readClaude},
	{name: "openclaw", tell: "an OpenClaw workspace", tree: readOpenClaw},
	{name: "eliza", tell: "an elizaOS character", json: readEliza},
	{name: "letta", tell: "a Letta agent file", json: readLetta},
}

// Formats returns the names of all formats.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// ErrUnknown reports an input of no known format.
var ErrUnknown = errors.New("the format is not known")

// Read reads everything at path, a file, a zip archive or a directory, into the sink. It returns the format's name. Errors
// name the file and the place in it.
func Read(path string, o Options, sink Sink) (name string, err error) {
	in, err := openInput(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, in.close()) }()
	if f, ok := in.workspace(o.Format); ok {
		return f.name, f.tree(&treeReader{FS: in.tree, label: path, base: in.base, sink: sink})
	}
	files, skipped, err := in.conversations()
	if err != nil {
		return "", err
	}
	if skipped > 0 {
		sink.Skip("other files", skipped)
	}
	for _, f := range files {
		found, err := readFile(f, o, name, sink)
		if err != nil {
			return "", fmt.Errorf("read %s: %w", f.label, err)
		}
		name = found
	}
	return name, nil
}

// readFile reads one file. before is the format of the files before it, "" for the first.
func readFile(f inputFile, o Options, before string, sink Sink) (name string, err error) {
	kind, err := formatOf(f, o.Format)
	if err != nil {
		return "", err
	}
	if before != "" && kind.name != before {
		return "", fmt.Errorf("it is %s, but the files before it are of the format %s: import them one by one", kind.tell, before)
	}
	r, err := f.open()
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if kind.tree != nil {
		return "", fmt.Errorf("%s is a directory or a zip archive, this is a file", kind.tell)
	}
	guard := newGuard(r)
	e := &emitter{sink: sink, now: o.Now, fallback: f.modified}
	if kind.rows != nil {
		err = kind.rows(newLineReader(guard, f.stem(), e))
	} else {
		j := newJSONReader(guard, f.stem(), e)
		err = j.finish(kind.json(j))
	}
	if err != nil {
		return "", err
	}
	if !e.found {
		return "", fmt.Errorf("it is %s, but there is nothing in it to import", kind.tell)
	}
	return kind.name, nil
}

// formatOf returns the format of a file: the named one, or the one that its beginning shows.
func formatOf(f inputFile, name string) (format, error) {
	if name != "" {
		return formats[slices.IndexFunc(formats, func(k format) bool { return k.name == name })], nil
	}
	r, err := f.open()
	if err != nil {
		return format{}, err
	}
	defer r.Close() //nolint:errcheck // only read
	return detect(newGuard(r))
}

// treeReader reads a format that is a directory.
type treeReader struct {
	fs.FS
	// label names the directory in messages, base is its last part.
	label, base string
	sink        Sink
}

// maxText is the maximum size of a file that is read whole, in bytes.
const maxText = 4 << 20

// text returns the text of a file, "" if it does not exist.
func (t *treeReader) text(name string) (string, error) {
	f, err := t.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read %s in %s: %w", name, t.label, err)
	}
	defer f.Close() //nolint:errcheck // only read
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", errors.Join(err, fmt.Errorf("read %s in %s: it is not a regular file", name, t.label))
	}
	data, err := io.ReadAll(io.LimitReader(newGuard(f).unbounded(), maxText+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read %s in %s: %w", name, t.label, err)
	case len(data) > maxText:
		return "", fmt.Errorf("read %s in %s: it is larger than %d MiB", name, t.label, maxText>>20)
	}
	return string(data), nil
}
