package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
)

// head is what stands above the table.
//
//go:embed head.md
var head string

// render is the page that lists modules with their licences.
func render(modules []module) ([]byte, error) {
	var page bytes.Buffer
	page.WriteString(head)
	fmt.Fprintf(&page, "\n| module | version | licence |\n|---|---|---|\n")
	for _, m := range modules {
		ids, err := m.licences()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&page, "| %s | %s | %s |\n", m.Path, m.Version, strings.Join(ids, ", "))
	}
	return page.Bytes(), nil
}
