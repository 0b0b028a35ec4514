package telegram

import (
	"encoding/json"
	"strconv"
	"testing"
	"time"
	"unicode/utf8"

	"familiar/channels"
)

func id10(n int) string { return strconv.Itoa(n) }

// read converts an update from its wire form.
func read(t *testing.T, wire string) (channels.Message, bool) {
	t.Helper()
	var u update
	if err := json.Unmarshal([]byte(wire), &u); err != nil {
		t.Fatal(err)
	}
	h, ok := convert(u, identity{ID: 7000, Username: "familiar_bot", commands: map[string]bool{"memory": true}}, time.Unix(1700000100, 0))
	if len(h.files) != len(h.Attachments) {
		t.Errorf("%d files for %d attachments", len(h.files), len(h.Attachments))
	}
	return h.Message, ok
}

func message9(fields string) string {
	return `{"update_id":5,"message":{"message_id":9,"date":1700000000,` + fields + `}}`
}

const (
	inGroup   = `"chat":{"id":-100200,"type":"supergroup","title":"Garden"},`
	inPrivate = `"chat":{"id":42,"type":"private","first_name":"Ann"},`
	fromAnn   = `"from":{"id":42,"first_name":"Ann","last_name":"Lee"},`
)

func TestT8Addressees(t *testing.T) {
	for name, c := range map[string]struct {
		fields string
		want   bool
	}{
		"nobody":                {`"text":"hi"`, false},
		"after an emoji":        {`"text":"😀 @familiar_bot hi","entities":[{"type":"mention","offset":3,"length":13}]`, true},
		"in capitals":           {`"text":"@Familiar_Bot hi","entities":[{"type":"mention","offset":0,"length":13}]`, true},
		"another":               {`"text":"😀 @familiar_bob hi","entities":[{"type":"mention","offset":3,"length":13}]`, false},
		"no entity":             {`"text":"mail me at x@familiar_bot"`, false},
		"by id":                 {`"text":"Familiar, hi","entities":[{"type":"text_mention","offset":0,"length":8,"user":{"id":7000}}]`, true},
		"another by id":         {`"text":"Familiar, hi","entities":[{"type":"text_mention","offset":0,"length":8,"user":{"id":1}}]`, false},
		"command with the name": {`"text":"/why@familiar_bot","entities":[{"type":"bot_command","offset":0,"length":17}]`, true},
		"command of another":    {`"text":"/why@other_bot","entities":[{"type":"bot_command","offset":0,"length":14}]`, false},
		"a command it has":      {`"text":"/memory","entities":[{"type":"bot_command","offset":0,"length":7}]`, true},
		"a command it has not":  {`"text":"/ban","entities":[{"type":"bot_command","offset":0,"length":4}]`, false},
		"a reply":               {`"text":"yes","reply_to_message":{"message_id":3,"from":{"id":7000,"is_bot":true}}`, true},
		"a reply to another":    {`"text":"yes","reply_to_message":{"message_id":3,"from":{"id":8}}`, false},
		"a caption":             {`"photo":[{"file_id":"p"}],"caption":"@familiar_bot look","caption_entities":[{"type":"mention","offset":0,"length":13}]`, true},
		"outside of the text":   {`"text":"hi","entities":[{"type":"mention","offset":1,"length":50}]`, false},
		"a topic the bot made": {
			`"text":"hi","message_thread_id":3,"is_topic_message":true,"reply_to_message":{"message_id":3,"from":{"id":7000}}`, false,
		},
	} {
		m, ok := read(t, message9(inGroup+fromAnn+c.fields))
		if !ok || m.Addressed != c.want || m.Direct {
			t.Errorf("%s: addressed %v, want %v (%+v)", name, m.Addressed, c.want, m)
		}
	}
}

func TestT7TopicsAreRoomsAndThreadsOfRepliesAreNot(t *testing.T) {
	for fields, want := range map[string]channels.Room{
		`"text":"hi"`:                        {Channel: "telegram", ID: "-100200"},
		`"text":"hi","message_thread_id":77`: {Channel: "telegram", ID: "-100200"},
		`"text":"hi","message_thread_id":77,"is_topic_message":true`: {Channel: "telegram", ID: "-100200", Thread: "77"},
	} {
		m, ok := read(t, message9(inGroup+fromAnn+fields))
		if !ok || m.Room != want {
			t.Errorf("%s: %+v, want %+v", fields, m.Room, want)
		}
	}
}

func TestT8TheNameIsRemovedFromACommand(t *testing.T) {
	m, _ := read(t, message9(inGroup+fromAnn+
		`"text":"/memory@Familiar_bot dogs","entities":[{"type":"bot_command","offset":0,"length":20}]`))
	equal(t, "text", m.Text, "/memory dogs")
}

