package jobs

import (
	"context"
	"fmt"
	"hash/fnv"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"familiar/internal/text"
	"familiar/internal/web/readable"
	"familiar/internal/web/search"
	"familiar/memory/jobrun"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/persona/webnote"
	"familiar/persona/words"
)

// learning is the name of the job.
const learning = "learn"

const (
	// learnOver is how far back people must have mentioned a topic, learnFrom how many messages of a room are read.
	learnOver = 30 * 24 * time.Hour
	learnFrom = 1000
	// learnEvery is after how many days the persona reads about an interest again.
	learnEvery = 30
	// mostPerPage is how many sentences of one page are kept; shortestLearned and longestLearned their length in characters.
	mostPerPage     = 2
	shortestLearned = 40
	longestLearned  = 300
	// learnedSalience lets what was read fade like small talk unless it is used.
	learnedSalience = 0.4
	// mostMentions is how many messages that mention a topic what was read about it rests on.
	mostMentions = 8
)

// Learning says what may be read about without being asked. The zero Learning reads nothing.
//
// What is sent to the search engine is a topic exactly as the operator wrote it: nothing that anybody said can be in it. What
// people said only decides whether a topic is looked up, and of that only what they said in a group. The interests on the persona's
// card are looked up whatever anybody said.
type Learning struct {
	// Topics are words such as "sourdough bread".
	Topics []string
	// Pages is how many pages are read about one, PerRun how many topics are looked up in a run, People how many people must
	// have mentioned it in one group.
	Pages, PerRun, People int
	// Search asks the search engine, Fetch reads a page as far as its site allows programs to.
	Search func(ctx context.Context, query string, limit int) ([]search.Result, error)
	Fetch  func(ctx context.Context, address string) (readable.Page, error)
}

// LearnResult is the result of a run of LearnOnce.
type LearnResult struct {
	// Topics counts the topics that were looked up, Pages the pages read, Failed the searches and pages that failed.
	Topics int `json:"topics"`
	Pages  int `json:"pages"`
	Failed int `json:"failed,omitempty"`
	lifecycle.InferResult
}

// String describes the result for the ledger.
func (r LearnResult) String() string {
	if r.Topics == 0 {
		return "nothing to look up"
	}
	return fmt.Sprintf("looked up %d topics on %d pages (%d failed): %s", r.Topics, r.Pages, r.Failed, r.InferResult)
}

// LearnOnce looks up the topics that several people mentioned in a group lately, reads some pages about each, and keeps
// sentences of them for that group, with their source. Each carries run, rests on the messages that mention the topic, and
// goes with them. Then it looks up the interests of the persona that it has not read about for a while, and keeps sentences for
// everybody. A sentence is kept as it stands in the page: it is text of a stranger, and never evidence.
func (w Work) LearnOnce(ctx context.Context, run int64, now time.Time) (done LearnResult, err error) {
	if w.Learning.Search == nil {
		return done, nil
	}
	l := learner{Work: w, now: now, done: &done, read: map[string][]learned{}}
	if len(w.Learning.Topics) > 0 {
		err = l.learnForGroups(ctx, run)
	}
	if err == nil && len(w.Card.Interests) > 0 {
		err = l.learnForAll(ctx, run)
	}
	return done, err
}

// learnForGroups looks up what groups talk about.
func (l *learner) learnForGroups(ctx context.Context, run int64) error {
	return l.forEachBacklog(ctx, learning, run, func(some []scope) error {
		var found []lifecycle.Inference
		var marks []jobrun.Cursor
		for _, s := range some {
			marks = append(marks, s.mark(learning))
			if s.audience.Kind != model.InRoom {
				continue // what somebody said in private decides nothing
			}
			more, err := l.mentionedIn(ctx, s.audience)
			if err != nil {
				return err
			}
			found = append(found, more...)
		}
		return l.keep(ctx, run, &l.done.InferResult, found, marks)
	})
}

// learnForAll looks up the interests of the persona. Which come first changes from day to day, since some give nothing.
func (l *learner) learnForAll(ctx context.Context, run int64) error {
	topics, day := l.Card.Interests, int(l.now.Unix()/(24*60*60))
	first := day % len(topics)
	var found []lifecycle.Inference
	for _, topic := range slices.Concat(topics[first:], topics[:first]) {
		last, err := l.Store.Lore.LastRead(ctx, l.Card.Key, topic)
		if err != nil {
			return err
		}
		if !last.IsZero() && !readsAgain(topic, day) {
			continue
		}
		for _, f := range l.about(ctx, topic) {
			found = append(found, lifecycle.Inference{
				Audience: model.Audience{Kind: model.World}, Kind: model.Web, Sector: model.Semantic, Text: f.text, Salience: learnedSalience,
				Entities: []string{f.topic},
			})
		}
	}
	return l.keep(ctx, run, &l.done.InferResult, found, nil)
}

// learner looks topics up, each once in a run.
type learner struct {
	Work
	now  time.Time
	done *LearnResult
	read map[string][]learned
}

// learned is a sentence with its source, and the topic it is about.
type learned struct{ topic, text string }

