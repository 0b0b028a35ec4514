package cli

import (
	"errors"
	"fmt"
	"strings"

	"familiar/internal/strictyaml"
)

// Findings is the result of a check.
type Findings struct {
	OK       bool     `json:"ok"`
	Problems []string `json:"problems"`
	// Warnings are about settings that are unwise but valid.
	Warnings []string `json:"warnings,omitempty"`
}

// ProblemLines returns the problems of a file, if err is of that kind.
func ProblemLines(err error) ([]string, bool) {
	var problems *strictyaml.Problems
	if !errors.As(err, &problems) {
		return nil, false
	}
	return problems.Lines(), true
}

// Report shows the result of a check and returns an error if there are problems.
func Report(inv *Invocation, found Findings) error {
	found.OK, found.Problems = len(found.Problems) == 0, append([]string{}, found.Problems...)
	if inv.JSON {
		if err := WriteJSON(inv.Out, found); err != nil {
			return err
		}
	} else {
		for _, w := range found.Warnings {
			fmt.Fprintln(inv.Errs, "familiar: warning: "+w)
		}
	}
	if found.OK {
		inv.Say("ok")
		return nil
	}
	inv.Say("%s", strings.Join(found.Problems, "\n"))
	if n := len(found.Problems); n > 1 {
		return fmt.Errorf("%d problems", n)
	}
	return errors.New("1 problem")
}
