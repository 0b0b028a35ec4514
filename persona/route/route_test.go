package route

import (
	"slices"
	"testing"

	"familiar/channels"
)

// cast has an owner for everything else, a persona with a server and a channel, one with a room and a thread, and one that
// only comes when called.
var cast = Router{Default: "nell", Personas: []Persona{
	{Key: "nell", Name: "Nell Harrow"},
	{Key: "mira", Name: "Mira", Servers: []string{"discord/s1"}, Channels: []string{"telegram"}, Mentions: true, Selectable: true},
	{Key: "otto", Name: "Otto", Rooms: []string{"telegram/-100", "discord/c9/t1"}},
	{Key: "zoe", Name: "Zoë Šimić", Mentions: true},
}}

func in(channel, id, thread, server string) channels.Message {
	return channels.Message{Room: channels.Room{Channel: channel, ID: id, Thread: thread}, Server: server}
}

func TestTheNarrowestClaimOwnsARoom(t *testing.T) {
	for _, c := range []struct {
		name string
		m    channels.Message
		want string
	}{
		{"no claim", in("whatsapp", "g1", "", ""), "nell"},
		{"the channel", in("telegram", "42", "", ""), "mira"},
		{"a room of that channel", in("telegram", "-100", "", ""), "otto"},
		{"any thread of the room", in("telegram", "-100", "7", ""), "otto"},
		{"the server", in("discord", "c1", "", "s1"), "mira"},
		{"another server", in("discord", "c1", "", "s2"), "nell"},
		{"a server's id on another network", in("webhook", "c1", "", "s1"), "nell"},
		{"a thread before its server", in("discord", "c9", "t1", "s1"), "otto"},
		{"the room of that thread", in("discord", "c9", "", "s1"), "mira"},
		{"a room whose id only begins alike", in("telegram", "-1001", "", ""), "mira"},
	} {
		if got := cast.Owner(c.m); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestRoute(t *testing.T) {
	group := in("whatsapp", "g1", "", "")
	for _, c := range []struct {
		name              string
		text              string
		addressed, direct bool
		chosen, replies   string
		want              string
		hears             []string
	}{
		{name: "talk among people", text: "lunch?", want: "nell", hears: []string{"mira", "zoe"}},
		{name: "the account is mentioned", text: "what now?", addressed: true, want: "nell", hears: []string{"mira", "zoe"}},
		{name: "called at the beginning", text: "Mira, what now?", want: "mira", hears: []string{"nell", "zoe"}},
		{name: "called with the account mentioned", text: "mira what now?", addressed: true, want: "mira", hears: []string{"nell", "zoe"}},
		{name: "called at the end", text: "what now, Zoë?", want: "zoe", hears: []string{"nell", "mira"}},
		{name: "spoken of", text: "I told Mira about it", addressed: true, want: "nell", hears: []string{"mira", "zoe"}},
		{name: "a reply to one", text: "really?", addressed: true, replies: "zoe", want: "zoe", hears: []string{"nell", "mira"}},
		{name: "a reply to one that calls another", text: "Mira, is that so?", addressed: true, replies: "zoe", want: "mira", hears: []string{"nell", "zoe"}},
		{name: "a reply to one who is not here", text: "really?", addressed: true, replies: "otto", want: "nell", hears: []string{"mira", "zoe"}},
		{name: "two are called", text: "Zoë, ask her: Mira, what now?", want: "zoe", hears: []string{"nell", "mira"}},
		{name: "only those with mentions come", text: "Otto, what now?", addressed: true, want: "nell", hears: []string{"mira", "zoe"}},
		{name: "a direct room has one persona", text: "Mira, hello", addressed: true, direct: true, want: "nell"},
		{name: "the chosen one", text: "hello", addressed: true, direct: true, chosen: "mira", want: "mira"},
		{name: "a chosen one who is gone", text: "hello", addressed: true, direct: true, chosen: "gone", want: "nell"},
	} {
		m := group
		m.Text, m.Addressed, m.Direct = c.text, c.addressed, c.direct
		got := cast.Route(Facts{Message: m, Chosen: c.chosen, RepliesTo: c.replies})
		if got.For != c.want || !slices.Equal(got.Hears, c.hears) {
			t.Errorf("%s: got %+v, want %s, heard by %v", c.name, got, c.want, c.hears)
		}
	}
}

// TestACommonWordIsNoName checks that an ordinary word that begins a persona's name does not call it.
func TestACommonWordIsNoName(t *testing.T) {
	r := Router{Default: "nell", Personas: []Persona{
		{Key: "nell", Name: "Nell Harrow"},
		{Key: "seer", Name: "The Oracle", Mentions: true},
		{Key: "gm", Name: "Good Mira", Mentions: true},
		{Key: "all", Name: "The One", Mentions: true},
	}}
	for text, want := range map[string]string{
		"The weather is nice": "nell", "Hey, the weather is nice": "nell", "Good morning": "nell", "Good, then": "nell",
		"One, two": "nell", "Oracle, what now?": "seer", "The Oracle, what now?": "seer", "seer, what now?": "seer", "what now, Mira?": "gm", "Good Mira, hello": "gm", "The One, hello": "all",
	} {
		for _, addressed := range []bool{false, true} {
			m := in("whatsapp", "g1", "", "")
			m.Text, m.Addressed = text, addressed
			if got := r.Route(Facts{Message: m}).For; got != want {
				t.Errorf("%q, addressed %v: for %s, want %s", text, addressed, got, want)
			}
		}
	}
}

func TestAForcedPersonaIsAlone(t *testing.T) {
	alone := cast
	alone.Forced = "mira"
	m := in("whatsapp", "g1", "", "")
	m.Text = "Zoë, hello"
	if got := alone.Route(Facts{Message: m, Chosen: "nell"}); got.For != "mira" || len(got.Hears) != 0 {
		t.Errorf("got %+v", got)
	}
	if got := alone.Choices(m); !slices.Equal(got, []string{"mira"}) {
		t.Errorf("choices %v", got)
	}
}

func TestACallAddresses(t *testing.T) {
	for text, want := range map[string]bool{
		"Mira, are you there?": true, "mira: hi": true, "Hey Mira how are you": true, "good morning Mira": true, "@mira what now": true,
		"MIRA!": true, "Mira": true, "what do you think, Mira?": true, "so, Mira, tell us": true, "Zoë – look": true, "Šimić": false,
		"Mira said so yesterday": false, "I met Mira": false, "Mira's bar is open": false, "Mirabel, come": false, "admira, no": false,
		"Otto, come": false, "": false, "nell, come": false,
	} {
		m := in("whatsapp", "g1", "", "")
		m.Text = text
		if got := cast.Call(m).Addressed; got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
	bot := in("whatsapp", "g1", "", "")
	bot.Text, bot.Author.Bot = "Mira, hello", true
	if cast.Call(bot).Addressed {
		t.Error("a bot calls a persona by name")
	}
}

func FuzzCall(f *testing.F) {
	for _, text := range []string{"Mira, hello", "İ@mira", "\xff Zoë", "hey hey zoë šimić!"} {
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, addressed bool) {
		m := in("whatsapp", "g1", "", "")
		m.Text, m.Addressed = text, addressed
		d := cast.Route(Facts{Message: m})
		if d.For == "" || slices.Contains(d.Hears, d.For) {
			t.Errorf("%q: %+v", text, d)
		}
	})
}

// TestS19APersonaForAdultsStaysOutOfOtherRooms routes where a persona for adults may not talk: whoever calls or chose it there
// reaches the owner.
func TestS19APersonaForAdultsStaysOutOfOtherRooms(t *testing.T) {
	direct := in("whatsapp", "ann", "", "")
	direct.Direct = true
	group, bar := in("whatsapp", "g1", "", ""), in("whatsapp", "bar", "", "")
	group.Text, bar.Text = "Mira, what now?", "Mira, what now?"
	r := cast.Renewed("mira", "Mira", true)
	r.ForAdults = func(m channels.Message) bool { return m.Room.ID == "bar" }
	for _, c := range []struct {
		name    string
		m       channels.Message
		want    string
		hears   []string
		choices []string
	}{
		{"chosen", direct, "nell", nil, []string{"nell"}},
		{"called", group, "nell", []string{"zoe"}, []string{"nell"}},
		{"called where it may talk", bar, "mira", []string{"nell", "zoe"}, []string{"nell", "mira"}},
	} {
		d := r.Route(Facts{Message: c.m, Chosen: "mira", RepliesTo: "mira"})
		if d.For != c.want || !slices.Equal(d.Hears, c.hears) {
			t.Errorf("%s: for %s, %v hear it; want %s and %v", c.name, d.For, d.Hears, c.want, c.hears)
		}
		if got := r.Choices(c.m); !slices.Equal(got, c.choices) {
			t.Errorf("%s: the choices are %v, want %v", c.name, got, c.choices)
		}
	}
	if got := r.Call(group); got.Addressed {
		t.Error("a call of it asks for an answer where it may not give one")
	}
}
