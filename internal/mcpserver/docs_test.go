package mcpserver_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"familiar/memory/access"
)

// replaced are the tools of other memory servers that docs/mcp.md leads from.
var replaced = []string{
	"ghost_put", "ghost_get", "ghost_search", "ghost_context", "ghost_expand", "ghost_consolidate", "ghost_curate", "ghost_reflect", "ghost_edge",
	"ghost_edge_candidates", "query_memory", "explore_memory", "traverse_memory", "store_memory", "list_topics", "remember", "recall", "reflect",
	"get_session", "inspect",
}

// The tables of docs/mcp.md name every tool there is, and no other.
func TestDocsNameTheTools(t *testing.T) {
	w := newWorld(t)
	s := w.connect(t, access.Grant{Kind: access.Operator})
	listed, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var tools []string
	for _, tool := range listed.Tools {
		tools = append(tools, tool.Name)
		if tool.Description == "" || tool.InputSchema == nil || tool.OutputSchema == nil || tool.Annotations == nil {
			t.Errorf("%s is not described", tool.Name)
		}
	}
	page, err := os.ReadFile("../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	text, table, ok := strings.Cut(string(page), "## Coming from another memory server")
	if !ok {
		t.Fatal("docs/mcp.md has no table for those who come from elsewhere")
	}
	name := regexp.MustCompile("`([a-z_]+)`")
	var documented, from []string
	for _, row := range rows(text) {
		for _, m := range name.FindAllStringSubmatch(row[0], -1) {
			documented = append(documented, m[1])
		}
	}
	slices.Sort(tools)
	if slices.Sort(documented); !slices.Equal(tools, documented) {
		t.Errorf("there are the tools\n%v\ndocumented are\n%v", tools, documented)
	}
	for _, row := range rows(table) {
		from = append(from, strings.Trim(row[0], "` "))
		for _, m := range name.FindAllStringSubmatch(row[1], -1) {
			if !slices.Contains(tools, m[1]) {
				t.Errorf("the table leads to %s, which there is not", m[1])
			}
		}
	}
	if !slices.Equal(from, replaced) {
		t.Errorf("the table leads from\n%v, want\n%v", from, replaced)
	}
}

// rows returns the cells of the rows of all tables in a text, without their headings.
func rows(text string) (all [][]string) {
	for l := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(l), "|"), "|")
		if strings.HasPrefix(l, "| `") && len(cells) == 2 {
			all = append(all, cells)
		}
	}
	return all
}