func TestT8ThePersonasNameIsRemovedFromTheMessage(t *testing.T) {
	for fields, want := range map[string]string{
		`"text":"@Familiar_bot, what is *bold*?","entities":[{"type":"mention","offset":0,"length":13},{"type":"italic","offset":15,"length":4}]`: "_what_ is *bold*?",
		`"text":"@familiar_bot","entities":[{"type":"mention","offset":0,"length":13}]`:                                                           "@familiar_bot",
		`"text":"@familiar_bob hi","entities":[{"type":"mention","offset":0,"length":13}]`:                                                        "@familiar_bob hi",
		`"text":"hi @familiar_bot","entities":[{"type":"mention","offset":3,"length":13}]`:                                                        "hi @familiar_bot",
		`"text":"@familiar_bot /why","entities":[{"type":"mention","offset":0,"length":13},{"type":"bot_command","offset":14,"length":4}]`:        "/why",
	} {
		m, _ := read(t, message9(inGroup+fromAnn+fields))
		equal(t, fields, m.Text, want)
	}
}

func TestADirectMessageIsAddressed(t *testing.T) {
	m, ok := read(t, message9(inPrivate+fromAnn+`"text":"hi"`))
	if !ok || !m.Direct || !m.Addressed || m.RoomTitle != "" || m.ID != "9" || m.Author.Name != "Ann Lee" ||
		m.Author.Handle != (channels.Handle{Channel: "telegram", ID: "42"}) || m.At.Unix() != 1700000000 {
		t.Errorf("%+v", m)
	}
}

func TestOpeningAPrivateChatIsAnArrival(t *testing.T) {
	m, ok := read(t, message9(inPrivate+fromAnn+`"text":"/start"`))
	if !ok || !m.Arrival || m.Text != "" {
		t.Errorf("%+v", m)
	}
	m, ok = read(t, message9(inPrivate+fromAnn+`"text":"/start ABCD1234"`))
	if !ok || m.Arrival || m.Text != "/start ABCD1234" {
		t.Errorf("%+v", m)
	}
}

func TestA3OwnMessagesAreIgnoredAndBotsAreMarked(t *testing.T) {
	if m, ok := read(t, message9(inGroup+`"from":{"id":7000,"is_bot":true,"first_name":"Familiar"},"text":"me"`)); ok {
		t.Errorf("received itself: %+v", m)
	}
	m, ok := read(t, message9(inGroup+`"from":{"id":8,"is_bot":true,"first_name":"Other"},"text":"beep"`))
	if !ok || !m.Author.Bot {
		t.Errorf("%+v", m)
	}
}

func TestAnAnonymousAuthorIsTheChat(t *testing.T) {
	m, ok := read(t, message9(inGroup+`"from":{"id":1087968824,"is_bot":true,"first_name":"Group"},`+
		`"sender_chat":{"id":-100200,"type":"supergroup","title":"Garden"},"text":"hello all"`))
	if !ok || m.Author.Bot || m.Author.Handle.ID != "-100200" || m.Author.Name != "Garden" {
		t.Errorf("%+v", m.Author)
	}
}

func TestA12AnEditNamesWhatItChanges(t *testing.T) {
	m, ok := read(t, `{"update_id":5,"edited_message":{"message_id":9,"date":1,"edit_date":2,`+inPrivate+fromAnn+`"text":"better"}}`)
	equal(t, "edit", []string{string(m.Action), m.TargetID, m.Text, m.ID}, []string{"edits", "9", "better", "9~5"})
	equal(t, "when", m.At.Unix(), int64(2))
	equal(t, "received", ok, true)
}

// TestLiveLocationUpdatesAreNoEdits shares a live location, which Telegram updates every few seconds for hours.
func TestLiveLocationUpdatesAreNoEdits(t *testing.T) {
	if m, ok := read(t, `{"update_id":5,"edited_message":{"message_id":9,"date":1,"edit_date":2,`+inPrivate+fromAnn+
		`"location":{"latitude":52.5,"longitude":13.25,"live_period":900}}}`); ok {
		t.Errorf("received %+v", m)
	}
}

