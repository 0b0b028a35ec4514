// Package machine says what the machine offers this process.
package machine

import (
	"bytes"
	"os"
	"strconv"
)

// Memory returns how many bytes of memory the process may use: those of the machine, or of its container if that has
// less. It returns 0 if the system does not say.
func Memory() int64 {
	most := installed()
	for _, file := range limitFiles {
		if limit := readLimit(file); limit > 0 && (most == 0 || limit < most) {
			most = limit
		}
	}
	return most
}

// limitFiles hold the limit of a Linux container, of either version of control groups. They are missing elsewhere.
var limitFiles = []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}

// readLimit returns the number in a file, 0 if it has none ("max").
func readLimit(file string) int64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	limit, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	if err != nil {
		return 0
	}
	return limit
}
