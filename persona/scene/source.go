package scene

import (
	"slices"
	"strings"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/turns"
)

// Source is a line that can be quoted: recalled, or of the running session, which recall leaves out.
type Source struct {
	model.SnippetLine
	// Memory is the memory it was recalled with, 0 for the running session.
	Memory int64
	// Own reports that the person being answered said it, Self that the persona did, Lore that it is the operator's.
	Own, Self, Lore bool
	// Group reports that it was said among others, Gathered that a job put it together, Foreign that it is from elsewhere,
	// a web page or signed lore: its text names its source. What is foreign is gathered too: people's own words come first.
	Group, Gathered, Foreign bool
	// Recalled is how well recall rates it, 0–1.
	Recalled float64
}

// Sources returns what can be quoted, in the order it was said, without what was corrected or forgotten.
func (s *Scene) Sources() (all []Source) {
	type saying struct {
		person int64
		at     int64 // milliseconds
		text   string
	}
	weak := s.WeakItems()
	most := len(weak) + len(s.Recent)
	for i := range s.Recall.Items {
		most += len(s.Recall.Items[i].Lines)
	}
	all = make([]Source, 0, most)
	seen := make(map[saying]bool, most) // a weak hit does not know its message
	add := func(x Source) {
		key := saying{x.PersonID, x.At.UnixMilli(), x.Text}
		if !seen[key] && strings.TrimSpace(x.Text) != "" && !strings.Contains(x.Text, belief.MarkCorrected) {
			seen[key] = true
			all = append(all, x)
		}
	}
	gathered, foreign := map[int64]bool{}, map[int64]bool{}
	for i := range s.Recall.Hits {
		if m := &s.Recall.Hits[i].Memory; m.Origin == model.OriginJob {
			gathered[m.ID], foreign[m.ID] = true, m.Kind.Foreign()
		}
	}
	for nth, item := range s.Recall.Items {
		for _, l := range item.Lines {
			lore := l.PersonID == 0 && l.Author == "" || l.Author == turns.OperatorName
			x := Source{SnippetLine: l, Memory: item.MemoryID, Lore: lore, Group: item.Room != "", Gathered: gathered[item.MemoryID], Foreign: foreign[item.MemoryID]}
			x.Own, x.Self = l.PersonID != 0 && l.PersonID == s.Person.ID, l.PersonID == 0 && !lore
			if l.Hit {
				x.Recalled = 1 / float64(nth+1)
			}
			add(x)
		}
	}
	for _, item := range weak {
		l := item.Lines[0]
		add(Source{
			SnippetLine: l, Memory: item.MemoryID, Own: l.PersonID != 0 && l.PersonID == s.Person.ID, Self: item.Own, Lore: l.PersonID == 0 && !item.Own,
			Group: item.Room != "",
		})
	}
	slices.SortStableFunc(all, func(a, b Source) int { return a.At.Compare(b.At) })
	for _, l := range s.Recent {
		if own := s.IsOwn(l); own || l.Self || l.PersonID != 0 { // else the author would be guessed from a name
			add(Source{Own: own, Self: l.Self, SnippetLine: model.SnippetLine{MessageID: l.MessageID, PersonID: l.PersonID, Author: l.Name, At: l.At, Text: l.Text}})
		}
	}
	return all
}

// WeakItems returns what people said, and the persona, and the operator's lore, among the hits that are too weak for the packed context. In a small memory
// everything told is among them, and one may answer though it shares no word with the question.
func (s *Scene) WeakItems() (items []recall.Item) {
	packed := map[int64]bool{}
	for _, item := range s.Recall.Items {
		packed[item.MemoryID] = true
	}
	for i := range s.Recall.Hits {
		h := &s.Recall.Hits[i]
		m := &h.Memory
		if packed[m.ID] && m.ID != 0 || m.Origin == model.OriginJob || m.SupersededBy != 0 {
			continue
		}
		line := model.SnippetLine{PersonID: m.AuthorID, Author: m.Author, At: m.Created, Text: m.Text, Hit: true}
		if len(m.Sources) == 1 {
			line.MessageID = m.Sources[0]
		}
		items = append(items, recall.Item{MemoryID: m.ID, Why: "matches slightly", Own: h.Own, Score: h.Score, Room: m.RoomTitle, Lines: []model.SnippetLine{line}})
	}
	return items
}
