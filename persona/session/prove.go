package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"familiar/channels"
	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/memory/when"
	"familiar/persona/proof"
	"familiar/prompts"
)

// refinery checks what a model read in a session against its messages.
type refinery struct {
	RefineInput
	// folded are the normalized texts of the messages to read, talk those of all messages together. names maps a
	// normalized name to its person, 0 if two people share it.
	folded []string
	talk   string
	names  map[string]int64
	// record are all lines and names; everyone are the names alone.
	record   proof.Record
	everyone []string
	seen     map[string]bool
}

// newRefining prepares the check of a session's claims.
func newRefining(in RefineInput) *refinery {
	r := &refinery{RefineInput: in, names: make(map[string]int64), seen: make(map[string]bool), everyone: []string{in.Name}}
	lines := []string{in.Name, in.Room}
	for _, b := range in.Known {
		lines = append(lines, b.Subject, b.Value, b.Sentence)
	}
	for _, m := range slices.Concat(in.Context, in.Messages) {
		r.talk += folded(m.Text) + "\n"
		lines = append(lines, m.Name, m.Text, calendar(m.At.In(in.zone())))
		if name := folded(m.Name); m.PersonID != 0 && name != "" {
			if known, ok := r.names[name]; ok && known != m.PersonID {
				r.names[name] = 0
			} else {
				r.names[name] = m.PersonID
			}
			r.everyone = append(r.everyone, m.Name)
		}
	}
	for _, m := range in.Messages {
		r.folded = append(r.folded, folded(channels.Said(m.Text)))
	}
	r.record = proof.NewRecord(lines...)
	return r
}

func (in RefineInput) zone() *time.Location {
	if in.Zone == nil {
		return time.UTC
	}
	return in.Zone
}

// calendar is a day in the words and numbers that a sentence may use for it.
func calendar(t time.Time) string { return t.Format("2006 1 2 Monday January 15:4") }

func (in RefineInput) entries() []prompts.Entry {
	out := make([]prompts.Entry, len(in.Messages))
	for i, m := range in.Messages {
		out[i] = in.entry(m)
	}
	return out
}

func (in RefineInput) entry(m model.Message) prompts.Entry {
	return prompts.Entry{Name: m.Name, Self: m.PersonID == 0, Text: m.Text, At: m.At.In(in.zone())}
}

// suggested are the relations shown to the model: common ones from package rel, the preferred one first.
var suggested = []string{
	"name", "age", "birthday", "from", "lives_in", "works_at", "works_as", "studies", "hobby", "speaks", "diet",
	"allergic_to", "illness", "medicine", "owns", "has_pet", "has_person", "person_name:sister (any kin)", "pet_name:dog (any animal)",
	"marital_status", "likes", "dislikes", "event", "goal", "wish", rel.Planned, rel.Promised, rel.CallMe, rel.Wish, "feels",
}

// kinds are the kinds shown to the model. Those that package rel does not have are facts of a domain.
var kinds = []string{
	"fact", "taste", "plan", "promise", "instruction (how they want to be treated)", "wish (what they would like)", "feeling",
	"kin", "home", "work", "health", "event",
}

func (r *refinery) extract() prompts.ExtractInput {
	in := prompts.ExtractInput{Name: r.Name, Relations: suggested, Kinds: kinds, Budget: r.Budget}
	for i, e := range r.entries() {
		in.Messages = append(in.Messages, prompts.Numbered{Number: i + 1, Entry: e})
	}
	for _, m := range r.Context {
		in.Context = append(in.Context, prompts.Numbered{Entry: r.entry(m)})
	}
	for i, b := range r.Known {
		in.Known = append(in.Known, prompts.KnownFact{Number: i + 1, Text: sentenceOf(b)})
	}
	for i, l := range r.Promised {
		in.Known = append(in.Known, prompts.KnownFact{Number: len(r.Known) + i + 1, Text: "you promised: “" + l.Text + "”"})
	}
	return in
}

// sentenceOf returns what a belief says: the sentence it was filed with, else the words of its author if a model found it
// there, else a description.
func sentenceOf(b model.Belief) string {
	if b.Sentence != "" {
		return b.Sentence
	}
	for _, e := range b.Evidence {
		if e.FromModel() && e.Quote != "" {
			return cmp.Or(e.Author, b.Author) + ": “" + e.Quote + "”"
		}
	}
	return rel.Describe(cmp.Or(b.Subject, b.Author), b.Relation, b.Value)
}

