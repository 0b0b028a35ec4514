package concept

import (
	"embed"
	"iter"
	"path"
	"strings"
)

// files are the words of all languages, one file per domain:
//
//	[instrument]
//	en = instrument, musical instrument
//	en > guitar, piano
//	near = music, practise
//
// After "=" are the words and phrases of a language that mean the concept itself, after ">" kinds of it.
//
//go:embed words/*.txt
var files embed.FS

// line is a line of a file: the key of a concept, or a list that belongs to the last key.
type line struct {
	key string
	// name is a language or "near".
	name  string
	kinds bool
	items string
}

// lines yields the lines of all files but comments. Its strings live as long as they are kept.
func lines() iter.Seq[line] {
	return func(yield func(line) bool) {
		entries, err := files.ReadDir("words")
		if err != nil {
			panic(err) // the files are embedded: a test reads each
		}
		for _, e := range entries {
			data, err := files.ReadFile(path.Join("words", e.Name()))
			if err != nil {
				panic(err)
			}
			for written := range strings.Lines(string(data)) {
				if l, ok := readLine(strings.TrimSuffix(written, "\n")); ok && !yield(l) {
					return
				}
			}
		}
	}
}

// readLine reads a line. ok is false for an empty line and a comment.
func readLine(written string) (l line, ok bool) {
	if written == "" || written[0] == '#' {
		return l, false
	}
	if written[0] == '[' {
		return line{key: strings.Clone(strings.Trim(written, "[]"))}, true // a part would keep the whole file
	}
	name, rest, _ := strings.Cut(written, " ")
	return line{name: name, kinds: strings.HasPrefix(rest, ">"), items: strings.TrimLeft(rest, "=> ")}, true
}

// items yields the items of a list.
func items(list string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for list != "" {
			var item string
			item, list, _ = strings.Cut(list, ", ")
			if !yield(item) {
				return
			}
		}
	}
}
