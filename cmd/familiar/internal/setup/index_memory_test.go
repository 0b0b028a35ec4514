package setup

import (
	"strings"
	"testing"

	"familiar/config"
)

func TestIndexMemoryIsComparedWithTheMachines(t *testing.T) {
	for _, tt := range []struct {
		mb     int
		memory int64
		unwise bool
	}{{0, 1 << 30, false}, {512, 1 << 30, false}, {513, 1 << 30, true}, {513, 0, false}} {
		warned := checkIndexMemory(&config.Config{Recall: config.Recall{IndexMB: tt.mb}}, tt.memory)
		if len(warned) > 0 != tt.unwise || tt.unwise && !strings.Contains(warned[0], "set at most 512") {
			t.Errorf("%d MB of %d: got %q", tt.mb, tt.memory, warned)
		}
	}
}
