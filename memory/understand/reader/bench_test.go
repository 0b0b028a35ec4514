package reader

import (
	"os"
	"testing"
)

func BenchmarkRead(b *testing.B) {
	w, err := os.ReadFile("/tmp/w-en9n.bin")
	if err != nil {
		b.Skip()
	}
	r, _ := Load(w)
	r.Read("warm up")
	b.ReportAllocs()
	for b.Loop() {
		r.Read("my sister Ana just moved from Leeds to Porto and works as a vet there")
	}
}
