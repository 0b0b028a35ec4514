package pgtest

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
)

// programs returns the directory with initdb and postgres: the newest of Debian's packages, else the one on the PATH, ""
// if there is none.
var programs = sync.OnceValue(func() string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is valid
	if bin := newest(found); bin != "" {
		return bin
	}
	initdb, err := exec.LookPath("initdb")
	if err != nil {
		return ""
	}
	return filepath.Dir(initdb)
})

// newest returns the directory of the path with the highest version: /usr/lib/postgresql/VERSION/bin/initdb.
func newest(paths []string) string {
	best, bin := 0.0, ""
	for _, path := range paths {
		dir := filepath.Dir(path)
		version, err := strconv.ParseFloat(filepath.Base(filepath.Dir(dir)), 64)
		if err == nil && version > best {
			best, bin = version, dir
		}
	}
	return bin
}
