package memory_test

import (
	"context"
	"os"
	"testing"

	"familiar/memory/memorytest"
)

func TestWritableAndSize(t *testing.T) {
	s := memorytest.Open(t)
	if err := s.CheckWritable(t.Context()); err != nil {
		t.Error(err)
	}
	if memorytest.OnPostgres() {
		if tables, log, err := s.Size(); err != nil || tables <= 0 || log != 0 {
			t.Errorf("%d and %d bytes, %v, want some and none", tables, log, err)
		}
	} else if info, err := os.Stat(s.Path()); err != nil {
		t.Fatal(err)
	} else if file, log, err := s.Size(); err != nil || file != info.Size() || log <= 0 {
		t.Errorf("%d and %d bytes, %v, want %d and some", file, log, err, info.Size())
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.CheckWritable(context.Background()); err == nil {
		t.Error("a closed store can be written")
	}
	if memorytest.OnPostgres() {
		return // a server that is not asked has no size
	}
	if _, log, err := s.Size(); err != nil || log != 0 {
		t.Errorf("a log of %d bytes, %v, after closing", log, err)
	}
}
