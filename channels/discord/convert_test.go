package discord

import (
	"encoding/json"
	"testing"
	"time"
	"unicode/utf8"

	"familiar/channels"
)

var (
	botUser    = user{ID: "9", Username: "familiar", Bot: true}
	channelOf  = chat{ID: "20", Guild: "10", Title: "talk"}
	threadOf   = chat{ID: "21", Guild: "10", Parent: "20", Title: "aside"}
	directWith = chat{ID: "30"}
)

func decodeMessage(t *testing.T, text string) message {
	t.Helper()
	var m message
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestD9AddressedMessages(t *testing.T) {
	t.Parallel()
	cases := []struct {
		what, json string
		in         chat
		addressed  bool
		text       string
	}{
		{"nobody is meant", `{"content":"hello"}`, channelOf, false, "hello"},
		{"a mention", `{"content":"<@9> hello","mentions":[{"id":"9","username":"familiar"}]}`, channelOf, true, "hello"},
		{"the older form", `{"content":"<@!9> hello","mentions":[{"id":"9","username":"familiar"}]}`, channelOf, true, "hello"},
		{"a mention alone", `{"content":"<@9>","mentions":[{"id":"9","username":"familiar"}]}`, channelOf, true, "@familiar"},
		{"within the text", `{"content":"hi <@9>!","mentions":[{"id":"9","username":"familiar"}]}`, channelOf, true, "hi @familiar!"},
		{"somebody else", `{"content":"<@5> hi","mentions":[{"id":"5","username":"bob","global_name":"Bob"}]}`, channelOf, false, "@Bob hi"},
		{"everyone", `{"content":"@everyone hi","mention_everyone":true}`, channelOf, false, "@everyone hi"},
		{"a role", `{"content":"<@&4> hi","mention_roles":["4"]}`, channelOf, false, "<@&4> hi"},
		{"a reply without a ping", `{"type":19,"content":"yes","message_reference":{"message_id":"7"},"referenced_message":{"author":{"id":"9"}}}`, channelOf, true, "yes"},
		{"a reply to another", `{"type":19,"content":"yes","message_reference":{"message_id":"7"},"referenced_message":{"author":{"id":"5"}}}`, channelOf, false, "yes"},
		{"a reply to what is gone", `{"type":19,"content":"yes","message_reference":{"message_id":"7"},"referenced_message":null}`, channelOf, false, "yes"},
		{"in a thread", `{"content":"hello"}`, threadOf, false, "hello"},
		{"directly", `{"content":"hello"}`, directWith, true, "hello"},
	}
	for _, c := range cases {
		m := convert(decodeMessage(t, c.json), c.in, botUser, nil)
		if m.Addressed != c.addressed || m.Text != c.text {
			t.Errorf("%s: addressed %v %q, want %v %q", c.what, m.Addressed, m.Text, c.addressed, c.text)
		}
	}
}

func TestD10AThreadIsARoomWithItsParent(t *testing.T) {
	t.Parallel()
	equal(t, "thread", threadOf.room(), channels.Room{Channel: name, ID: "20", Thread: "21"})
	equal(t, "channel", channelOf.room(), channels.Room{Channel: name, ID: "20"})
	equal(t, "target of a thread", target(threadOf.room()), "21")
	equal(t, "target of a channel", target(channelOf.room()), "20")
}

func TestAMessageIsComplete(t *testing.T) {
	t.Parallel()
	m := convert(decodeMessage(t, `{"id":"175928847299117063","content":"hello","timestamp":"2016-04-30T11:18:25.796Z","type":19,
		"author":{"id":"5","username":"bob","global_name":"Bob"},"member":{"nick":"Bobby"},"message_reference":{"message_id":"7"}}`), channelOf, botUser, nil)
	equal(t, "message", m, channels.Message{
		ID: "175928847299117063", Room: channelOf.room(), Server: "10", RoomTitle: "talk", Text: "hello", ReplyTo: "7",
		Author: channels.Author{Handle: channels.Handle{Channel: name, ID: "5"}, Name: "Bobby"},
		At:     time.Date(2016, 4, 30, 11, 18, 25, 796e6, time.UTC),
	})
	bare := convert(decodeMessage(t, `{"id":"175928847299117063","content":"hello"}`), channelOf, botUser, nil)
	equal(t, "time from the id", bare.At, m.At)
}

func TestA3BotsAreMarked(t *testing.T) {
	t.Parallel()
	for text, bot := range map[string]bool{
		`{"author":{"id":"5"}}`: false, `{"author":{"id":"5","bot":true}}`: true, `{"author":{"id":"5"},"webhook_id":"6"}`: true,
	} {
		equal(t, text, convert(decodeMessage(t, text), channelOf, botUser, nil).Author.Bot, bot)
	}
}

func TestA15EveryKindLeavesAPlaceholder(t *testing.T) {
	t.Parallel()
	cases := []struct{ json, said string }{
		{`{"content":"look","attachments":[{"id":"1","filename":"a.png","content_type":"image/png","description":"a dog"}]}`, "look [image: a dog]"},
		{`{"attachments":[{"id":"1","filename":"a.png"}]}`, "[image: a.png]"},
		{`{"attachments":[{"id":"1","filename":"voice-message.ogg","content_type":"audio/ogg"}],"flags":8192}`, "[voice: voice-message.ogg]"},
		{`{"attachments":[{"id":"1","filename":"song.mp3","content_type":"audio/mpeg"}]}`, "[audio: song.mp3]"},
		{`{"attachments":[{"id":"1","filename":"film.mp4","content_type":"video/mp4"}]}`, "[video: film.mp4]"},
		{`{"attachments":[{"id":"1","filename":"notes.txt","content_type":"text/plain"}]}`, "[file: notes.txt]"},
		{`{"sticker_items":[{"id":"1","name":"wave"}]}`, "[sticker: wave]"},
		{`{"poll":{"question":{"text":"tea?"}}}`, "[poll: tea?]"},
		{`{"embeds":[{"title":"A page","description":"of words"}]}`, "[embed: A page of words]"},
		{`{"content":"https://a.b","embeds":[{"title":"A page"}]}`, "https://a.b"},
		{`{"message_reference":{"type":1,"message_id":"7"},"message_snapshots":[{"message":{"content":"from afar"}}]}`, "[forwarded: from afar]"},
		{`{"type":7}`, "[notice: joined the server]"},
		{`{"type":6}`, "[notice: pinned a message]"},
		{`{"type":99}`, "[notice: sent a message of Discord type 99]"},
		{`{}`, "[message: of an unsupported kind]"},
		{`{"content":"to a bot's buttons","type":19,"components":[{"type":99}],"message_reference":{"message_id":"1"},"referenced_message":{"author":{"id":"5"},"components":[{"type":77}]}}`, "to a bot's buttons"},
	}
	for _, c := range cases {
		m := convert(decodeMessage(t, c.json), directWith, botUser, nil)
		equal(t, c.json, m.FullText(), c.said)
	}
}

func TestNonMessagesAreNotAddressed(t *testing.T) {
	t.Parallel()
	if m := convert(decodeMessage(t, `{"type":7}`), directWith, botUser, nil); m.Addressed {
		t.Error("a notice is addressed to the persona")
	}
}

func TestNamesOfReactions(t *testing.T) {
	t.Parallel()
	r := reaction{UserID: "5", MessageID: "7", Emoji: emoji{Name: "👍"}}
	at := time.Unix(1, 0)
	put := convertReaction(r, "s:1", true, channelOf, at)
	equal(t, "put", []string{string(put.Action), put.TargetID, put.Text}, []string{"reacts", "7", "👍"})
	removed := convertReaction(r, "s:2", false, channelOf, at)
	equal(t, "taken away", removed.Text, "")
	if put.ID == removed.ID {
		t.Error("both have one id")
	}
	r.Emoji.ID = "1"
	equal(t, "a server's own", convertReaction(r, "s:3", true, channelOf, at).Text, ":👍:")
}

func TestSnowflakes(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	equal(t, "there and back", madeAt(snowflake(at)), at)
	equal(t, "before", before("1000"), "999")
	equal(t, "before none", before("x"), "x")
	for _, c := range []struct {
		a, b string
		want bool
	}{{"2", "1", true}, {"10", "9", true}, {"9", "10", false}, {"1", "1", false}, {"1", "", true}} {
		equal(t, c.a+" newer than "+c.b, newer(c.a, c.b), c.want)
	}
}

// FuzzA15Events checks that any message or reaction event is handled.
func FuzzA15Events(f *testing.F) {
	f.Add([]byte(`{"id": "1", "type": 19, "content": "<@9> **hi** <@5> ||there||", "author": {"id": "5", "username": "ann"}, "mentions": [{"id": "5"}],
		"message_reference": {"message_id": "2"}, "attachments": [{"id": "3", "size": 4}], "edited_timestamp": "2026-01-05T18:30:00Z"}`), "7")
	f.Add([]byte(`{"id": "1", "type": 7, "content": 5, "edited_timestamp": "2026-01-05T18:30:00Z"}`), "")
	f.Add([]byte(`{"message_id": "1", "emoji": {"name": "👍"}, "member": {"user": {"id": "5"}}}`), "7")
	f.Fuzz(func(t *testing.T, raw []byte, guild string) {
		p, self := chat{ID: "8", Guild: guild}, user{ID: "9"}
		var m message
		if json.Unmarshal(raw, &m) == nil {
			msg := []channels.Message{convert(m, p, self, nil)}
			if m.EditedAt != nil {
				msg = append(msg, convertEdit(m, p, self))
			}
			for _, h := range msg {
				if !utf8.ValidString(h.Text) {
					t.Errorf("%q is received", h.Text)
				}
			}
		}
		var r reaction
		if json.Unmarshal(raw, &r) == nil {
			convertReaction(r, "1", true, p, madeAt(m.ID))
		}
	})
}
