// Package report is the file in which familiar-lab leaves what it measured, and which the dashboard shows: a summary, charts
// and tables as data. Reading is strict and bounded, since anybody can hand in a file.
package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"familiar/web/chart"
)

// Version is the version of the format. Readers refuse others.
const Version = 1

// Report is what one run measured.
type Report struct {
	Version int `json:"familiar_report"`
	// Kind is the program that made it: simulate, compare or bench.
	Kind  string `json:"kind"`
	Title string `json:"title"`
	About string `json:"about,omitempty"`
	// Summary is the result in a few lines.
	Summary []Figure `json:"summary"`
	Charts  []Chart  `json:"charts"`
	Tables  []Table  `json:"tables,omitempty"`
}

// Figure is one line of the summary.
type Figure struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Chart is one chart, of one kind.
type Chart struct {
	Timeline *chart.Timeline `json:"timeline,omitempty"`
	Bars     *chart.Bars     `json:"bars,omitempty"`
}

// Table is a table with its title. The first column names the row.
type Table struct {
	Title string     `json:"title"`
	Head  []string   `json:"head"`
	Rows  [][]string `json:"rows"`
}

// Write writes the report as a file.
func (r Report) Write(out io.Writer) error {
	r.Version = Version
	r.cut()
	if err := r.check(); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// cut shortens what programs and personas said to what a page shows, so that no long answer costs the result of an hour.
func (r *Report) cut() {
	r.Summary, r.Tables = slices.Clone(r.Summary), slices.Clone(r.Tables)
	for i, f := range r.Summary {
		r.Summary[i].Value = cut(f.Value)
	}
	for i, t := range r.Tables {
		rows := make([][]string, min(len(t.Rows), mostLines))
		for j := range rows {
			for _, cell := range t.Rows[j] {
				rows[j] = append(rows[j], cut(cell))
			}
		}
		r.Tables[i].Rows = rows
	}
}

func cut(text string) string {
	if text = strings.ToValidUTF8(text, "\uFFFD"); len(text) <= mostText {
		return text
	}
	return strings.ToValidUTF8(text[:mostText-len("…")], "") + "…"
}

// MaxSize is how long a report may be, in bytes.
const MaxSize = 8 << 20

// Read reads a report. Its errors say what is wrong with the file, and are meant for the person who chose it.
func Read(in io.Reader) (Report, error) {
	data, err := io.ReadAll(io.LimitReader(in, MaxSize+1))
	if err != nil {
		return Report{}, fmt.Errorf("read the report: %w", err)
	}
	if len(data) > MaxSize {
		return Report{}, fmt.Errorf("the report is longer than %d MB, which no program of familiar-lab writes", MaxSize>>20)
	}
	r, err := parse(data)
	if err != nil {
		return Report{}, err
	}
	if err := r.check(); err != nil {
		return Report{}, fmt.Errorf("the report is damaged: %w", err)
	}
	return r, nil
}

func parse(data []byte) (r Report, err error) {
	var head struct {
		Version *int `json:"familiar_report"`
	}
	if err := json.Unmarshal(data, &head); err != nil || head.Version == nil {
		return r, errors.New("this is no report of familiar-lab: make one with its option --report FILE")
	}
	if *head.Version != Version {
		return r, fmt.Errorf("this report has version %d of the format and this familiar reads version %d: make it again with the familiar-lab of this version", *head.Version, Version)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return r, fmt.Errorf("the report is damaged: %w", err)
	}
	return r, nil
}
