package bench

import (
	"path/filepath"
	"testing"
)

// The half that needs no built program: every client is served, and what is measured is a time.
func TestMCPServesManyClients(t *testing.T) {
	parts := MCPParts{RecallParts: testParts(), Database: filepath.Join(t.TempDir(), "familiar.db"), Memories: 60, Calls: 3, Clients: 8}
	talk := newCorpus()
	messages := talk.next(parts.Memories)
	if _, err := fillStore(t.Context(), parts.RecallParts, parts.Database, messages); err != nil {
		t.Fatal(err)
	}
	var r MCPReport
	questions := []string{talk.question(messages), talk.question(messages), talk.question(messages)}
	if err := r.overHTTP(t.Context(), parts, messages[0].Room, questions); err != nil {
		t.Fatal(err)
	}
	if r.Requests != 24 || r.Errors != 0 || r.ClientMS.P50 <= 0 || r.PerSec <= 0 {
		t.Errorf("measured %+v", r)
	}
}
