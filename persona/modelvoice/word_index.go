package modelvoice

import "familiar/persona/words"

// wordIndex finds the text that shares most words with a sentence among many texts. The zero value is an empty index.
type wordIndex struct {
	texts  map[string][]int32
	shared []int32
}

// add adds a text with these words.
func (x *wordIndex) add(text words.Set) {
	if x.texts == nil {
		x.texts = map[string][]int32{}
	}
	id := int32(len(x.shared)) //nolint:gosec // a prompt has a few hundred texts
	for w := range text {
		x.texts[w] = append(x.texts[w], id)
	}
	x.shared = append(x.shared, 0)
}

// most returns the highest number of terms that one text has.
func (x *wordIndex) most(terms words.Set) (most int) {
	clear(x.shared)
	for w := range terms {
		for _, id := range x.texts[w] {
			x.shared[id]++
			most = max(most, int(x.shared[id]))
		}
	}
	return most
}
