package cli

import (
	"fmt"
)

// FileResult is the path of a file as a result.
type FileResult struct {
	File string `json:"file"`
}

// ReportWritten prints which file was written.
func ReportWritten(inv *Invocation, file string) error {
	if inv.JSON {
		return WriteJSON(inv.Out, FileResult{file})
	}
	_, err := fmt.Fprintln(inv.Out, "wrote "+file)
	return err
}
