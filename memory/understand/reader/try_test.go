package reader

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"familiar/memory/understand/sentences"
)

func TestTry(t *testing.T) {
	devs := strings.Fields(os.Getenv("DEV"))
	if len(devs) == 0 {
		t.Skip()
	}
	files, _ := filepath.Glob("../sentences/train/*.txt")
	more, _ := filepath.Glob(os.Getenv("MORE"))
	files = append(files, more...)
	for _, dev := range devs {
		var train []Labelled
		var out []sentences.Sentence
		for _, f := range files {
			b, _ := os.ReadFile(f)
			ss, err := sentences.Parse(string(b))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(f, dev+".txt") {
				out = ss
			} else {
				train = append(train, Labelled{strings.HasPrefix(filepath.Base(f), "en"), ss})
			}
		}
		began := time.Now()
		b := Fit(train)
		r, err := Load(b)
		if err != nil {
			t.Fatal(err)
		}
		took := time.Since(began)
		for _, sure := range []float64{.2, .4, .5, .6, .7, .8, .9} {
			s := Judge(r.Read, out, sure)
			c := s.Total
			fmt.Printf("%s %d bytes %v class %.3f  ≥%.1f P%.3f R%.3f exact %.3f subject %.3f stance %.3f\n", dev, len(b), took.Round(time.Second), float64(s.Classes)/float64(s.Messages), sure, c.Precision(), c.Recall(), float64(c.Exact)/float64(c.Right), float64(c.Subject)/float64(c.Right), float64(c.Stance)/float64(c.Right))
		}
		began = time.Now()
		words := 0
		for range 3 {
			for _, s := range out {
				r.Read(s.Text)
				words += len(strings.Fields(s.Text))
			}
		}
		fmt.Printf("%v per 15 words; sure %v %v\n", time.Since(began)*15/time.Duration(words), r.model.classSure, r.model.factSure)
		os.WriteFile("/tmp/w-"+dev+".bin", b, 0o644)
	}
}
