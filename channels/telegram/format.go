package telegram

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"familiar/channels/markdown"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

// types maps Markdown spans to Telegram's entity types.
var types = map[markdown.Kind]string{
	markdown.Bold: "bold", markdown.Italic: "italic", markdown.Strike: "strikethrough", markdown.Underline: "underline",
	markdown.Spoiler: "spoiler", markdown.Code: "code", markdown.Pre: "pre", markdown.Link: "text_link",
	markdown.Quote: "blockquote",
}

// kinds is the inverse of types.
var kinds = func() map[string]markdown.Kind {
	kinds := map[string]markdown.Kind{"expandable_blockquote": markdown.Quote}
	for kind, name := range types {
		kinds[name] = kind
	}
	return kinds
}()

// format converts md to text and entities. No marks are left for Telegram to parse, so it cannot reject text because of
// them.
func format(md string) (text string, entities []tgbotapi.MessageEntity) {
	doc := restrict(markdown.Shown(md))
	at := offsets(doc.Text)
	for _, s := range doc.Spans {
		e := tgbotapi.MessageEntity{Type: types[s.Kind], Offset: at[s.Start], Length: at[s.End] - at[s.Start]}
		if s.Kind == markdown.Pre {
			e.Language = s.Info
		}
		entities = append(entities, e)
	}
	return doc.Text, entities
}

// offsets returns, for each byte of text and its end, the number of UTF-16 units before it.
func offsets(text string) []int {
	at, units := make([]int, len(text)+1), 0
	for i, r := range text {
		for j := range utf8.RuneLen(r) {
			at[i+j] = units
		}
		units += utf16.RuneLen(r)
	}
	at[len(text)] = units
	return at
}

// restrict keeps the spans Telegram allows, according to "formatting options" in the Bot API: code contains no other
// entities and is only inside quotes, quotes contain no quotes. Headings become bold.
func restrict(doc markdown.Document) markdown.Document {
	var spans, code []markdown.Span
	quote := markdown.Span{}
	for _, s := range doc.Spans {
		switch s.Kind {
		case markdown.Bullet:
			continue
		case markdown.Heading:
			s.Kind = markdown.Bold
		case markdown.Quote:
			if s.Start < quote.End {
				continue
			}
			quote = s
		case markdown.Code, markdown.Pre:
			code = append(code, s)
		}
		spans = append(spans, s)
	}
	return markdown.Document{Text: doc.Text, Spans: splitAround(spans, code)}.Normalize()
}

// splitAround splits the spans that contain code, except quotes, around it.
func splitAround(spans, code []markdown.Span) []markdown.Span {
	var cut []markdown.Span
	for _, s := range spans {
		if s.Kind == markdown.Quote || s.Kind == markdown.Code || s.Kind == markdown.Pre {
			cut = append(cut, s)
			continue
		}
		first, _ := slices.BinarySearchFunc(code, s.Start, func(c markdown.Span, p int) int { return c.Start - p })
		for _, c := range code[first:] {
			if c.Start >= s.End {
				break
			}
			cut = append(cut, markdown.Span{Start: s.Start, End: c.Start, Kind: s.Kind, Info: s.Info})
			s.Start = c.End
		}
		cut = append(cut, s)
	}
	return cut
}

// toMarkdown converts text with entities to Markdown. Entities without formatting, such as mentions, stay text; text
// without formatting is unchanged.
func toMarkdown(text string, entities []tgbotapi.MessageEntity) string {
	doc := markdown.Document{Text: strings.ToValidUTF8(text, string(utf8.RuneError))}
	var at []int
	for _, e := range entities {
		kind, ok := kinds[e.Type]
		if !ok {
			continue
		}
		if at == nil {
			at = offsets(doc.Text)
		}
		s := markdown.Span{Start: byteAt(at, e.Offset), End: byteAt(at, e.Offset+max(0, e.Length)), Kind: kind}
		switch kind {
		case markdown.Link:
			s.Info = e.URL
		case markdown.Pre:
			s.Info = e.Language
		}
		doc.Spans = append(doc.Spans, s)
	}
	if doc = doc.Normalize(); len(doc.Spans) == 0 {
		return text
	}
	return doc.Markdown()
}

// byteAt returns the first byte with unit units before it, or the next one if that is inside a character.
func byteAt(at []int, unit int) int {
	i, _ := slices.BinarySearch(at, unit)
	return min(i, len(at)-1)
}
