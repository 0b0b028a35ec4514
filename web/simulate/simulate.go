// Package simulate shows the reports of familiar-lab: those that lie in the home's folder for them, and files that somebody hands
// in. It keeps none of these.
package simulate

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"familiar/internal/plainfile"
	"familiar/memory"
	"familiar/web/layout"
	"familiar/web/simulate/report"
)

// Pages are the list of reports and the page of one.
type Pages struct {
	// Dir is the folder in which reports lie. It need not exist.
	Dir string
	// Shell writes the pages.
	shell *layout.Shell
}

// Mount has the shell answer the pages.
func (p *Pages) Mount(s *layout.Shell) {
	p.shell = s
	s.Get("/simulate", p.list)
	s.Get("/simulate/report", p.kept)
	s.Post("/simulate", p.handedIn)
}

// file is a report in the folder.
type file struct {
	Name string
	Size int64
	At   time.Time
}

// path returns the address of the report's page.
func (f file) path() string { return layout.Path(url.Values{"file": {f.Name}}, "simulate", "report") }

// mostFiles is how many reports the list shows, the newest.
const mostFiles = 200

func (p *Pages) list(w http.ResponseWriter, r *http.Request) error {
	files, err := p.files()
	if err != nil {
		return err
	}
	return p.shell.Write(w, r, layout.Page{
		Title: "Simulate", Section: layout.Simulate, Body: listed(files[:min(len(files), mostFiles)], len(files)),
	})
}

// files returns the reports in the folder, the newest first.
func (p *Pages) files() (files []file, err error) {
	entries, err := os.ReadDir(p.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list the reports: %w", err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !isReport(e.Name()) {
			continue // deleted since, or nothing that the lab wrote
		}
		files = append(files, file{Name: e.Name(), Size: info.Size(), At: info.ModTime()})
	}
	slices.SortFunc(files, func(a, b file) int {
		if c := b.At.Compare(a.At); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	return files, nil
}

func isReport(name string) bool {
	return strings.EqualFold(filepath.Ext(name), ".json") && !strings.HasPrefix(name, ".")
}

// kept shows a report from the folder. A name leads to nothing else: neither elsewhere nor through a link.
func (p *Pages) kept(w http.ResponseWriter, r *http.Request) error {
	files, err := p.files()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(files, func(f file) bool { return f.Name == r.FormValue("file") })
	if i < 0 {
		return memory.ErrNotFound
	}
	f, err := plainfile.Open(filepath.Join(p.Dir, files[i].Name))
	if errors.Is(err, fs.ErrNotExist) {
		return memory.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("open a report: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read
	return p.show(w, r, f, files[i].Name)
}

// handedIn shows a file that somebody hands in.
func (p *Pages) handedIn(w http.ResponseWriter, r *http.Request) error {
	f, head, err := r.FormFile("report")
	if long, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return long
	}
	if err != nil {
		return layout.Invalid(errors.New("choose a report: the file that familiar-lab wrote with --report"))
	}
	defer f.Close() //nolint:errcheck // only read
	return p.show(w, r, f, head.Filename)
}

func (p *Pages) show(w http.ResponseWriter, r *http.Request, in io.Reader, name string) error {
	read, err := report.Read(in)
	if err != nil {
		return layout.Invalid(fmt.Errorf("%s: %w", name, err))
	}
	return p.shell.Write(w, r, layout.Page{Title: read.Title, Section: layout.Simulate, Body: shown(read, name)})
}

// kinds words the kinds of reports.
var kinds = map[string]string{report.Simulate: "Simulated life", report.Compare: "Comparison", report.Bench: "Benchmarks"}
