package lexical

import (
	"fmt"
	"slices"
	"sync"
	"testing"
)

// TestIndexesShareAVocabulary fills and searches several indexes at the same time. Each finds the same as one with a
// vocabulary of its own.
func TestIndexesShareAVocabulary(t *testing.T) {
	words := NewVocabulary()
	var filling sync.WaitGroup
	for n := range 4 {
		filling.Go(func() {
			shared, alone := NewIn(words, English), New(English)
			said := make([]Document, 900)
			for i := range said {
				said[i] = Document{Text: fmt.Sprintf("We saw %d boats and the café number%d at harbour%d", i%7, i*n%97, i%13), Thread: int64(i / 20), At: int64(i)}
			}
			shared.Begin()
			shared.Prepare(said[:450])
			for i, d := range said {
				if i == 600 {
					shared.Finish()
				}
				shared.Add(d)
				d.prepared = reading{}
				alone.Add(d)
			}
			for i := range 50 {
				q := Query{Text: fmt.Sprintf("Which harbour%d has number%d?", i%13, i), Limit: 10}
				if got, want := Search([]*Index{shared}, q), Search([]*Index{alone}, q); !slices.Equal(got, want) {
					t.Errorf("%s: got %v, want %v", q.Text, got, want)
				}
			}
		})
	}
	filling.Wait()
	if words.Bytes() == 0 {
		t.Error("the vocabulary is empty")
	}
}

func TestADigestSaysWhatAnIndexContains(t *testing.T) {
	here, there := talk("we sailed past the lighthouse"), talk("the bassoon is loud", "a lighthouse")
	d := there.Digest()
	p := NewProbe([]*Index{here}, "Who has a bassoon by the lighthouse?", 0)
	share, unseen := p.In(d)
	if !p.Unseen() || !unseen || share < 0.99 {
		t.Errorf("share %v, unseen %v", share, unseen)
	}
	if share, unseen := p.In(here.Digest()); unseen || share <= 0 || share > 0.99 {
		t.Errorf("of the searched index: share %v, unseen %v", share, unseen)
	}
	if share, unseen := NewProbe([]*Index{here}, "", 0).In(d); share != 0 || unseen {
		t.Errorf("without a question: share %v, unseen %v", share, unseen)
	}
}
