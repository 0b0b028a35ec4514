// Package document cuts documents into passages small enough to be remembered one by one. It is pure.
package document

import (
	"strings"

	"familiar/internal/text"
	"familiar/internal/tokens"
)

// Passage is one part of a document.
type Passage struct {
	// Headings are those it stands under, the outermost first.
	Headings []string
	// Text is what stands there: prose with its lines joined, everything else as it is written.
	Text string
}

// Plain cuts plain text, whose paragraphs are parted by empty lines, into passages of at most limit tokens, cut between
// sentences where a paragraph is longer.
func Plain(source string, limit int) []Passage {
	var blocks []block
	for _, paragraph := range strings.Split(normalizeLines(source), "\n\n") {
		if text := singleLine(paragraph); text != "" {
			blocks = append(blocks, block{text: text, prose: true})
		}
	}
	return passages(nil, blocks, limit)
}

// normalizeLines is source with line ends of one kind and blank lines empty.
func normalizeLines(source string) string {
	all := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(source), "\n")
	for i, line := range all {
		if strings.TrimSpace(line) == "" {
			all[i] = ""
		}
	}
	return strings.Join(all, "\n")
}

// singleLine is a text on one line.
func singleLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// block is what is not cut as long as it fits: a paragraph, a list, a table, code.
type block struct {
	text string
	// prose may be cut between sentences, items between one and the next; anything else stays whole however long it is.
	prose bool
	items []string
}

// blockSeparator parts the blocks of a passage.
const blockSeparator = "\n\n"

// passages packs the blocks under one heading, as many as fit into each.
func passages(headings []string, blocks []block, limit int) []Passage {
	var out []Passage
	text := ""
	flush := func() {
		if text != "" {
			out = append(out, Passage{Headings: headings, Text: text})
		}
		text = ""
	}
	for _, b := range blocks {
		if text != "" && tokens.Estimate(text+blockSeparator+b.text) > limit {
			flush()
		}
		for i, part := range b.split(limit) {
			if i > 0 {
				flush()
			}
			if text != "" {
				text += blockSeparator
			}
			text += part
		}
	}
	flush()
	return out
}

// split is the block in parts of at most limit tokens, where it may be cut.
func (b block) split(limit int) []string {
	switch {
	case tokens.Estimate(b.text) <= limit:
		return []string{b.text}
	case b.prose:
		return splitProse(b.text, limit)
	case len(b.items) > 1:
		return fill(b.items, "\n", limit, 0)
	}
	return []string{b.text}
}

// overlapShare is which part of a passage may be said again at the beginning of the next: the last sentence, when it is
// that short. It is what "this" and "it" at the cut refer to.
const overlapShare = 4

// splitProse cuts between sentences, the last of a part beginning the next as well, and within those that are too long.
func splitProse(said string, limit int) []string {
	var parts []string
	for _, s := range text.Sentences(said) {
		s = strings.TrimPrefix(s, " ")
		if tokens.Estimate(s) <= limit {
			parts = append(parts, s)
		} else {
			parts = append(parts, fill(strings.Fields(s), " ", limit, 0)...)
		}
	}
	return fill(parts, " ", limit, limit/overlapShare)
}

// fill joins parts by a separator, as many as fit into limit tokens. The last part begins the next text again when it
// has at most overlap tokens and leaves room for what follows.
func fill(parts []string, separator string, limit, overlap int) []string {
	var out []string
	text := ""
	for i, part := range parts {
		next := part
		if text != "" {
			next = text + separator + part
		}
		if text == "" || tokens.Estimate(next) <= limit {
			text = next
			continue
		}
		out, text = append(out, text), part
		if again := parts[i-1] + separator + part; tokens.Estimate(parts[i-1]) <= overlap && tokens.Estimate(again) <= limit {
			text = again
		}
	}
	return append(out, text)
}