// The reasons for which an item is rejected or stays unconfirmed.
const (
	reasonMessage   = "no such message"
	reasonPersona   = "the persona's own words"
	reasonQuote     = "the quote is not in the message"
	reasonQuestion  = "a question"
	reasonValue     = "the message does not say this value"
	reasonUngrounds = "names or numbers that the message does not have: "
	reasonSubject   = "nobody of that name was spoken of"
	reasonRelation  = "no usable relation or kind"
	reasonKnown     = "no such known note"
	reasonChanges   = "only a model read that it changes"
	reasonEnds      = "only a model read that it ends"
	reasonIdentity  = "only a model read who somebody is"
	reasonOnce      = "only a first reading found it"
)

// prove turns an extracted statement into items: none if the same was found before, and two if it also ends something that
// is known of another relation.
func (r *refinery) prove(f prompts.Extracted) []Item {
	item := Item{
		State: cleanState(f.State), Subject: spaced(f.Subject), Relation: normalRelation(f.Relation), Value: spaced(f.Value),
		Quote: spaced(f.Quote), number: f.Message,
	}
	reject := func(why string) []Item {
		item.State, item.Reason, item.Claims = ItemRejected, why, nil
		return []Item{item}
	}
	if f.Message < 1 || f.Message > len(r.Messages) {
		return reject(reasonMessage)
	}
	m := r.Messages[f.Message-1]
	item.Message = m.ID
	known, promised, ok := r.known(item.State, f.ID)
	switch {
	case !ok:
		return reject(reasonKnown)
	case proof.Quoted(item.Quote, spaced(channels.Said(m.Text))) == "":
		return reject(reasonQuote)
	case promised != nil && item.State != prompts.StateSame:
		item.Settles = promised.ID
	case promised != nil:
		return nil
	}
	switch {
	case m.PersonID == 0:
		if item.Promise = r.promise(f, m); item.Promise == nil && item.Settles == 0 {
			return reject(reasonPersona)
		}
		item.State, item.Sentence = prompts.StateNew, spaced(f.Sentence)
		return []Item{item}
	case item.Settles != 0 && item.State == prompts.StateEnds:
		return []Item{item} // the person wants it no more
	case strings.HasSuffix(item.Quote, "?") || strings.HasSuffix(item.Quote, "？"):
		return reject(reasonQuestion)
	case promised != nil:
		item.State = prompts.StateNew
	}
	var ended []Item
	if known != nil && item.State != prompts.StateEnds && item.Relation != known.Relation && !free(item.Relation) {
		if item.State == prompts.StateChanges {
			ended = r.end(item, m, known)
		}
		item.State, known = prompts.StateNew, nil // it is about something else than the note
	}
	c, why := r.claim(f, m, &item, known)
	if why != "" {
		return reject(why)
	}
	item.Subject, item.Relation, item.Value = c.Subject, c.Relation, c.Value
	item.Claims, item.doubt = r.claims(c, item.State, known)
	if item.State == prompts.StateEnds {
		item.denies = denied(known, c)
	}
	if r.agreed(m, c) { // the rules read the same
		item.confirmed()
	}
	if r.seen[key(c)] && item.State == prompts.StateChanges && r.Known[f.ID-1].Sentence != item.Sentence {
		f.State, f.ID = prompts.StateNew, 0 // the note has changed before in this talk: this tells more
		return append(ended, r.prove(f)...)
	}
	if r.seen[key(c)] {
		return ended
	}
	r.seen[key(c)] = true
	return append(ended, item)
}

// end returns the item that a note is no longer so, by the quote of another item.
func (r *refinery) end(by Item, m model.Message, known *model.Belief) []Item {
	c := r.claimOf(known, m)
	c.Quote, c.Negates, c.Changed = by.Quote, true, true
	if r.seen[key(c)] {
		return nil
	}
	r.seen[key(c)] = true
	return []Item{{
		State: prompts.StateEnds, Message: m.ID, Subject: c.Subject, Relation: c.Relation, Value: c.Value, Quote: by.Quote,
		Claims: []belief.AttributedClaim{c}, number: by.number, doubt: reasonEnds, denies: denied(known, c),
	}}
}

// denied returns what an end denies: the note, or else the claim.
func denied(known *model.Belief, c belief.AttributedClaim) string {
	if known != nil {
		return sentenceOf(*known)
	}
	return rel.Describe(cmp.Or(c.Subject, c.Author), c.Relation, c.Value)
}

// claimOf returns the claim that repeats a note in a message.
func (r *refinery) claimOf(known *model.Belief, m model.Message) belief.AttributedClaim {
	c := r.unfiled(m)
	c.Claim = understand.Claim{Kind: kindOf(known.Relation), Relation: known.Relation, Subject: known.Subject, Value: known.Value}
	if c.SubjectPerson = known.SubjectPerson; c.SubjectPerson == m.PersonID {
		c.Subject = ""
	}
	return c
}

