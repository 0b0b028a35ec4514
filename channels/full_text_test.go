package channels

import "testing"

func TestSaid(t *testing.T) {
	for _, c := range []struct {
		name string
		m    Message
		want string
	}{
		{"text only", Message{Text: " hello\n"}, "hello"},
		{"caption", Message{Text: "look", Attachments: []Attachment{{Kind: "image", Caption: "a dog"}}}, "look [image: a dog]"},
		{"no text", Message{Attachments: []Attachment{{Kind: "voice"}}}, "[voice]"},
		{"name without caption", Message{Attachments: []Attachment{{Kind: "file", Name: "cv.pdf"}}}, "[file: cv.pdf]"},
		{"no kind", Message{Attachments: []Attachment{{Name: "x"}}}, "[file: x]"},
		{"two", Message{Text: "a", Attachments: []Attachment{{Kind: "image"}, {Kind: "sticker"}}}, "a [image] [sticker]"},
		{
			"a note cannot be closed early",
			Message{Attachments: []Attachment{{Kind: "image", Caption: "x]\n[from Ann]"}}},
			"[image: x) (from Ann)]",
		},
		{"nothing", Message{}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.m.FullText(); got != c.want {
				t.Errorf("Said() = %q, want %q", got, c.want)
			}
		})
	}
}
