package gate

import (
	"testing"
	"time"

	"familiar/channels"
)

var noon = time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)

// heard returns a message by ann at noon, with changes.
func heard(change ...func(*channels.Message)) channels.Message {
	m := channels.Message{
		ID: "1", Room: channels.Room{Channel: "net", ID: "ann"}, Direct: true, Addressed: true, Text: "hello", At: noon,
		Author: channels.Author{Handle: channels.Handle{Channel: "net", ID: "a1"}, Name: "Ann"},
	}
	for _, c := range change {
		c(&m)
	}
	return m
}

func inGroup(m *channels.Message) {
	m.Direct, m.Addressed, m.Room.ID, m.RoomTitle = false, false, "club", "The club"
}

func mention(m *channels.Message) { inGroup(m); m.Addressed = true }
func bot(m *channels.Message)     { m.Author.Bot = true }
func old(m *channels.Message)     { m.At = noon.Add(-7 * time.Hour) }
func arrives(m *channels.Message) { m.Arrival, m.Text = true, "" }

func says(text string) func(*channels.Message) {
	return func(m *channels.Message) { m.Text = text }
}

func acts(act channels.Action) func(*channels.Message) {
	return func(m *channels.Message) { m.Action, m.TargetID, m.Addressed = act, "0", false }
}

func judged(t *testing.T, name string, p Policy, f Facts, want Verdict) {
	t.Helper()
	f.Now = noon
	if got := p.Judge(f); got != want {
		t.Errorf("%s: %v, want %v", name, got, want)
	}
}

func TestA4WhoMayTalkInDirectRooms(t *testing.T) {
	listed := []string{"a1"}
	for _, c := range []struct {
		name     string
		p        Policy
		m        channels.Message
		approved bool
		want     Verdict
	}{
		{"nothing configured", Policy{}, heard(), true, Ignore},
		{"off", Policy{Direct: Nobody, Allow: listed}, heard(), true, Ignore},
		{"open", Policy{Direct: Anyone}, heard(), false, Pass},
		{"an empty list is nobody", Policy{Direct: AllowList}, heard(), false, Ignore},
		{"listed", Policy{Direct: AllowList, Allow: listed}, heard(), false, Pass},
		{"approved", Policy{Direct: AllowList}, heard(), true, Pass},
		{"by id, never by name", Policy{Direct: AllowList, Allow: []string{"Ann", "ann"}}, heard(), false, Ignore},
		{"a stranger is told a code", Policy{Direct: Pairing}, heard(), false, Pair},
		{"who is listed needs none", Policy{Direct: Pairing, Allow: listed}, heard(), false, Pass},
		{"who is approved needs none", Policy{Direct: Pairing}, heard(), true, Pass},
		{"a stranger's command tells a code as well", Policy{Direct: Pairing}, heard(says("/memory")), false, Pair},
		{"a bot is told none", Policy{Direct: Pairing, Bots: true}, heard(bot), false, Ignore},
		{"a stranger's edit is told none", Policy{Direct: Pairing}, heard(acts(channels.Edit)), false, Ignore},
		{"a stranger who opens the room is told one", Policy{Direct: Pairing}, heard(arrives), false, Pair},
		{"a stranger who opens a room that is closed is told none", Policy{Direct: AllowList}, heard(arrives), false, Ignore},
		{"a bot that opens the room is told none", Policy{Direct: Pairing, Bots: true}, heard(arrives, bot), false, Ignore},
		{"a stranger who opened the room long ago is told none", Policy{Direct: Pairing, MaxAge: time.Hour}, heard(arrives, old), false, Ignore},
		{"a stranger from long ago is told none", Policy{Direct: Pairing, MaxAge: 6 * time.Hour}, heard(old), false, Ignore},
	} {
		judged(t, c.name, c.p, Facts{Message: c.m, Approved: c.approved}, c.want)
	}
}