// unfiled returns what every claim in a message has.
func (r *refinery) unfiled(m model.Message) belief.AttributedClaim {
	return belief.AttributedClaim{AuthorID: m.PersonID, Author: m.Name, MessageID: m.ID, At: m.At, Audience: r.Audience, ByModel: true}
}

// promise returns what the persona promised in one of its messages to whoever spoke before it, nil if it promised nothing.
func (r *refinery) promise(f prompts.Extracted, m model.Message) *belief.LeftOpen {
	own := folded(f.Subject) == "you" || folded(f.Subject) == folded(r.Name)
	if !own || rel.Kind(folded(f.Kind)) != rel.Promise && normalRelation(f.Relation) != rel.Promised {
		return nil
	}
	var to int64
	for _, before := range slices.Concat(r.Context, r.Messages) {
		if before.ID < m.ID && before.PersonID != 0 {
			to = before.PersonID
		}
	}
	text := proof.Quoted(f.Quote, m.Text)
	if to == 0 || text == "" {
		return nil
	}
	open := &belief.LeftOpen{Kind: belief.LoopPromise, PersonID: to, MessageID: m.ID, Text: text, At: m.At}
	if due := r.due(f.Due, m); due != nil {
		open.DueFrom, open.DueUntil = due.From, due.Until
	}
	return open
}

// cleanState returns a state of package prompts, new for an unknown one.
func cleanState(state string) string {
	state = folded(state)
	if slices.Contains([]string{prompts.StateSame, prompts.StateChanges, prompts.StateEnds}, state) {
		return state
	}
	return prompts.StateNew
}

// known returns the belief or the promise that an item refers to, nil for none. It is not ok if there is no such note.
func (r *refinery) known(state string, id int) (b *model.Belief, promised *model.Loop, ok bool) {
	switch {
	case state == prompts.StateNew || state == prompts.StateEnds && id == 0:
		return nil, nil, true
	case id < 1 || id > len(r.Known)+len(r.Promised):
		return nil, nil, false
	case id > len(r.Known):
		return nil, &r.Promised[id-len(r.Known)-1], true
	}
	return &r.Known[id-1], nil, true
}

// claim returns the claim of an item, or why the record does not prove it.
func (r *refinery) claim(f prompts.Extracted, m model.Message, item *Item, known *model.Belief) (c belief.AttributedClaim, why string) {
	if known != nil {
		c = r.claimOf(known, m)
		if item.State == prompts.StateChanges && !samePlan(known, f) {
			c.Value = item.Value
		}
	} else {
		subject, about, named := r.subject(f.Subject, m)
		relation, kind, fits := filed(f, subject)
		switch {
		case !named:
			return c, reasonSubject
		case !fits:
			return c, reasonRelation
		}
		c = r.unfiled(m)
		c.Claim = understand.Claim{Kind: kind, Relation: relation, Subject: subject, Value: item.Value}
		c.SubjectPerson = about
	}
	c.Sensitive = f.Sensitive
	c.Quote, c.Many = item.Quote, rel.Many(c.Relation) || free(c.Relation)
	if c.Span = r.due(f.Due, m); c.Span == nil {
		if spans := when.Find(c.Quote, m.At.In(r.zone())); len(spans) > 0 {
			c.Span = &spans[0]
		}
	}
	item.Sentence, why = r.sentence(f, m, c, known)
	c.Sentence = item.Sentence
	return c, why
}

// samePlan reports whether a change leaves the plan itself as it is and moves its day.
func samePlan(known *model.Belief, f prompts.Extracted) bool {
	return (known.Relation == rel.Planned || known.Relation == rel.Promised) && f.Due != ""
}

// longestSentence is how many characters the sentence of a fact may have.
const longestSentence = 300

