package scene

import (
	"slices"
	"strings"
	"time"

	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand/rel"
	"familiar/persona/webnote"
	"familiar/persona/words"
)

// WebNote is a sentence that the persona read on the web.
type WebNote struct {
	ID int64
	webnote.Note
}

// Subject is its ID in the record of what people were told.
func (n WebNote) Subject() string { return memorySubject(model.Memory{ID: n.ID}) }

// WebNotesFor is how long after it was read a sentence may be brought up.
const WebNotesFor = 30 * 24 * time.Hour

// BringsUpWeb reports whether this is a moment to bring up what the persona read: a greeting in which nothing else is due, or a reply
// where recall found such a sentence; and the person asks nothing, does not leave, and is not hurt.
func (s *Scene) BringsUpWeb() bool {
	if g := s.Greeting; g != nil && (g.First || g.Proactive || len(g.Loops) > 0) {
		return false
	}
	if s.Greeting == nil && !slices.ContainsFunc(s.Recall.Hits, func(hit recall.Hit) bool { return hit.Memory.Kind == model.Web && !hit.Weak }) {
		return false
	}
	asks := slices.ContainsFunc(OwnLines(*s), func(l Line) bool { return l.Parsed.Question != nil || l.Parsed.Farewell || l.Parsed.Warmth < 0 })
	return !asks && !s.Hurt()
}

// ChooseWebNote returns the first of what was read that matters to the person, does not touch what is not to be spoken of, and was
// not told to them; nil for none. It matters if all words of its topic are in what this room may know of the person: an open
// item, a goal, something they like or that the greeting brings up; if they just told something, only that counts.
func (s *Scene) ChooseWebNote(read []model.Memory, told map[string]time.Time) *WebNote {
	cares, unspeakable := s.caresFor(), s.unspeakable()
	for _, m := range read {
		n, ok := webnote.Parse(m.Text)
		note := WebNote{m.ID, n}
		if _, before := told[note.Subject()]; !ok || before || unspeakable(n.Text) {
			continue
		}
		if slices.ContainsFunc(m.Entities, func(topic string) bool { return isAbout(cares, topic) && !unspeakable(topic) }) {
			return &note
		}
	}
	return nil
}

// caresFor returns what the person just told, or else, in a greeting, what is known of what they care for.
func (s *Scene) caresFor() (texts []string) {
	for _, l := range OwnLines(*s) {
		if !l.Parsed.Phatic {
			texts = append(texts, words.Head(l.Text))
		}
	}
	if len(texts) == 0 && s.Greeting != nil {
		return s.interests()
	}
	return texts
}

// isAbout reports whether one of some texts has all content words of a topic.
func isAbout(texts []string, topic string) bool {
	wanted := words.Content(topic)
	return len(wanted) > 0 && slices.ContainsFunc(texts, func(text string) bool { return words.SharedWith(wanted, text) == len(wanted) })
}

// interests returns what the person has open, pursues and likes, and what the greeting brings up of them, as far as this room may
// see it.
func (s *Scene) interests() (texts []string) {
	for _, m := range s.Greeting.Recalled {
		texts = append(texts, m.Text)
	}
	for _, l := range s.Loops {
		if !l.Own && l.Status != "closed" && (s.Direct || l.Audience.Kind != model.Private) {
			texts = append(texts, l.Text)
		}
	}
	for _, g := range s.Goals {
		if s.Direct || g.Audience.Kind != model.Private {
			texts = append(texts, g.Text)
		}
	}
	for _, b := range s.Beliefs {
		if b.Status == model.Active && b.SubjectPerson == s.Person.ID && b.AuthorID == s.Person.ID && (s.Direct || b.Audience.Kind != model.Private) && likes(b.Relation) {
			texts = append(texts, b.Value)
		}
	}
	return texts
}

// likes reports whether a relation tells what somebody cares for.
func likes(relation string) bool {
	kind, _, _ := strings.Cut(relation, ":")
	return slices.Contains([]string{"likes", "hobby", "plays", "studies", "goal", "habit", rel.Planned}, kind) || strings.HasPrefix(relation, "favourite ")
}

// unspeakable returns what tells whether a text touches what the persona must not or is not to speak of.
func (s *Scene) unspeakable() func(text string) bool {
	forbidden, refused := s.Forbidden(), s.Refusals()
	return func(text string) bool {
		return slices.ContainsFunc(forbidden, func(t Topic) bool { return t.In(text) }) ||
			slices.ContainsFunc(refused, func(topic words.Set) bool { return words.SharedWith(topic, text) > 0 })
	}
}

// ToldFromWeb returns the IDs, in the record of what people were told, of the sentences from the web that a reply tells.
func (s *Scene) ToldFromWeb(r Reply) (subjects []string) {
	if s.WebNote != nil && (!r.Exact || slices.Contains(r.Used, s.WebNote.ID)) {
		subjects = append(subjects, s.WebNote.Subject())
	}
	for _, hit := range s.Recall.Hits {
		n := WebNote{ID: hit.Memory.ID}
		if hit.Memory.Kind == model.Web && slices.Contains(r.Used, n.ID) && !slices.Contains(subjects, n.Subject()) {
			subjects = append(subjects, n.Subject())
		}
	}
	return subjects
}
