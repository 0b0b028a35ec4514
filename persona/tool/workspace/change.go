package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"familiar/persona/tool"
)

type write struct{ dir }

// Spec implements tool.Tool.
func (write) Spec() tool.Spec {
	return tool.Spec{
		Name: "workspace_write", Description: "Write a text file of your workspace. A file that exists is replaced.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","description":"such as notes/list.md"},` +
			`"text":{"type":"string","description":"the whole file"}},"required":["path","text"]}`),
		Aliases: []string{"write_file", "create_file", "save_file"}, Touches: []tool.Reach{tool.ReachFiles}, Default: tool.Deny, Changes: true,
	}
}

// Call implements tool.Tool.
func (w write) Call(_ context.Context, u tool.Use) (tool.Result, error) {
	var given struct{ Path, Text string }
	if err := u.Decode(&given); err != nil {
		return tool.Result{}, err
	}
	return w.change(given.Path, func(string, error) (string, error) { return given.Text, nil })
}

type edit struct{ dir }

// Spec implements tool.Tool.
func (edit) Spec() tool.Spec {
	return tool.Spec{
		Name: "workspace_edit", Description: "Replace a passage of a text file of your workspace, which must be in it exactly once.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","description":"such as notes/list.md"},` +
			`"old":{"type":"string","description":"the passage, exactly as it is in the file"},"new":{"type":"string","description":"what replaces it, empty to remove it"}},` +
			`"required":["path","old"]}`),
		Aliases: []string{"edit_file", "replace_in_file"}, Touches: []tool.Reach{tool.ReachFiles}, Default: tool.Deny, Changes: true,
	}
}

// Call implements tool.Tool.
func (e edit) Call(_ context.Context, u tool.Use) (tool.Result, error) {
	var given struct{ Path, Old, New string }
	if err := u.Decode(&given); err != nil {
		return tool.Result{}, err
	}
	return e.change(given.Path, func(text string, err error) (string, error) {
		if err != nil {
			return "", err
		}
		switch n := strings.Count(text, given.Old); n {
		case 0:
			return "", errors.New("the passage is not in the file: read it first")
		case 1:
			return strings.Replace(text, given.Old, given.New, 1), nil
		default:
			return "", fmt.Errorf("the passage is in the file %d times: take more of what is around it", n)
		}
	})
}

// change replaces a file by what becomes of it. to gets the error of reading it.
func (d dir) change(name string, to func(text string, err error) (string, error)) (tool.Result, error) {
	name, err := clean(name)
	if err != nil {
		return tool.Result{}, err
	}
	root, err := d.open()
	if err != nil {
		return tool.Result{}, err
	}
	defer root.Close() //nolint:errcheck // nothing was written through it
	d.mu.Lock()
	defer d.mu.Unlock()
	text, err := to(readFile(root, name))
	if err != nil {
		return tool.Result{}, err
	}
	if err := writeFile(root, name, text); err != nil {
		return tool.Result{}, err
	}
	return tool.Result{Text: fmt.Sprintf("%d bytes are written.", len(text)), ProgramText: true}, nil
}
