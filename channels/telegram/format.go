package telegram

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"familiar/channels/markdown"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

// types are Telegram's names of what it can show.
var types = map[markdown.Kind]string{
	markdown.Bold: "bold", markdown.Italic: "italic", markdown.Strike: "strikethrough", markdown.Underline: "underline",
	markdown.Spoiler: "spoiler", markdown.Code: "code", markdown.Pre: "pre", markdown.Link: "text_link",
	markdown.Quote: "blockquote",
}

// kinds is types the other way.
var kinds = func() map[string]markdown.Kind {
	kinds := map[string]markdown.Kind{"expandable_blockquote": markdown.Quote}
	for kind, name := range types {
		kinds[name] = kind
	}
	return kinds
}()

// format makes of md the text Telegram shows and the entities that give it form. No mark is left for Telegram to parse,
// so that no text can be refused for its marks.
func format(md string) (text string, entities []tgbotapi.MessageEntity) {
	doc := allowed(spelled(markdown.Parse(md)))
	at := offsets(doc.Text)
	for _, s := range doc.Spans {
		e := tgbotapi.MessageEntity{Type: types[s.Kind], Offset: at[s.Start], Length: at[s.End] - at[s.Start]}
		switch s.Kind {
		case markdown.Link:
			e.URL = s.Info
		case markdown.Pre:
			e.Language = s.Info
		}
		entities = append(entities, e)
	}
	return doc.Text, entities
}

// offsets is for each byte of text, and its end, how many UTF-16 units come before it.
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

// spelled writes the targets of links behind them that Telegram does not link to, such as the path of a file.
func spelled(doc markdown.Document) markdown.Document {
	var text strings.Builder
	var links []markdown.Span
	for _, s := range doc.Spans {
		if s.Kind == markdown.Link && !linkable(s.Info) && s.Info != "" && s.Info != doc.Text[s.Start:s.End] {
			links = append(links, s)
		}
	}
	at := 0
	for _, l := range links {
		text.WriteString(doc.Text[at:l.End] + " (" + l.Info + ")")
		at = l.End
	}
	text.WriteString(doc.Text[at:])
	moved := func(p int, end bool) int {
		by := 0
		for _, l := range links {
			if l.End < p || l.End == p && !end {
				by += len(l.Info) + len(" ()")
			}
		}
		return p + by
	}
	spans := make([]markdown.Span, len(doc.Spans))
	for i, s := range doc.Spans {
		spans[i] = markdown.Span{Start: moved(s.Start, false), End: moved(s.End, true), Kind: s.Kind, Info: s.Info}
	}
	return markdown.Document{Text: text.String(), Spans: spans}
}

// linkable says that Telegram lets words link to target.
func linkable(target string) bool {
	u, err := url.Parse(target)
	if err != nil {
		return false
	}
	switch u.Scheme {
	case "http", "https":
		return strings.Contains(u.Host, ".")
	case "tg", "mailto", "tel", "ton":
		return true
	}
	return false
}

// allowed gives doc the spans Telegram allows, by the rules of formatting options in its Bot API: code holds nothing and
// is in nothing but a quote, quotes hold no quotes. Headings become bold.
func allowed(doc markdown.Document) markdown.Document {
	var spans, code []markdown.Span
	link, quote := markdown.Span{}, markdown.Span{}
	for _, s := range doc.Spans {
		switch s.Kind {
		case markdown.Bullet:
			continue
		case markdown.Heading:
			s.Kind = markdown.Bold
		case markdown.Link:
			if !linkable(s.Info) {
				continue
			}
			link = s
		case markdown.Quote:
			if s.Start < quote.End {
				continue
			}
			quote = s
		case markdown.Code, markdown.Pre:
			if s.Start < link.End {
				continue
			}
			code = append(code, s)
		}
		spans = append(spans, s)
	}
	return markdown.Document{Text: doc.Text, Spans: apart(spans, code)}.Tidy()
}

// apart cuts the spans that hold code, quotes aside, around it.
func apart(spans, code []markdown.Span) []markdown.Span {
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

// unformat makes Markdown of a text and its entities. Entities without form, such as mentions, stay text, and a text
// without form stays as it is.
func unformat(text string, entities []tgbotapi.MessageEntity) string {
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
	if doc = doc.Tidy(); len(doc.Spans) == 0 {
		return text
	}
	return doc.Markdown()
}

// byteAt is the first byte that has unit units before it, or more where that is inside of a character.
func byteAt(at []int, unit int) int {
	i, _ := slices.BinarySearch(at, unit)
	return min(i, len(at)-1)
}
