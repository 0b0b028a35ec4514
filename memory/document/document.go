// Package document splits documents into passages small enough to be remembered one by one. It is pure.
package document

import (
	"strings"

	"familiar/internal/text"
	"familiar/internal/tokens"
)

// Passage is one part of a document.
type Passage struct {
	// Headings are the headings above it, the outermost first.
	Headings []string
	// Text is the content: prose with joined lines, everything else as written.
	Text string
}

// Plain splits plain text, whose paragraphs are separated by empty lines, into passages of at most limit tokens. It
// splits a longer paragraph between sentences.
func Plain(source string, limit int) []Passage {
	var blocks []block
	for _, paragraph := range strings.Split(normalizeLines(source), "\n\n") {
		if text := singleLine(paragraph); text != "" {
			blocks = append(blocks, block{text: text, prose: true})
		}
	}
	return passages(nil, blocks, limit)
}

// normalizeLines converts line ends to \n and empties blank lines.
func normalizeLines(source string) string {
	all := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(source), "\n")
	for i, line := range all {
		if strings.TrimSpace(line) == "" {
			all[i] = ""
		}
	}
	return strings.Join(all, "\n")
}

// singleLine joins a text into one line.
func singleLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// block is a unit that is not split while it fits: a paragraph, a list, a table, code.
type block struct {
	text string
	// prose may be split between sentences, a list between items. Other blocks stay whole, however long they are.
	prose bool
	items []string
}

// blockSeparator separates the blocks of a passage.
const blockSeparator = "\n\n"

// passages packs the blocks under one heading into as few passages as possible.
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

// split returns the block in parts of at most limit tokens, as far as it can be split.
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

// overlapShare is the fraction (one in so many) of a passage that may repeat the end of the previous one: its last
// sentence, if it is that short. Words like "this" and "it" after the split refer to it.
const overlapShare = 4

// splitProse splits between sentences, repeating the last sentence of a part at the start of the next, and within
// sentences that are too long.
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

// fill joins parts by a separator, as many as fit into limit tokens. It repeats the last part at the start of the next
// text if that part has at most overlap tokens and leaves room for the following part.
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
