package stories

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"familiar/channels"
	"familiar/internal/lab/virtual"
	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/persona"
	"familiar/persona/modelvoice"
	"familiar/persona/scene"
	"familiar/prompts"
)

// Parts holds the components with which stories are played.
type Parts struct {
	Settings persona.Settings
	// Furnish creates the components for the home of a story, with m as the model.
	Furnish func(home virtual.Home, m modelvoice.Model) (virtual.Furniture, error)
	// Bad makes the model give bad answers too; see spoiler.
	Bad bool
	// Live is set to play with the model of Furnish, which is then called without one.
	Live *Live
}

const (
	// groupPrefix is what the rooms of groups begin with.
	groupPrefix = "group:"
	// pace is the time between two messages, sessionHour and probeHour the times of day at which a session and the probe
	// begin.
	pace                   = 40 * time.Second
	sessionHour, probeHour = 12, 21
)

// stage is the stage of a story, with the model that plays its part.
type stage struct {
	*virtual.Stage
	story *Story
	model *reader
	live  bool
	sent  int
	bad   BadAnswers
	// asked are the prompts for replies since they were read last, with a real model; talk is what was said.
	asked []prompts.Prompt
	talk  []Line
	// shared are the common prefixes of successive prompts, as a share of the shorter.
	shared []float64
}

// play plays a story and returns what its probe's prompt shows.
func play(ctx context.Context, parts Parts, s *Story) (r Report, err error) {
	m := &reader{story: s}
	if parts.Bad {
		m.spoilt = &spoiler{story: s}
	}
	home := virtual.Parts{Settings: parts.Settings, Furnish: func(h virtual.Home) (virtual.Furniture, error) {
		if parts.Live != nil {
			return parts.Furnish(h, nil)
		}
		return parts.Furnish(h, m)
	}}
	err = virtual.Play(ctx, home, s.card(), func(st *virtual.Stage) (err error) {
		r, err = (&stage{Stage: st, story: s, model: m, live: parts.Live != nil}).play(ctx)
		if err == nil && parts.Live != nil {
			r.judge(ctx, cmp.Or(parts.Live.Judge, st.Model), s)
		}
		return err
	})
	return r, err
}

// play plays the sessions, runs the jobs after each, and sends the probe.
func (st *stage) play(ctx context.Context) (Report, error) {
	for i := range st.story.Sessions {
		if err := st.sit(ctx, i); err != nil {
			return Report{}, err
		}
		until := st.begin(st.story.Probe.DaysAgo, probeHour)
		if i+1 < len(st.story.Sessions) {
			until = st.begin(st.story.Sessions[i+1].DaysAgo, sessionHour)
		}
		if err := st.Rest(ctx, until); err != nil {
			return Report{}, err
		}
	}
	probe := st.story.Probe
	st.Clock.Pass(st.begin(probe.DaysAgo, probeHour))
	said, err := st.hear(ctx, Session{Room: probe.Room}, probe.Who, probe.Text, true)
	if err != nil {
		return Report{}, err
	}
	heard := st.heard()
	if len(heard) == 0 {
		return Report{}, fmt.Errorf("story %s: the model was not asked for an answer to the probe; said: %q", st.story.ID, said)
	}
	r := examine(st.story, heard[0])
	r.Prefix, r.Faults, r.Said, r.Talk = mean(st.shared), st.Faults, said, st.talk
	all, err := st.Store.Beliefs.ListBeliefs(ctx, belief.Filter{IncludeHistory: true, Limit: maxBeliefs})
	for _, b := range all {
		r.Beliefs = append(r.Beliefs, describe(b))
	}
	if bad := st.model.spoilt; bad != nil {
		st.bad.False, st.bad.Displaced, st.bad.FalseShown = len(bad.claims), displaced(all, bad.claims), shownFalse(r.Prompt, bad.claims)
		r.Bad = &st.bad
	}
	return r, err
}

// describe returns a belief with its evidence.
func describe(b model.Belief) string {
	line := fmt.Sprintf("%s: %s %s %q", b.Status, b.Subject, b.Relation, b.Value)
	for _, e := range b.Evidence {
		line += fmt.Sprintf(" [%d %q %q]", e.MessageID, e.Quote, e.Sentence)
	}
	return line
}

