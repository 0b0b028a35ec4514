// Package server offers the tools of other programs to a model. Their names and descriptions are those programs' words, cut.
package server

import (
	"context"
	"fmt"
	"strings"

	"familiar/internal/toolserver"
	"familiar/persona/tool"
)

// Caller calls tools of one program.
type Caller interface {
	// Name is the program's name in the configuration.
	Name() string
	Call(ctx context.Context, tool string, arguments []byte) (string, error)
}

// Tools returns the tools of a program, each under the program's name and its own.
func Tools(c Caller, tools []toolserver.Tool) (all []tool.Tool) {
	for _, t := range tools {
		all = append(all, served{c, t})
	}
	return all
}

type served struct {
	caller Caller
	tool   toolserver.Tool
}

// Name returns the name under which a tool of a program is offered.
func Name(program, tool string) string {
	letters := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '_'
	}, tool)
	return program + "_" + letters
}

// Spec implements tool.Tool.
func (s served) Spec() tool.Spec {
	return tool.Spec{
		Name:        Name(s.caller.Name(), s.tool.Name),
		Description: fmt.Sprintf("A tool of the program %s, which describes it so: %q", s.caller.Name(), s.tool.Description),
		Parameters:  s.tool.Schema,
		Touches:     []tool.Reach{tool.ReachProgram}, Default: tool.Confirm, Changes: true,
	}
}

// Call implements tool.Tool.
func (s served) Call(ctx context.Context, u tool.Use) (tool.Result, error) {
	text, err := s.caller.Call(ctx, s.tool.Name, u.Arguments)
	if err != nil {
		return tool.Result{}, err
	}
	return tool.Result{Text: text, Source: "the program " + s.caller.Name()}, nil
}
