package cli

// FileResult is the path of a file as a result.
type FileResult struct {
	File string `json:"file"`
}

// ReportWritten prints which file was written.
func ReportWritten(inv *Invocation, file string) error {
	return RenderDone(inv, FileResult{file}, "wrote %s", file)
}