// maxBeliefs is more than a story has.
const maxBeliefs = 1000

// begin returns when a session so many days before the probe's day begins.
func (st *stage) begin(daysAgo, hour int) time.Time {
	return st.story.today().AddDate(0, 0, -daysAgo).Add(time.Duration(hour) * time.Hour)
}

// sit plays one session. What a person says in several messages without an answer between them is one message in a direct
// room; in a group, the persona listens to what it does not answer.
func (st *stage) sit(ctx context.Context, number int) error {
	session := st.story.Sessions[number]
	st.Clock.Pass(st.begin(session.DaysAgo, sessionHour))
	st.heard()
	direct := !strings.HasPrefix(session.Room, groupPrefix)
	var before prompts.Prompt
	for i := 0; i < len(session.Turns); i++ {
		who, text := session.Turns[i].Who, session.Turns[i].Text
		if who == self {
			continue // it spoke first, or twice
		}
		for direct && i+1 < len(session.Turns) && session.Turns[i+1].Who == who {
			i++
			text += "\n" + session.Turns[i].Text
		}
		answered := i+1 < len(session.Turns) && session.Turns[i+1].Who == self
		if answered {
			st.model.say(session.Turns[i+1].Text)
		} else {
			st.model.say("…")
		}
		if _, err := st.hear(ctx, session, who, text, direct || answered); err != nil {
			return err
		}
		for _, p := range st.heard() {
			if before.Name != "" {
				st.shared = append(st.shared, commonPrefix(before, p))
			}
			before = p
		}
	}
	return nil
}

// hear delivers a message and returns what the persona said to it.
func (st *stage) hear(ctx context.Context, session Session, who, text string, addressed bool) (string, error) {
	st.Clock.Pass(st.Clock.Now().Add(pace))
	st.sent++
	handle := strings.ToLower(who)
	group, isGroup := strings.CutPrefix(session.Room, groupPrefix)
	room := channels.Room{Channel: virtual.Channel, ID: "dm/" + handle}
	if isGroup {
		room.ID = "group/" + group
	} else {
		group = ""
	}
	st.Ear.Forget()
	err := st.Hear(ctx, channels.Message{
		ID: strconv.Itoa(st.sent), Room: room, RoomTitle: group, Direct: !isGroup, Addressed: addressed, Text: text, At: st.Clock.Now(),
		Author: channels.Author{Handle: channels.Handle{Channel: virtual.Channel, ID: handle}, Name: who},
	})
	var said []string
	seen, speech := st.Ear.Heard()
	if st.live {
		st.talk = append(st.talk, Line{At: st.Clock.Now(), Room: group, Name: who, Text: text})
		if seen.Card != nil {
			st.asked = append(st.asked, modelvoice.ReplyPrompt(seen))
		}
	}
	for _, out := range st.Out.Collect() {
		said = append(said, out.Text)
		st.count(out.Text, speech)
		if st.live {
			st.talk = append(st.talk, Line{At: st.Clock.Now(), Room: group, Name: st.Card.Name, Self: true, Text: out.Text, Fault: speech.Fault})
		}
	}
	return strings.Join(said, "\n"), err
}

// heard returns the prompts for replies since the last call.
func (st *stage) heard() []prompts.Prompt {
	if !st.live {
		return st.model.heard()
	}
	asked := st.asked
	st.asked = nil
	return asked
}

// count counts what the persona said while the model gives bad answers, and the faults of a real model.
func (st *stage) count(said string, speech scene.Reply) {
	if st.live && speech.Fault != "" {
		st.Faults = append(st.Faults, "the plain voice stepped in: "+speech.Fault)
	}
	if st.model.spoilt == nil {
		return
	}
	st.bad.Said++
	if speech.Fault != "" {
		st.bad.Makeshift++
	}
	if why := st.model.spoilt.unfitSaid(said); why != "" {
		st.bad.Unfit = append(st.bad.Unfit, why)
	}
}
