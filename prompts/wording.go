package prompts

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"sync"
	"text/template/parse"
)

//go:embed templates/*.tmpl
var templateFiles embed.FS

// blocks are parsed when the first prompt is built: most commands build none.
var blocks = sync.OnceValue(func() map[string]*parse.Tree {
	all, err := parseBlocks()
	if err != nil {
		panic("prompts: " + err.Error())
	}
	return all
})

func parseBlocks() (map[string]*parse.Tree, error) {
	files, err := fs.Glob(templateFiles, "templates/*.tmpl")
	if err != nil {
		return nil, err
	}
	all := map[string]*parse.Tree{}
	for _, file := range files {
		text, err := templateFiles.ReadFile(file)
		if err != nil {
			return nil, err
		}
		named, err := parse.Parse(file, string(text), "", "")
		if err != nil {
			return nil, err
		}
		maps.Copy(all, named)
	}
	return all, nil
}

// fields are the inputs of a template: text, conditions, lists of texts, or nested fields.
type fields map[string]any

// render fills one block of the embedded templates with dot. Blocks and inputs are internal, so any mismatch is a bug
// in this package that its golden tests show.
func render(block string, dot any) string {
	var w wording
	w.block(block, dot)
	return strings.TrimSpace(w.String())
}

// wording fills templates parsed by text/template's parser. Executing them with text/template would let a template call
// any method by name, so the linker would keep every exported method of every library: a sixth of the binary and of an
// idle process's resident memory. These templates need only fields, if, with, range and template.
type wording struct{ strings.Builder }

func (w *wording) block(name string, dot any) {
	tree, ok := blocks()[name]
	if !ok {
		panic("prompts: there is no block " + name)
	}
	w.fill(tree.Root, dot)
}

func (w *wording) fill(node parse.Node, dot any) {
	switch n := node.(type) {
	case *parse.ListNode:
		for _, each := range n.Nodes {
			w.fill(each, dot)
		}
	case *parse.TextNode:
		w.Write(n.Text)
	case *parse.ActionNode:
		w.WriteString(value(n.Pipe, dot).(string))
	case *parse.IfNode:
		w.branch(n.BranchNode, dot, dot)
	case *parse.WithNode:
		w.branch(n.BranchNode, dot, value(n.Pipe, dot))
	case *parse.RangeNode:
		for _, each := range value(n.Pipe, dot).([]string) {
			w.fill(n.List, each)
		}
	case *parse.TemplateNode:
		w.block(n.Name, value(n.Pipe, dot))
	default:
		panic("prompts: what is this in a template: " + node.String())
	}
}

// branch fills the first list with within if the branch's condition is set, otherwise the else list.
func (w *wording) branch(n parse.BranchNode, dot, within any) {
	switch {
	case isSet(value(n.Pipe, dot)):
		w.fill(n.List, within)
	case n.ElseList != nil:
		w.fill(n.ElseList, dot)
	}
}

func isSet(v any) bool {
	switch v := v.(type) {
	case string:
		return v != ""
	case []string:
		return len(v) > 0
	case bool:
		return v
	}
	panic(fmt.Sprintf("prompts: a template asks whether a %T is there", v))
}

// value returns the value of an action: dot itself, or one of its fields.
func value(pipe *parse.PipeNode, dot any) any {
	if len(pipe.Decl) == 0 && len(pipe.Cmds) == 1 && len(pipe.Cmds[0].Args) == 1 {
		switch arg := pipe.Cmds[0].Args[0].(type) {
		case *parse.DotNode:
			return dot
		case *parse.FieldNode:
			if v, ok := dot.(fields)[arg.Ident[0]]; ok && len(arg.Ident) == 1 {
				return v
			}
		}
	}
	panic("prompts: nothing was given for " + pipe.String())
}
