package timeline

import (
	"bytes"
	"compress/gzip"
	"io"
	"math"
	"os"
	"testing"
	"time"

	"github.com/dop251/goja"
)

// TestTheBrowserComputesWhatTheTimelineHas runs time.js on random lives and compares each memory on each day.
func TestTheBrowserComputesWhatTheTimelineHas(t *testing.T) {
	t.Parallel()
	s, clock := lived(t, 7)
	f := must(shoot(t.Context(), s.History, "vela", clock.Now().In(riga)))
	timeline := must(s.History.Timeline(t.Context(), "vela"))
	states := script(t, f.lives)
	seen := [gone + 1]int{}
	for n := range timeline.Lives {
		l := &timeline.Lives[n]
		for i, d := range f.days {
			got := states[n*len(f.days)+i]
			want, there := l.At(d.at)
			class := float64(gone)
			if there {
				class = float64(want.Freshness())
			}
			if got[0] != class || there && (math.Abs(got[1]-want.Retention) > 1e-12 || (got[2] != 0) != want.Pinned) {
				t.Fatalf("memory %d at %s: the browser has %v, the timeline %+v, %t", l.ID, d.at.Format(time.RFC3339), got, want, there)
			}
			seen[int(class)]++
		}
	}
	for class, n := range seen {
		if n == 0 {
			t.Errorf("no memory was ever of class %d", class)
		}
	}
}

// script returns what time.js computes: class, retention and pin of each memory at the end of each day.
func script(t *testing.T, packed []byte) (states [][3]float64) {
	t.Helper()
	source := must(os.ReadFile("../assets/static/time.js"))
	vm := goja.New()
	if _, err := vm.RunScript("time.js", string(source)); err != nil {
		t.Fatal(err)
	}
	lives := must(io.ReadAll(must(gzip.NewReader(bytes.NewReader(packed)))))
	if err := vm.Set("packed", vm.NewArrayBuffer(lives)); err != nil {
		t.Fatal(err)
	}
	if err := vm.Set("put", func(class, left, pinned float64) { states = append(states, [3]float64{class, left, pinned}) }); err != nil {
		t.Fatal(err)
	}
	if _, err := vm.RunString(`const f = familiarTime.unpack(packed);
		for (let life = 0; life < f.lives; life++) {
			for (const end of f.ends) put(...familiarTime.stateAt(f, life, end, [0, 0, 0]));
		}`); err != nil {
		t.Fatal(err)
	}
	return states
}
