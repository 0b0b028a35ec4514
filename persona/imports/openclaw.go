package imports

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// characterFiles are the files of an OpenClaw workspace that say who the agent is; otherFiles tell it how to work there.
var (
	characterFiles = []string{"SOUL.md", "IDENTITY.md"}
	notes          = []string{"USER.md", "MEMORY.md", "memory.md"}
	otherFiles     = []string{"AGENTS.md", "TOOLS.md", "HEARTBEAT.md", "BOOTSTRAP.md", "BOOT.md"}
)

// isWorkspace reports whether a tree is an OpenClaw workspace.
func isWorkspace(tree fs.FS) bool {
	return slices.ContainsFunc(slices.Concat(characterFiles, notes), func(name string) bool {
		info, err := fs.Stat(tree, name)
		return err == nil && !info.IsDir()
	})
}

// readOpenClaw reads a workspace: the character from SOUL.md and IDENTITY.md, and what the agent noted about its person from
// USER.md, MEMORY.md and memory/*.md.
func readOpenClaw(t *treeReader) error {
	e := &emitter{sink: t.sink}
	soul, err := t.text("SOUL.md")
	if err != nil {
		return err
	}
	identity, err := t.text("IDENTITY.md")
	if err != nil {
		return err
	}
	if strings.TrimSpace(soul+identity) != "" {
		if err := e.persona(t.character(body(soul), fieldsOf(identity))); err != nil {
			return err
		}
	}
	daily, err := fs.Glob(t.FS, "memory/*.md")
	if err != nil {
		return err
	}
	for _, name := range slices.Concat(notes, daily) {
		text, err := t.text(name)
		if err != nil {
			return err
		}
		if err := e.document(Document{Name: name, Text: unfilled.ReplaceAllString(body(text), ""), Markdown: true, Private: true}); err != nil {
			return err
		}
	}
	for _, name := range otherFiles {
		if _, err := fs.Stat(t.FS, name); err == nil {
			t.sink.Skip("instructions for the other program ("+name+")", 1)
		}
	}
	if !e.found {
		return fmt.Errorf("%s has no SOUL.md, IDENTITY.md, USER.md or MEMORY.md with a text: it is not an OpenClaw workspace", t.label)
	}
	return nil
}

// character returns the persona of a workspace.
func (t *treeReader) character(soul string, identity []field) Persona {
	p := Persona{Name: t.base}
	var about []string
	for _, f := range identity {
		switch strings.ToLower(f.name) {
		case "name":
			p.Name = f.value
		case "vibe":
			p.Voice = f.value
		case "avatar", "emoji":
		default:
			about = append(about, f.name+": "+f.value+".")
		}
	}
	if soul != "" {
		about = append(about, soul)
	}
	p.Description = strings.Join(about, "\n\n")
	return p
}

// field is one line "- **Name:** value" of a Markdown file.
type field struct{ name, value string }

// fieldLine matches such a line; the value may stand on the next one. unfilled matches what a template asks to be filled in.
var (
	fieldLine = regexp.MustCompile(`(?m)^\s*[-*]\s*\*\*([^*:\n]{1,40}):?\*\*:?[ \t]*\n?[ \t]*([^\n]*)$`)
	unfilled  = regexp.MustCompile(`(?m)_\([^\n]*\)_`)
	front     = regexp.MustCompile(`\A---\n(?s:.*?)\n---\n`)
)

// fieldsOf returns the fields that are filled in.
func fieldsOf(text string) (fields []field) {
	for _, m := range fieldLine.FindAllStringSubmatch(unfilled.ReplaceAllString(body(text), ""), -1) {
		name, value := strings.TrimSpace(m[1]), strings.TrimSpace(strings.Trim(strings.TrimSpace(m[2]), "_*"))
		if name != "" && value != "" && !strings.HasPrefix(strings.TrimSpace(m[2]), "- ") {
			fields = append(fields, field{name, value})
		}
	}
	return fields
}

// body returns a Markdown text without its front matter and the heading that repeats the file's name.
func body(text string) string {
	text = strings.TrimSpace(front.ReplaceAllString(strings.ReplaceAll(text, "\r\n", "\n"), ""))
	first, rest, _ := strings.Cut(text, "\n")
	if name, ok := strings.CutPrefix(first, "# "); ok && path.Ext(strings.Fields(name + " .")[0]) == ".md" {
		return strings.TrimSpace(rest)
	}
	return text
}