// readsAgain reports whether a day is the one in learnEvery on which an interest is looked up again. It needs no record: a page that says
// what is known leaves nothing that could be remembered.
func readsAgain(topic string, day int) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(topic))
	return (day+int(h.Sum32()%learnEvery))%learnEvery == 0
}

// mentionedIn returns what is to be kept for a group.
func (l *learner) mentionedIn(ctx context.Context, room model.Audience) (found []lifecycle.Inference, err error) {
	said, err := l.Store.Lifecycle.SaidSince(ctx, l.Card.Key, room, 0, l.now.Add(-learnOver), learnFrom)
	if err != nil {
		return nil, err
	}
	for _, topic := range l.Learning.Topics {
		sources := mentions(said, topic, l.Learning.People)
		if len(sources) == 0 {
			continue
		}
		for _, f := range l.about(ctx, topic) {
			found = append(found, lifecycle.Inference{
				Audience: room, Kind: model.Web, Sector: model.Semantic, Text: f.text, Salience: learnedSalience, Sources: sources,
				Entities: []string{f.topic},
			})
		}
	}
	return found, nil
}

// about returns what there is to read about a topic, nothing if the run has looked up as many as it may.
func (l *learner) about(ctx context.Context, topic string) []learned {
	facts, known := l.read[topic]
	if !known && len(l.read) < l.Learning.PerRun {
		facts = l.lookUp(ctx, topic)
		l.read[topic] = facts
	}
	return facts
}

// mentions returns the newest messages that mention a topic, nil if fewer than so many people do.
func mentions(said []model.Memory, topic string, people int) (messages []int64) {
	wanted := words.Content(topic)
	var authors []int64
	for _, m := range slices.Backward(said) {
		if words.SharedWith(wanted, m.Text) < len(wanted) || len(m.Sources) == 0 {
			continue
		}
		if !slices.Contains(authors, m.AuthorID) {
			authors = append(authors, m.AuthorID)
		}
		if len(messages) < mostMentions {
			messages = append(messages, m.Sources[0])
		}
	}
	if len(wanted) == 0 || len(authors) < max(people, 1) {
		return nil
	}
	return messages
}

// lookUp searches for a topic and reads some pages about it, of one site each. What fails is counted: the web is not
// needed for anything else.
func (l *learner) lookUp(ctx context.Context, topic string) (facts []learned) {
	l.done.Topics++
	results, err := l.Learning.Search(ctx, topic, search.MaxResults)
	if err != nil {
		l.done.Failed++
		l.Log.Warn("a topic could not be looked up", "error", err)
		return nil
	}
	var sites []string
	for _, r := range results {
		u, err := url.Parse(r.Address)
		if err != nil || slices.Contains(sites, u.Hostname()) {
			continue
		}
		if len(sites) == l.Learning.Pages || ctx.Err() != nil {
			break
		}
		sites = append(sites, u.Hostname())
		page, err := l.Learning.Fetch(ctx, r.Address)
		if err != nil {
			l.done.Failed++
			continue
		}
		l.done.Pages++
		for _, sentence := range worthKeeping(page.Markdown, topic) {
			facts = append(facts, learned{topic, sourced(page, sentence)})
		}
	}
	return facts
}

// sourced returns a sentence with where it stands, and when it was read.
func sourced(p readable.Page, sentence string) string {
	return webnote.Note{Title: p.Title, Site: p.Site, Address: p.Address, Published: p.Published, Read: p.Fetched, Text: sentence}.String()
}

var (
	// markdownLink is a link, of which only the text is kept. markdownMark is what emphasises.
	markdownLink = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	markdownMark = regexp.MustCompile("[*_`\\\\]+")
	// addressing matches sentences that speak to their reader, or of reading: advertising, and instructions to models.
	addressing = regexp.MustCompile(`(?i)\b(you|your|yours|i|we|our|us|my|me|click|subscribe|cookies?|sign up|log in|newsletter|ignore|instructions?|assistant|prompt|` +
		`du|dein|deine|ihr|ihre|ihnen|wir|unsere?|ich|tu|tus|tú|usted|nosotros|vous|votre|vos|nous|notre|je|https?)\b|www\.|@`)
)

// worthKeeping returns the first sentences of a page that tell something of a topic.
func worthKeeping(markdown, topic string) (kept []string) {
	wanted := words.Content(topic)
	for paragraph := range strings.SplitSeq(markdown, "\n\n") {
		paragraph = strings.TrimSpace(paragraph)
		if paragraph == "" || strings.ContainsAny(paragraph[:1], "#|>-+=`~[(0123456789") {
			continue // no prose
		}
		plain := markdownMark.ReplaceAllString(markdownLink.ReplaceAllString(paragraph, "$1"), "")
		for _, s := range text.Sentences(strings.Join(strings.Fields(plain), " ")) {
			s = strings.TrimSpace(s)
			n := utf8.RuneCountInString(s)
			if n < shortestLearned || n > longestLearned || !strings.HasSuffix(s, ".") || strings.ContainsAny(s, "“”:") ||
				words.SharedWith(wanted, s) < len(wanted) || addressing.MatchString(s) {
				continue
			}
			if kept = append(kept, s); len(kept) == mostPerPage {
				return kept
			}
		}
	}
	return kept
}