// TestW2AnAccountIsKnownByEitherOfItsIDs allows an account by its number while the network uses another id.
func TestW2AnAccountIsKnownByEitherOfItsIDs(t *testing.T) {
	m := heard(func(m *channels.Message) { m.Author.Handle.ID, m.Author.Alias = "hidden", "4711" })
	judged(t, "listed by its number", Policy{Direct: AllowList, Allow: []string{"4711"}}, Facts{Message: m}, Pass)
	judged(t, "listed by its id", Policy{Direct: AllowList, Allow: []string{"hidden"}}, Facts{Message: m}, Pass)
	m.Author.Alias = ""
	judged(t, "its number is not known", Policy{Direct: AllowList, Allow: []string{"4711"}}, Facts{Message: m}, Ignore)
	judged(t, "an empty id is nobody's", Policy{Direct: AllowList, Allow: []string{""}}, Facts{Message: m}, Ignore)
	grouped := heard(mention, func(m *channels.Message) { m.Author.Handle.ID, m.Author.Alias = "hidden", "4711" })
	judged(t, "a member by its number", Policy{Default: Group{Mode: Mention, Members: []string{"4711"}}}, Facts{Message: grouped}, Pass)
}

func TestA4PairingGrantsNoGroup(t *testing.T) {
	p := Policy{Direct: Pairing, Allow: []string{"a1"}}
	judged(t, "a group nobody enabled", p, Facts{Message: heard(mention), Approved: true}, Ignore)
	p.Default = Group{Mode: Mention, Members: []string{"b2"}}
	judged(t, "a group of others", p, Facts{Message: heard(mention), Approved: true}, Ignore)
	p.Default.Members = []string{"a1"}
	judged(t, "membership grants no direct room", Policy{Direct: AllowList, Default: p.Default}, Facts{Message: heard()}, Ignore)
}

func TestA5GroupModes(t *testing.T) {
	plain := func(m *channels.Message) { inGroup(m) }
	for _, c := range []struct {
		mode                                       Mode
		said, mentioned, command, edited, reaction Verdict
	}{
		{"", Ignore, Ignore, Ignore, Ignore, Ignore},
		{Disabled, Ignore, Ignore, Ignore, Ignore, Ignore},
		{Mention, Ignore, Pass, Pass, Pass, Pass},
		{Listen, Observe, Observe, Ignore, Observe, Observe},
		{Open, Pass, Pass, Pass, Pass, Pass},
	} {
		p := Policy{Direct: Anyone, Default: Group{Mode: c.mode}}
		for _, one := range []struct {
			name string
			m    channels.Message
			want Verdict
		}{
			{"said", heard(plain), c.said},
			{"mentioned", heard(mention), c.mentioned},
			{"command", heard(mention, says("/memory")), c.command},
			{"edited", heard(plain, acts(channels.Edit)), c.edited},
			{"reaction", heard(plain, acts(channels.React)), c.reaction},
			{"arrival", heard(plain, arrives), Ignore},
		} {
			judged(t, string(c.mode)+": "+one.name, p, Facts{Message: one.m}, one.want)
		}
	}
}

func TestA5AGroupsSettingsOverrideTheDefault(t *testing.T) {
	p := Policy{Groups: map[string]Group{"club": {Mode: Disabled}}, Default: Group{Mode: Open}}
	judged(t, "the group", p, Facts{Message: heard(mention)}, Ignore)
	elsewhere := heard(mention)
	elsewhere.Room.ID = "attic"
	judged(t, "another", p, Facts{Message: elsewhere}, Pass)
	thread := heard(mention)
	thread.Room.Thread = "7"
	judged(t, "a thread of the group", p, Facts{Message: thread}, Ignore)
}

