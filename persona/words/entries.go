package words

import (
	"io/fs"
	"strings"
)

// Entries returns the keys and texts of a file of lines "key: text". Lines that begin with "#" are comments. It panics if the
// file cannot be read: such files are embedded, and a test reads each.
func Entries(files fs.FS, name string) (all [][2]string) {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(data)) {
		if key, text, found := strings.Cut(strings.TrimSpace(line), ": "); found && key[0] != '#' {
			all = append(all, [2]string{key, strings.TrimSpace(text)})
		}
	}
	return all
}