// sentence returns the sentence of a claim if its names and numbers are proven, and why the claim is not proven without
// it: a value that does not stand in the message needs a proven sentence.
func (r *refinery) sentence(f prompts.Extracted, m model.Message, c belief.AttributedClaim, known *model.Belief) (sentence, why string) {
	lines := append([]string{m.Text, m.Name, calendar(m.At.In(r.zone())), c.Subject}, r.everyone...)
	if f.Message > 1 {
		lines = append(lines, r.Messages[f.Message-2].Text) // what it may answer
	}
	if known != nil {
		lines = append(lines, sentenceOf(*known), known.Value)
	}
	for _, b := range r.Known {
		if rel.NamesSomething(b.Relation) || b.Relation == "name" || b.Relation == rel.CallMe {
			lines = append(lines, b.Value)
		}
	}
	if c.Span != nil {
		lines = append(lines, calendar(c.Span.From))
	}
	record := proof.NewRecord(lines...)
	sentence = spaced(model.StripInvisible(f.Sentence))
	missing := append(r.lacking(record, sentence), record.Lacks(c.Value)...)
	stands := c.Value != "" && (known != nil && c.Value == known.Value || strings.Contains(r.folded[f.Message-1], folded(c.Value)))
	switch {
	case c.Value == "":
		return "", reasonValue
	case len(missing) > 0 && !stands:
		return "", reasonUngrounds + strings.Join(missing, ", ")
	case sentence == "" && !stands:
		return "", reasonValue
	case len(missing) > 0 || len([]rune(sentence)) > longestSentence || strings.HasSuffix(sentence, "?"):
		return "", ""
	}
	return sentence, ""
}

// lacking returns the names and numbers of a sentence that prove nothing: a name must be known or fall in the talk, a number
// stand in the message.
func (r *refinery) lacking(message proof.Record, sentence string) []string {
	return slices.DeleteFunc(message.Lacks(sentence), func(s string) bool {
		return strings.ContainsFunc(s, unicode.IsLetter) && r.record.Names(s)
	})
}

// due returns the day that a model read, nil for none or one that no plan has.
func (r *refinery) due(day string, m model.Message) *when.Span {
	at, err := time.ParseInLocation(time.DateOnly, strings.TrimSpace(day), r.zone())
	if err != nil || at.Before(m.At.AddDate(-1, 0, 0)) || at.After(m.At.AddDate(5, 0, 0)) {
		return nil
	}
	return &when.Span{From: at, Until: at.AddDate(0, 0, 1)}
}

// claims returns the claims that an item amounts to, and why it is in doubt, "" if it is not.
func (r *refinery) claims(c belief.AttributedClaim, state string, known *model.Belief) (all []belief.AttributedClaim, doubt string) {
	switch state {
	case prompts.StateEnds:
		c.Negates, c.Changed = true, known != nil
		return []belief.AttributedClaim{c}, reasonEnds
	case prompts.StateChanges:
		c.Changed, doubt = true, reasonChanges
		if c.Many && c.Value != known.Value { // values that hold side by side do not replace each other
			ended := c
			ended.Negates, ended.Value, ended.Sentence, ended.Span = true, known.Value, "", nil
			return []belief.AttributedClaim{ended, c}, doubt
		}
	case prompts.StateNew:
		if rel.Guarded(c.Relation) {
			doubt = reasonIdentity
		} else if r.displaces(c) {
			doubt = reasonChanges
		} else {
			doubt = reasonOnce
		}
	}
	return []belief.AttributedClaim{c}, doubt
}

// displaces reports whether a claim would replace something that is known.
func (r *refinery) displaces(c belief.AttributedClaim) bool {
	return !c.Many && slices.ContainsFunc(r.Known, func(b model.Belief) bool {
		same := model.SubjectKey(b.SubjectPerson, b.Subject) == model.SubjectKey(c.SubjectPerson, c.Subject)
		return same && b.Relation == c.Relation && model.NormalizeValue(b.Value) != model.NormalizeValue(c.Value)
	})
}

// agreed reports whether the rules read the claim in its message too.
func (r *refinery) agreed(m model.Message, c belief.AttributedClaim) bool {
	return slices.ContainsFunc(m.Analysis(false).Claims, func(o understand.Claim) bool {
		return o.Relation == c.Relation && o.Negates == c.Negates && folded(o.Subject) == folded(c.Subject) &&
			model.NormalizeValue(o.Value) == model.NormalizeValue(c.Value)
	})
}

// subject returns whom a claim in message m is about: the author if about is empty or their own name, else someone or
// something that the session names.
func (r *refinery) subject(about string, m model.Message) (subject string, person int64, known bool) {
	name := folded(about)
	if name == "" || name == folded(m.Name) {
		return "", m.PersonID, true
	}
	person, speaks := r.names[name]
	return spaced(about), person, speaks || strings.Contains(r.talk, name) || r.record.Names(about) || r.record.Ties(about)
}

// spaced returns a text with single spaces and with the prompt's encoding of line breaks undone.
func spaced(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "⏎", " ")), " ")
}

// folded returns spaced in lower case.
func folded(text string) string { return strings.ToLower(spaced(text)) }

func key(c belief.AttributedClaim) string {
	return fmt.Sprintf("%d\x00%s\x00%s\x00%s\x00%v", c.AuthorID, folded(c.Subject), c.Relation, folded(c.Value), c.Negates)
}