func TestA5MembersAndDailyCaps(t *testing.T) {
	for _, c := range []struct {
		name      string
		g         Group
		m         channels.Message
		all, them int
		want      Verdict
	}{
		{"everybody", Group{Mode: Open}, heard(mention), 0, 0, Pass},
		{"a member", Group{Mode: Open, Members: []string{"a1"}}, heard(mention), 0, 0, Pass},
		{"no member", Group{Mode: Open, Members: []string{"b2"}}, heard(inGroup), 0, 0, Ignore},
		{"no members at all", Group{Mode: Open, Members: []string{}}, heard(mention), 0, 0, Ignore},
		{"the last of the day", Group{Mode: Mention, Daily: 5}, heard(mention), 4, 4, Pass},
		{"past the group's day", Group{Mode: Mention, Daily: 5}, heard(mention), 5, 0, Observe},
		{"past their own day", Group{Mode: Open, Daily: 50, DailyEach: 2}, heard(mention), 3, 2, Observe},
		{"commands do not count", Group{Mode: Mention, Daily: 5}, heard(mention, says("/forget 3")), 5, 5, Pass},
	} {
		p := Policy{Default: c.g}
		judged(t, c.name, p, Facts{Message: c.m, Answered: c.all, AnsweredAuthor: c.them}, c.want)
	}
}

func TestA3BotsAreReceivedOnlyWhereAllowed(t *testing.T) {
	everything := Policy{Direct: Anyone, Default: Group{Mode: Open}}
	judged(t, "direct", everything, Facts{Message: heard(bot)}, Ignore)
	judged(t, "in a group", everything, Facts{Message: heard(mention, bot)}, Ignore)
	everything.Bots = true
	judged(t, "allowed", everything, Facts{Message: heard(mention, bot)}, Pass)
	judged(t, "allowed and tired", everything, Facts{Message: heard(mention, bot), OverBudget: true}, Observe)
	judged(t, "allowed and tired, commanding", everything, Facts{Message: heard(mention, bot, says("/memory")), OverBudget: true}, Ignore)
}

func TestA10OldMessagesAreContext(t *testing.T) {
	p := Policy{Direct: Anyone, Default: Group{Mode: Mention}, MaxAge: 6 * time.Hour}
	judged(t, "new", p, Facts{Message: heard()}, Pass)
	judged(t, "old", p, Facts{Message: heard(old)}, Observe)
	judged(t, "old mention", p, Facts{Message: heard(mention, old)}, Observe)
	judged(t, "old command", p, Facts{Message: heard(old, says("/forget 3"))}, Pass)
	judged(t, "old arrival", p, Facts{Message: heard(old, arrives)}, Ignore)
	p.MaxAge = 0
	judged(t, "no limit", p, Facts{Message: heard(old)}, Pass)
}

func TestA12DeletionsPassWhereMessagesAreStored(t *testing.T) {
	for _, act := range []channels.Action{channels.Delete, channels.Move} {
		p := Policy{Direct: Nobody}
		judged(t, string(act)+" in a known room", p, Facts{Message: heard(acts(act)), Known: true}, Pass)
		judged(t, string(act)+" in a known group", p, Facts{Message: heard(inGroup, acts(act)), Known: true}, Pass)
		judged(t, string(act)+" nowhere", Policy{Direct: Anyone}, Facts{Message: heard(acts(act))}, Ignore)
	}
}

func TestS19AnAdultPersonaTalksOnlyWhereItMay(t *testing.T) {
	here, there := channels.Room{Channel: "tg", ID: "-1"}, channels.Room{Channel: "tg", ID: "-2"}
	p := Policy{Direct: Anyone, Groups: map[string]Group{here.ID: {Mode: Open, Adult: true}}, Default: Group{Mode: Open}}
	direct := channels.Message{Direct: true, Addressed: true}
	for name, c := range map[string]struct {
		message channels.Message
		direct  bool // whether direct rooms are for adults
		want    Verdict
	}{
		"a group that is for adults":     {channels.Message{Room: here, Addressed: true}, false, Pass},
		"another group":                  {channels.Message{Room: there, Addressed: true}, true, Ignore},
		"a direct room":                  {direct, false, Ignore},
		"a direct room that is":          {direct, true, Pass},
		"a deletion of what was allowed": {channels.Message{Room: there, Action: channels.Delete}, false, Pass},
	} {
		p.Adult = c.direct
		if got := p.Judge(Facts{Message: c.message, Adult: true, Known: true}); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if c.want == Ignore {
			if got := p.Judge(Facts{Message: c.message, Known: true}); got != Pass {
				t.Errorf("%s, of a persona for everyone: %s", name, got)
			}
		}
	}
}
