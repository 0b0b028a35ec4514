package bench

import (
	"slices"

	"familiar/internal/tokens"
	"familiar/memory/lexical"
	"familiar/memory/model"
	"familiar/memory/recall"
)

// Compression reports what compressing the packed context to the question saves, over all questions.
type Compression struct {
	// TokensFull and TokensCompressed are the mean sizes of the same items before and after compression.
	TokensFull       float64 `json:"tokens_full"`
	TokensCompressed float64 `json:"tokens_compressed"`
	// Saved is the share of tokens saved, 0–1.
	Saved float64 `json:"saved"`
	// EvidenceFull and EvidenceCompressed are the shares of the evidence before and after compression, 0–1. A turn
	// counts only while it still holds every content word that it shares with the answer. Where it shares none with the
	// answer, the words it shares with the question count. Speakers' names are ignored.
	EvidenceFull       float64 `json:"evidence_full"`
	EvidenceCompressed float64 `json:"evidence_compressed"`
}

// compressed returns the contribution of one question, without Saved.
func compressed(question, gold string, evidence []model.Message, items []recall.Item) Compression {
	short := recall.Compress(items, question, 0)
	full, kept := linesOf(items), linesOf(short)
	c := Compression{TokensFull: sizeOf(items), TokensCompressed: sizeOf(short)}
	for _, m := range evidence {
		words := tellingWords(gold, question, m.Text, items)
		for _, of := range []struct {
			lines map[int64]string
			share *float64
		}{{full, &c.EvidenceFull}, {kept, &c.EvidenceCompressed}} {
			if text, shown := of.lines[m.ID]; shown && holdsAll(text, words) {
				*of.share += 1 / float64(len(evidence))
			}
		}
	}
	return c
}

// plus returns the sum of two compressions.
func (c Compression) plus(o Compression) Compression {
	c.TokensFull += o.TokensFull
	c.TokensCompressed += o.TokensCompressed
	c.EvidenceFull += o.EvidenceFull
	c.EvidenceCompressed += o.EvidenceCompressed
	return c
}

// over returns the mean of a sum over n questions.
func (c Compression) over(n int) Compression {
	of := float64(max(n, 1))
	mean := Compression{
		TokensFull: c.TokensFull / of, TokensCompressed: c.TokensCompressed / of,
		EvidenceFull: c.EvidenceFull / of, EvidenceCompressed: c.EvidenceCompressed / of,
	}
	if mean.TokensFull > 0 {
		mean.Saved = 1 - mean.TokensCompressed/mean.TokensFull
	}
	return mean
}

// tellingWords returns the words that make a turn evidence.
func tellingWords(gold, question, turn string, items []recall.Item) (words []string) {
	for _, text := range []string{gold, question} {
		gist := lexical.GistOf(text)
		names := map[string]bool{}
		for _, it := range items {
			for _, l := range it.Lines {
				for _, t := range gist.Terms(l.Author) {
					names[t] = true
				}
			}
		}
		for _, t := range gist.Terms(turn) {
			if gist.Has(t) && !names[t] {
				words = append(words, t)
			}
		}
		if len(words) > 0 {
			return words
		}
	}
	return nil
}

func holdsAll(text string, words []string) bool {
	terms := lexical.English.Terms(text)
	for _, w := range words {
		if !slices.Contains(terms, w) {
			return false
		}
	}
	return true
}

func linesOf(items []recall.Item) map[int64]string {
	lines := map[int64]string{}
	for _, it := range items {
		for _, l := range it.Lines {
			lines[l.MessageID] = l.Text
		}
	}
	return lines
}

func sizeOf(items []recall.Item) (sum float64) {
	for _, it := range items {
		for _, l := range it.Lines {
			sum += float64(tokens.Estimate(l.String()))
		}
	}
	return sum
}
