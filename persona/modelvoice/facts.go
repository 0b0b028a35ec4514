package modelvoice

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/understand/rel"
	"familiar/persona/mind"
	"familiar/persona/scene"
	"familiar/persona/words"
	"familiar/prompts"
)

// knowledge is what a scene knows, sorted by how it is shown. Each thing is shown once: as a wish, as an open item, or as a
// fact.
type knowledge struct {
	scene scene.Scene
	// believed are the beliefs that hold, the most important first, outdated those that no longer do.
	believed, outdated []*model.Belief
	// plans are the least important of the beliefs with a value, open the plans of the open items, and over those that no
	// longer hold, all by planKey.
	plans      map[string]*model.Belief
	open, over map[string]bool
	// talk holds the messages of the running conversation that the prompt shows.
	talk map[int64]bool
	// filed holds the messages that a model filed something from.
	filed map[int64]bool
}

// known sorts the beliefs of a scene. What the running conversation says itself is left out.
func known(s scene.Scene) *knowledge {
	k := &knowledge{scene: s, filed: map[int64]bool{}, open: map[string]bool{}, over: map[string]bool{}, talk: map[int64]bool{}}
	for _, l := range s.Loops {
		k.open[planKey(l.Text)] = true
	}
	for _, l := range s.Recent {
		k.talk[l.MessageID] = l.MessageID != 0
	}
	var all []*model.Belief // they are large
	for _, some := range [][]model.Belief{s.Beliefs, s.Around} {
		for i := range some {
			all = append(all, &some[i])
			for _, e := range some[i].Evidence {
				if e.FromModel() {
					k.filed[e.MessageID] = true
				}
			}
		}
	}
	ids := map[int64]bool{}
	for _, b := range all {
		switch {
		case b.Status != model.Active && (b.Relation == rel.Planned || b.Relation == rel.Promised) && b.SupersededBy == 0:
			// It came true or was called off: what was said of it is no less true.
		case b.Status != model.Active:
			k.outdated = append(k.outdated, b)
			k.over[planKey(b.Value)] = true
		case k.misread(b) || ids[b.ID]:
		case b.ID > 0 || !slices.ContainsFunc(k.believed, func(o *model.Belief) bool { return sameBelief(o, b) }):
			k.believed = append(k.believed, b)
			ids[b.ID] = b.ID > 0
		}
	}
	weight := make(map[*model.Belief]float64, len(k.believed))
	for _, b := range k.believed {
		weight[b] = importance(b)
	}
	slices.SortStableFunc(k.believed, func(a, b *model.Belief) int {
		return cmp.Or(cmp.Compare(weight[b], weight[a]), a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	k.plans = make(map[string]*model.Belief, len(k.believed))
	for _, b := range k.believed {
		k.plans[planKey(b.Value)] = b
	}
	return k
}

// planKey is the same for a plan and the open item that it opened.
func planKey(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// wasRead reports whether a model read a message: what mattered in it was filed.
func (k *knowledge) wasRead(message int64) bool {
	return k.filed[message] || k.scene.Read.Messages[message]
}

// readWhole reports whether a model read all that a memory was made from.
func (k *knowledge) readWhole(memory int64) bool { return k.scene.Read.Memories[memory] }

// misread reports whether only the rules read a belief in messages that a model has read too, and filed otherwise. Names are
// exempt: the rules seldom mistake them.
func (k *knowledge) misread(b *model.Belief) bool {
	if b.Sentence != "" || b.ID <= 0 || b.Relation == "name" || b.Relation == rel.CallMe || len(b.Evidence) == 0 {
		return false
	}
	return !slices.ContainsFunc(b.Evidence, func(e model.Evidence) bool { return e.FromModel() || !k.wasRead(e.MessageID) })
}

// sameBelief reports whether two beliefs are one. Those of this turn have no ID yet.
func sameBelief(a, b *model.Belief) bool {
	if a.ID > 0 || b.ID > 0 {
		return a.ID == b.ID
	}
	return a.SubjectPerson == b.SubjectPerson && a.Subject == b.Subject && a.Relation == b.Relation && a.Value == b.Value
}

// The importance of what is known, 0–1: what must never be forgotten, what matters for long, what is told in passing.
const (
	vital     = 1
	lasting   = 0.6
	inPassing = 0.3
)

// vitalRelations are those that must never be cut: who somebody is, whom they belong to, where they live and work, and what
// may harm them. The others that matter for long are lastingRelations.
var (
	vitalRelations = relations(`name call_me age birthday lives_in home works_at works_as work job health allergic_to allergy diet
		illness medication marital_status kin family pet disability pronouns`)
	lastingRelations = relations(`from studies speaks owns goal plan promise feels belief_about_other studies_at religion hobby`)
)

func relations(list string) map[string]bool {
	all := map[string]bool{}
	for r := range strings.FieldsSeq(list) {
		all[r] = true
	}
	return all
}

// importance returns how much a belief matters, 0–1.
func importance(b *model.Belief) float64 {
	base, _, _ := strings.Cut(b.Relation, ":")
	switch {
	case b.Sensitive, vitalRelations[b.Relation], vitalRelations[base], rel.Kin(b.Relation) != "", base == "has_person", base == "has_pet", base == "pet_name":
		return vital
	case lastingRelations[b.Relation], b.SubjectPerson == 0 && b.Subject != "":
		return lasting
	}
	return inPassing
}

// wishes returns the standing wishes that are known, in the order they were said.
func (k *knowledge) wishes() (wishes []prompts.Entry) {
	for _, b := range k.believed {
		if b.Relation == rel.Wish && b.SubjectPerson == k.scene.Person.ID && !k.inTalk(b) {
			wishes = append(wishes, prompts.Entry{Text: sentence(b, k.scene), At: b.Created})
		}
	}
	slices.SortStableFunc(wishes, func(a, b prompts.Entry) int { return a.At.Compare(b.At) })
	return wishes
}

// facts returns the facts to show: all that hold and are shown nowhere else, and former ones if the messages ask about the
// past. A fact that the running conversation states is left out. bearing are those that only bear on the messages to
// answer.
func (k *knowledge) facts() (facts, bearing []prompts.Fact) {
	var overheard []prompts.Fact
	vitalHeard, seen := 0, map[string]bool{}
	for _, b := range k.believed {
		own := b.SubjectPerson == k.scene.Person.ID
		if own && (b.Relation == rel.Wish || b.Relation == rel.CallMe) || k.isOpen(b) || k.inTalk(b) {
			continue
		}
		f := k.fact(b)
		if seen[f.Text] {
			continue // one sentence may tell several things
		}
		seen[f.Text] = true
		switch {
		case !k.overheard(b):
			facts = append(facts, f)
		case importance(b) == vital && vitalHeard < mostVitalHeard:
			facts, vitalHeard = append(facts, f), vitalHeard+1
		default:
			overheard = append(overheard, f)
		}
	}
	if asksBefore(k.scene.Incoming) {
		for _, b := range k.outdated {
			if b.Status == model.Superseded && b.ReplacedWhy == belief.ChangeChanged {
				facts = append(facts, k.fact(b))
			}
		}
	}
	asked := content(k.scene.Question())
	bears := func(f prompts.Fact) bool { return words.Shared(asked, content(f.Text)) > 0 }
	kept := facts[:min(keptFacts, len(facts))]
	for _, f := range facts[len(kept):] {
		if len(bearing) < mostBearing && bears(f) {
			bearing = append(bearing, f)
		} else {
			kept = append(kept, f)
		}
	}
	for _, f := range overheard {
		if len(bearing) < mostBearing && bears(f) {
			bearing = append(bearing, f)
		}
	}
	return kept, bearing
}

// overheard reports whether somebody else told a belief of somebody else, in a group that the person of this direct room is in.
func (k *knowledge) overheard(b *model.Belief) bool {
	me := k.scene.Person.ID
	return k.scene.Direct && b.AuthorID != me && b.SubjectPerson != me
}

// keptFacts is how many facts stay in front of a model during a whole conversation. Of the less important ones behind
// them, those that bear on the messages to answer are shown with these, mostBearing at most. Of what others told of
// others, only mostVitalHeard facts that must never be cut stay in front of it.
const (
	keptFacts      = 80
	mostBearing    = 12
	mostVitalHeard = 12
)

// fact converts a belief.
func (k *knowledge) fact(b *model.Belief) prompts.Fact {
	f := prompts.Fact{Text: sentence(b, k.scene), Unsure: b.ByModel || mind.Uncertain(mind.Confidence(b.Evidence, k.scene.Now))}
	theirs := k.scene.Direct && b.AuthorID == k.scene.Person.ID
	if b.Sentence != "" && !theirs && b.AuthorID != b.SubjectPerson {
		f.Says = b.Author
	}
	f.Why, f.Told = k.why(b), toldLast(b)
	if b.Status == model.Superseded {
		f.Until = inZoneOf(b.Updated, k.scene.Now)
	}
	return f
}

// why says why a belief is shown.
func (k *knowledge) why(b *model.Belief) string {
	var why string
	switch i := importance(b); {
	case k.overheard(b) && i < vital:
		why = "bears on what is said"
	case i == vital:
		why = "must never be forgotten"
	case i == lasting:
		why = "matters for long"
	default:
		why = "told in passing"
	}
	why += ": " + b.Relation
	if b.ID > 0 {
		why += ", belief " + strconv.FormatInt(b.ID, 10)
	}
	if len(b.Evidence) > 0 {
		why += ", told on " + inZoneOf(toldLast(b), k.scene.Now).Format(time.DateOnly)
	}
	return why
}

// toldLast returns when a belief was last told.
func toldLast(b *model.Belief) time.Time {
	for _, e := range slices.Backward(b.Evidence) {
		if e.Stance > 0 {
			return e.At
		}
	}
	return b.Created
}

// endedAt returns when a belief that no longer holds was last changed or denied.
func endedAt(b *model.Belief) time.Time {
	at := b.Updated
	for _, e := range b.Evidence {
		at = model.Later(at, e.At)
	}
	return at
}

// longestQuote is how many characters of a quote say a belief better than a description of it does.
const longestQuote = 160

// sentence returns a belief in normal words: those that it was filed with, else those of its author, else a description.
func sentence(b *model.Belief, s scene.Scene) string {
	if b.Sentence != "" {
		return b.Sentence
	}
	for _, e := range slices.Backward(b.Evidence) {
		if b.Relation == "name" || b.Relation == rel.CallMe {
			break // the rest of what was said with it may be about something else
		}
		if quote := strings.TrimSpace(e.Quote); e.Stance > 0 && quote != "" && utf8.RuneCountInString(quote) <= longestQuote {
			return cmp.Or(e.Author, b.Author) + ": “" + quote + "”"
		}
	}
	subject := b.Subject
	switch {
	case b.SubjectPerson != 0 && b.SubjectPerson == s.Person.ID && s.Person.Name != "":
		subject = s.Person.Name
	case subject == "" && b.SubjectPerson == b.AuthorID:
		subject = b.Author
	}
	return rel.Describe(subject, b.Relation, b.Value)
}

// isOpen reports whether an open item stands for the belief.
func (k *knowledge) isOpen(b *model.Belief) bool {
	return (b.Relation == rel.Planned || b.Relation == rel.Promised) && k.open[planKey(b.Value)]
}

// inTalk reports whether the running conversation that the prompt shows states the belief.
func (k *knowledge) inTalk(b *model.Belief) bool {
	if b.ID <= 0 {
		return true // stated by the messages to answer
	}
	return slices.ContainsFunc(b.Evidence, func(e model.Evidence) bool { return e.Stance > 0 && k.talk[e.MessageID] })
}

// loops returns the person's open items, those to ask about now first, in the words of the plans they stand for.
func (k *knowledge) loops() (out []prompts.Loop) {
	s := k.scene
	asked := make(map[int64]bool)
	if s.Greeting != nil {
		for _, l := range s.Greeting.Loops {
			asked[l.ID] = true
			if k.isOver(l) {
				continue
			}
			open := k.loop(l)
			open.FollowUp, open.Upcoming = true, !scene.HasPassed(l, s.Now)
			out = append(out, open)
		}
	}
	for _, l := range s.Loops {
		if !asked[l.ID] && !k.isOver(l) && !k.talk[l.MessageID] {
			out = append(out, k.loop(l))
		}
	}
	return latest(out)
}

// latest returns the open items without those of which a later one says the same: a plan that moved in another room.
func latest(all []prompts.Loop) (kept []prompts.Loop) {
	for i, l := range all {
		same := func(o prompts.Loop) bool { return o.Text == l.Text && o.Kind == l.Kind }
		moved := func(o prompts.Loop) bool { return same(o) && o.Since.After(l.Since) }
		if !slices.ContainsFunc(all, moved) && !slices.ContainsFunc(all[:i], same) {
			kept = append(kept, l)
		}
	}
	return kept
}

// isOver reports whether an open item is of a plan that changed, or one that a model did not find where the rules did.
func (k *knowledge) isOver(l model.Loop) bool {
	key := planKey(l.Text)
	if _, planned := k.plans[key]; planned || l.Own || l.Kind != belief.LoopPlan && l.Kind != belief.LoopPromise {
		return false
	}
	return k.wasRead(l.MessageID) || k.over[key]
}

// loop converts an open item.
func (k *knowledge) loop(l model.Loop) prompts.Loop {
	open := prompts.Loop{Own: l.Own && l.Kind == belief.LoopPromise, Kind: l.Kind, Text: l.Text, Due: inZoneOf(l.DueFrom, k.scene.Now), Since: l.Created}
	if b, planned := k.plans[planKey(l.Text)]; planned && len(b.Evidence) > 0 {
		open.Text = sentence(b, k.scene)
	}
	return open
}

// inZoneOf returns a time in the person's timezone. The zero time stays zero.
func inZoneOf(at, now time.Time) time.Time {
	if at.IsZero() {
		return at
	}
	return at.In(now.Location())
}
