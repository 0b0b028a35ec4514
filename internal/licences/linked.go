package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// module is a module of which packages are linked.
type module struct {
	Path, Version string
	// Dir holds its source.
	Dir string
}

// linked are the modules of the packages that pkg is built from on linux/amd64 with build tags, sorted by path, without
// the main module and the standard library.
func linked(pkg string, tags ...string) ([]module, error) {
	cmd := exec.Command("go", "list", "-deps", "-tags", strings.Join(tags, ","), "-json=Module", pkg)
	cmd.Env = append(cmd.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the packages of %s: %w", pkg, err)
	}
	var modules []module
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var listed struct {
			Module *struct {
				module
				Main    bool
				Replace *module
			}
		}
		if err := dec.Decode(&listed); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("read the packages of %s: %w", pkg, err)
		}
		if m := listed.Module; m != nil && !m.Main {
			if m.Replace != nil {
				m.module = *m.Replace
			}
			modules = append(modules, m.module)
		}
	}
	slices.SortFunc(modules, func(a, b module) int { return cmp.Compare(a.Path, b.Path) })
	return slices.Compact(modules), nil
}

// licenceFile matches the names of files that hold a licence.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]es?|copying|unlicense)([.-].*)?$`)

// recognised is how much of a licence file a known text must cover, in percent: pkg.go.dev asks for as much.
const recognised = 75

// licences are the SPDX identifiers of the licences in the module's root directory, sorted.
func (m module) licences() ([]string, error) {
	files, err := os.ReadDir(m.Dir)
	if err != nil {
		return nil, fmt.Errorf("look for the licence of %s: %w: run `go mod download`", m.Path, err)
	}
	var ids []string
	for _, f := range files {
		if f.IsDir() || !licenceFile.MatchString(f.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(m.Dir, f.Name()))
		if err != nil {
			return nil, fmt.Errorf("read the licence of %s: %w", m.Path, err)
		}
		found := licensecheck.Scan(text)
		if found.Percent < recognised {
			return nil, fmt.Errorf("%s of %s is no licence that is known (%.0f %% of it is)", f.Name(), m.Path, found.Percent)
		}
		for _, match := range found.Match {
			ids = append(ids, match.ID)
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("%s has no licence in %s", m.Path, m.Dir)
	}
	slices.Sort(ids)
	return withoutAppendix(slices.Compact(ids)), nil
}

// withoutAppendix takes "or later" out where the licence itself is there: the appendix of the GPL shows how to apply it that
// way, which says nothing of the module.
func withoutAppendix(ids []string) []string {
	all := slices.Clone(ids)
	return slices.DeleteFunc(ids, func(id string) bool {
		bare, later := strings.CutSuffix(id, "-or-later")
		return later && slices.Contains(all, bare)
	})
}