func TestReactionsAreReceived(t *testing.T) {
	for _, c := range []struct{ before, now, want string }{
		{`[]`, `[{"type":"emoji","emoji":"👍"}]`, "👍"},
		{`[{"type":"emoji","emoji":"👍"}]`, `[]`, ""},
		{`[{"type":"emoji","emoji":"👍"}]`, `[{"type":"emoji","emoji":"👍"},{"type":"emoji","emoji":"🔥"}]`, "🔥"},
		{`[{"type":"emoji","emoji":"👍"},{"type":"emoji","emoji":"🔥"}]`, `[{"type":"emoji","emoji":"👍"}]`, "👍"},
		{`[]`, `[{"type":"custom_emoji","custom_emoji_id":"5"}]`, "✨"},
	} {
		m, ok := read(t, `{"update_id":5,"message_reaction":{"message_id":9,"date":1,`+inPrivate+
			`"user":{"id":42,"first_name":"Ann"},"old_reaction":`+c.before+`,"new_reaction":`+c.now+`}}`)
		if !ok || m.Action != channels.React || m.TargetID != "9" || m.Text != c.want || m.Author.Handle.ID != "42" || m.Addressed {
			t.Errorf("%s to %s: %+v", c.before, c.now, m)
		}
	}
}

func TestA15EveryKindIsReceived(t *testing.T) {
	for fields, want := range map[string]string{
		`"voice":{"file_id":"v","file_size":7}`:                                                 "[voice]",
		`"audio":{"file_id":"a","title":"Blue"}`:                                                "[audio: Blue]",
		`"photo":[{"file_id":"a"},{"file_id":"b"}],"caption":"a dog"`:                           "a dog [image]",
		`"sticker":{"file_id":"s","emoji":"🐱"}`:                                                 "[sticker: 🐱]",
		`"document":{"file_id":"d","file_name":"tax.pdf"}`:                                      "[file: tax.pdf]",
		`"animation":{"file_id":"g"},"document":{"file_id":"g"}`:                                "[animation]",
		`"video":{"file_id":"v"}`:                                                               "[video]",
		`"video_note":{"file_id":"v"}`:                                                          "[video]",
		`"contact":{"phone_number":"1","first_name":"Bo"}`:                                      "[contact: Bo]",
		`"location":{"latitude":52.5,"longitude":13.25}`:                                        "[location: 52.50000, 13.25000]",
		`"venue":{"location":{},"title":"Zoo","address":"Road 1"},"location":{"latitude":52.5}`: "[place: Zoo, Road 1]",
		`"poll":{"id":"1","question":"Tea?"}`:                                                   "[poll: Tea?]",
		`"dice":{"emoji":"🎲","value":4}`:                                                        "[dice: 🎲 4]",
		`"story":{"id":1}`:                                                                      "[story]",
		`"hologram_message":{"depth":3}`:                                                        "[hologram message]",
	} {
		m, ok := read(t, message9(inPrivate+fromAnn+fields))
		if !ok || m.FullText() != want {
			t.Errorf("%s: %q, want %q", fields, m.FullText(), want)
		}
	}
}

func TestServiceMessagesAreIgnored(t *testing.T) {
	for _, fields := range []string{
		`"new_chat_title":"Yard"`, `"new_chat_members":[{"id":1,"first_name":"Bo"}]`, `"migrate_from_chat_id":-5`,
		`"forum_topic_created":{"name":"Pond","icon_color":1},"message_thread_id":77,"is_topic_message":true`,
	} {
		if m, ok := read(t, message9(inGroup+fromAnn+fields)); ok {
			t.Errorf("%s: received %+v", fields, m)
		}
	}
}

// FuzzA15Updates checks that any update is handled or skipped without a panic.
func FuzzA15Updates(f *testing.F) {
	f.Add([]byte(`{"update_id": 1, "message": {"message_id": 2, "date": 3, "chat": {"id": -4, "type": "supergroup"}, "from": {"id": 5},
		"text": "/help@nell_bot 😀 @nell_bot", "entities": [{"type": "bot_command", "offset": 0, "length": 14}, {"type": "mention", "offset": 18, "length": 9}],
		"reply_to_message": {"message_id": 1}, "media_group_id": "6", "photo": [{"file_id": "7", "file_size": 8}]}}`))
	f.Add([]byte(`{"update_id": 1, "edited_message": {"chat": {"id": 4, "type": "private"}, "caption": "a", "caption_entities": [{"offset": 1, "length": 9223372036854775807, "type": "bold"}]}}`))
	f.Add([]byte(`{"update_id": 1, "callback_query": {"id": "2", "message": {"chat": {"id": 3}}, "data": "reply-1/y"}}`))
	f.Add([]byte(`{"update_id": 1, "message_reaction": {"chat": {"id": 2}, "user": {"id": 3}, "new_reaction": [{"type": "emoji", "emoji": "👍"}]}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var u update
		if json.Unmarshal(raw, &u) != nil {
			return
		}
		self := identity{ID: 9, Username: "nell_bot", commands: map[string]bool{"help": true}}
		for _, h := range deliveries([]update{u, u}, self, time.Unix(0, 0)) {
			if !utf8.ValidString(h.Text) {
				t.Errorf("%q is received", h.Text)
			}
		}
	})
}
