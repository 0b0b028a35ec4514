package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"familiar/channels"
	"familiar/channels/transcript"
	"familiar/internal/embed"
	"familiar/internal/lab/virtual"
	"familiar/memory"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/turns"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/scene"
)

// RecallReport is what `bench recall` prints.
type RecallReport struct {
	Overall RecallScore `json:"overall"`
	// Categories holds the scores by the data set's categories, "1" to "4"; Files by transcript name.
	Categories map[string]RecallScore `json:"categories"`
	Files      map[string]RecallScore `json:"files"`
	// Corpora holds the scores by corpus, the directory of the transcripts. WordsAlone holds the same without vectors, and
	// VectorWorth by transcript name what the embedder was found to be worth; both are absent without an embedder.
	Corpora     map[string]RecallScore `json:"corpora"`
	WordsAlone  map[string]RecallScore `json:"words_alone,omitempty"`
	VectorWorth map[string]float64     `json:"vector_worth,omitempty"`
	// Kinds holds the scores by the kinds that the data set gives its questions; absent without any.
	Kinds map[string]RecallScore `json:"kinds,omitempty"`
	// Abstention says how well recall knows that nothing was said; absent without questions of category 5.
	Abstention *Abstention `json:"abstention,omitempty"`
	// IngestPerSec is the number of messages ingested per second, from the inbox to the record.
	IngestPerSec float64    `json:"ingest_per_s"`
	RecallMS     Quantiles3 `json:"recall_ms"`
	// Dropped is the number of pieces of evidence that name no message.
	Dropped int `json:"dropped"`
	// Compress reports what compressing the context saves.
	Compress Compression `json:"compress"`
	// LeftOut holds the score of each corpus, by its directory, when each of its files is asked under weights fitted on all
	// other files. Fitted holds the weights fitted on all files, by feature: in a messenger's talk, and what a talk of long
	// lines adds. Both are set only on request. With an embedder, only the weights of meaning are fitted.
	LeftOut map[string]RecallScore `json:"leave_one_out,omitempty"`
	Fitted  map[string][2]float32  `json:"fitted_weights,omitempty"`
	// CorpusLeftOut holds the score of each corpus, by its directory, when it is asked under weights fitted on the other
	// corpora alone. It is set only on request.
	CorpusLeftOut map[string]RecallScore `json:"leave_corpus_out,omitempty"`
}

const (
	// asked is the number of memories a question retrieves, packBudget the size of its context in tokens.
	asked      = 20
	packBudget = 1000
	// lastCategory is the highest category with an answer. neverSaid is the category of what was never said.
	lastCategory = 4
	neverSaid    = 5
)

// Recall measures how much the product remembers of transcripts with questions. Each file gets its own store. The
// engine hears talk among people as a group in which nobody addresses the persona, and replays talk with a persona in a
// direct room. The questions are asked the day after the last message, by no particular user or by the one who talks
// with the persona, with the context packed as for a turn. With an embedder, everything is embedded
// before the first question. Recall times exclude the embedder's time.
func Recall(ctx context.Context, parts RecallParts, files []string) (RecallReport, error) {
	r := RecallReport{Files: map[string]RecallScore{}}
	var overall tally
	corpora, wordsAlone := map[string]*tally{}, map[string]*tally{}
	var questions []weighed
	categories, kinds := map[string]*tally{}, map[string]*tally{}
	var bearings bearings
	var times []time.Duration
	var messages int
	var ingesting time.Duration
	talks, err := readAll(files)
	if err != nil {
		return RecallReport{}, err
	}
	for _, t := range talks {
		if _, twice := r.Files[t.Name]; twice {
			return RecallReport{}, fmt.Errorf("bench recall: a transcript called %s was read before: give each its own name", t.Name)
		}
		var m measured
		err := withBook(ctx, parts, t.Transcript, func(b *book) (err error) {
			m.ingesting = b.ingesting
			m.answers, err = b.askAll(t.Transcript, func(q transcript.Question) (answer, error) { return b.ask(ctx, q) })
			if err == nil {
				m.unknown, err = b.askUnknown(t.Transcript, func(q transcript.Question) (answer, error) { return b.ask(ctx, q) })
			}
			if err == nil && parts.Embedder != nil {
				m.wordsAlone, m.worth, err = b.askByWords(ctx, t.Transcript)
			}
			if err == nil && (parts.LeaveOneOut || parts.LeaveCorpusOut) {
				m.weighed, err = b.weighAll(ctx, weighed{file: t.Name, corpus: t.corpus}, m.answers)
			}
			return err
		})
		if err != nil {
			return RecallReport{}, fmt.Errorf("bench recall: %s: %w", t.Name, err)
		}
		var of tally
		for _, a := range m.answers {
			of.add(a)
			overall.add(a)
			tallyOf(corpora, t.corpus).add(a)
			tallyOf(categories, strconv.Itoa(a.category)).add(a)
			if a.kind != "" {
				tallyOf(kinds, a.kind).add(a)
			}
			bearings.known = append(bearings.known, a.bearing)
			times = append(times, a.took)
			r.Compress = r.Compress.plus(a.compressed)
		}
		for _, a := range m.wordsAlone {
			tallyOf(wordsAlone, t.corpus).add(a)
		}
		if parts.Embedder != nil {
			if r.VectorWorth == nil {
				r.VectorWorth = map[string]float64{}
			}
			r.VectorWorth[t.Name] = m.worth
		}
		for _, a := range m.unknown {
			bearings.unknown = append(bearings.unknown, a.bearing)
		}
		questions = append(questions, m.weighed...)
		r.Files[t.Name] = of.score()
		r.Dropped += t.Dropped
		messages += len(t.Messages)
		ingesting += m.ingesting
	}
	r.Overall = overall.score()
	r.Compress = r.Compress.over(r.Overall.Questions)
	r.Corpora, r.WordsAlone = scores(corpora), scores(wordsAlone)
	r.Categories, r.Kinds, r.Abstention = scores(categories), scores(kinds), bearings.abstention()
	r.RecallMS = quantiles(times)
	fit := fitted
	if parts.Embedder != nil {
		fit = fittedMeaning
	}
	if parts.LeaveOneOut {
		w := fit(questions)
		r.LeftOut, r.Fitted = leaveOneOut(questions, fit), w.named()
	}
	if parts.LeaveCorpusOut {
		r.CorpusLeftOut = leaveCorpusOut(questions, fit)
	}
	if ingesting > 0 {
		r.IngestPerSec = float64(messages) / ingesting.Seconds()
	}
	return r, nil
}

// sample is a transcript and the corpus that it belongs to.
type sample struct {
	transcript.Transcript
	corpus string // the directory of its file
}

// readAll reads the transcripts in all files, and in all .json and .jsonl files of directories, in order of their names.
func readAll(files []string) (talks []sample, err error) {
	for _, path := range files {
		inside, err := transcriptsIn(path)
		if err != nil {
			return nil, err
		}
		for _, file := range inside {
			read, err := transcript.Read(file)
			if err != nil {
				return nil, err
			}
			for _, t := range read {
				talks = append(talks, sample{t, filepath.Base(filepath.Dir(file))})
			}
		}
	}
	return talks, nil
}

// transcriptsIn returns the transcript files of a directory, or the path itself if it is none.
func transcriptsIn(path string) (files []string, err error) {
	entries, err := os.ReadDir(path)
	if errors.Is(err, syscall.ENOTDIR) || errors.Is(err, fs.ErrNotExist) {
		return []string{path}, nil // reading the file says what is wrong with it
	}
	if err != nil {
		return nil, fmt.Errorf("list the transcripts in %s: %w", path, err)
	}
	for _, e := range entries {
		if ext := strings.ToLower(filepath.Ext(e.Name())); !e.IsDir() && (ext == ".json" || ext == ".jsonl") {
			files = append(files, filepath.Join(path, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("list the transcripts in %s: it contains no .json or .jsonl file", path)
	}
	return files, nil
}

// RecallParts holds the components that a benchmark runs.
type RecallParts struct {
	Card     *card.Card
	Voice    scene.Voice
	Settings persona.Settings
	// LeaveOneOut also fits the weights without each file in turn and asks that file's questions under them. It takes a
	// minute.
	LeaveOneOut bool
	// LeaveCorpusOut also fits the weights without each corpus in turn, the transcripts of one directory, and asks that
	// corpus's questions under them.
	LeaveCorpusOut bool
	// Embedder embeds messages and questions; nil measures words alone.
	Embedder embed.Embedder
}

// measured is the result of one transcript.
type measured struct {
	ingesting time.Duration
	// answers are those of the questions with an answer, unknown those of the questions about what was never said.
	answers, unknown []answer
	// wordsAlone are the answers without vectors, worth is what the embedder was found to be worth.
	wordsAlone []answer
	worth      float64
	weighed    []weighed
}

// withBook ingests t into a new store, passes it to ask and removes it. A conversation among people is heard as a group in
// which nobody addresses the persona, one with the persona is replayed turn by turn.
func withBook(ctx context.Context, parts RecallParts, t transcript.Transcript, ask func(*book) error) error {
	now, ingest := time.Now, func(store *memory.Store) error { return hear(ctx, parts, store, t.Messages) }
	if t.Persona != (channels.Author{}) {
		clock := virtual.NewClock(t.Messages[0].At)
		now, ingest = clock.Now, func(store *memory.Store) error { return replay(ctx, parts, store, t, clock) }
	}
	return withStoreAt(ctx, now, func(store *memory.Store) error {
		started := time.Now()
		if err := ingest(store); err != nil {
			return err
		}
		ingesting := time.Since(started)
		near, err := nearIn(ctx, store, parts.Embedder)
		if err != nil {
			return err
		}
		b, err := open(ctx, store, parts.Card.Key, t)
		if err != nil {
			return err
		}
		b.dir, b.ingesting, b.near = filepath.Dir(store.Path()), ingesting, near
		return ask(b)
	})
}

// askAll asks the questions of t that have an answer and a message that holds it.
func (b *book) askAll(t transcript.Transcript, ask func(transcript.Question) (answer, error)) ([]answer, error) {
	var answers []answer
	for _, q := range t.Questions {
		if q.Category < 1 || q.Category > lastCategory || len(q.Evidence) == 0 {
			continue
		}
		a, err := ask(q)
		if err != nil {
			return nil, err
		}
		a.text, a.category, a.kind, a.gold, a.goldSessions = q.Text, q.Category, q.Kind, map[int64]bool{}, map[int64]bool{}
		for _, e := range q.Evidence {
			m := b.messages[e]
			a.gold[m.ID], a.goldSessions[m.SessionID] = true, true
		}
		answers = append(answers, a)
	}
	return answers, nil
}

// askByWords asks the questions that have an answer without vectors, and returns what the vectors are worth.
func (b *book) askByWords(ctx context.Context, t transcript.Transcript) ([]answer, float64, error) {
	blind := *b
	blind.near = func(context.Context, string, string) (*recall.QueryEmbedding, error) { return nil, nil }
	answers, err := blind.askAll(t, func(q transcript.Question) (answer, error) { return blind.ask(ctx, q) })
	if err != nil {
		return nil, 0, err
	}
	in, err := b.store.Entries.Embedding(ctx)
	return answers, in.Worth, err
}

// askUnknown asks the questions of t about what was never said.
func (b *book) askUnknown(t transcript.Transcript, ask func(transcript.Question) (answer, error)) (answers []answer, err error) {
	for _, q := range t.Questions {
		if q.Category != neverSaid {
			continue
		}
		a, err := ask(q)
		if err != nil {
			return nil, err
		}
		answers = append(answers, a)
	}
	return answers, nil
}

// book is a transcript as the store holds it.
type book struct {
	dir       string // the store's directory
	ingesting time.Duration

	store   *memory.Store
	hearing memory.Visibility
	// asker is the person who asks, 0 for nobody in particular.
	asker     int64
	askerName string
	now       time.Time
	near      near
	// messages holds all messages by their id in the transcript.
	messages map[string]model.Message
	// sources caches the message ids from which memories came.
	sources map[int64][]int64
}

// open reads back what the store holds of t.
func open(ctx context.Context, store *memory.Store, key string, t transcript.Transcript) (*book, error) {
	last := t.Messages[len(t.Messages)-1]
	room, err := store.Log.RoomByAddress(ctx, last.Room)
	if err != nil {
		return nil, fmt.Errorf("find the room of the transcript: %w", err)
	}
	hearing, err := store.Log.Visibility(ctx, key, room.ID)
	if err != nil {
		return nil, err
	}
	b := &book{
		store: store, hearing: hearing, now: last.At.AddDate(0, 0, 1),
		messages: map[string]model.Message{}, sources: map[int64][]int64{},
	}
	said, err := b.readMessages(ctx, key, room.ID, len(t.Messages))
	if err != nil {
		return nil, err
	}
	if len(said) != len(t.Messages) {
		return nil, fmt.Errorf("%d of %d messages were recorded", len(said), len(t.Messages))
	}
	// The persona's messages have the channel's ids, so all are matched by their order.
	for i, m := range said {
		from := t.Messages[i]
		if ours := from.Author == t.Persona; ours != (m.PersonID == 0) || !ours && m.ExternalID != from.ID {
			return nil, fmt.Errorf("message %s of the transcript was recorded as %s", from.ID, m.ExternalID)
		}
		b.messages[from.ID] = m
		if from.Author == t.Asker {
			b.asker, b.askerName = m.PersonID, from.Author.Name
		}
	}
	return b, nil
}

// readMessages returns the messages of a room in order, at most limit sessions of them.
func (b *book) readMessages(ctx context.Context, key string, room int64, limit int) (said []model.Message, err error) {
	sessions, err := b.store.Turns.Sessions(ctx, turns.SessionFilter{Persona: key, Room: room, Limit: limit})
	if err != nil {
		return nil, err
	}
	for _, s := range sessions {
		messages, err := b.store.Turns.SessionMessages(ctx, s.ID)
		if err != nil {
			return nil, err
		}
		said = append(said, messages...)
	}
	slices.SortFunc(said, func(a, b model.Message) int { return cmp.Compare(a.ID, b.ID) })
	return said, nil
}

// ask recalls for one question.
func (b *book) ask(ctx context.Context, q transcript.Question) (answer, error) {
	meant, err := b.near(ctx, b.askerName, q.Text)
	if err != nil {
		return answer{}, err
	}
	started := time.Now()
	got, err := b.store.Recall.Find(ctx, b.hearing, recall.Query{Text: q.Text, Asker: b.asker, Own: true, Near: meant, Now: b.now, Limit: asked, Budget: packBudget})
	if err != nil {
		return answer{}, err
	}
	a := answer{near: meant, took: time.Since(started), bearing: got.Bearing, signals: got.Signals, style: got.Style}
	for _, h := range got.Hits {
		from, err := b.sourcesOf(ctx, h)
		if err != nil {
			return answer{}, err
		}
		a.ranked = append(a.ranked, from...)
		a.sessions = append(a.sessions, h.Memory.SessionID)
	}
	for _, item := range got.Items {
		for _, l := range item.Lines {
			a.packed = append(a.packed, l.MessageID)
		}
	}
	evidence := make([]model.Message, len(q.Evidence))
	for i, id := range q.Evidence {
		evidence[i] = b.messages[id]
	}
	a.compressed = compressed(q.Text, q.Answer, evidence, got.Items)
	return a, nil
}

// weighAll recalls for every question again, at full depth, and breaks down every score.
func (b *book) weighAll(ctx context.Context, from weighed, answers []answer) ([]weighed, error) {
	var all []weighed
	for _, a := range answers {
		got, err := b.store.Recall.Find(ctx, b.hearing, recall.Query{Text: a.text, Asker: b.asker, Own: true, Near: a.near, Now: b.now, Limit: fitDepth, Explain: true})
		if err != nil {
			return nil, err
		}
		w := weighed{file: from.file, corpus: from.corpus, gold: a.gold, goldSessions: a.goldSessions, style: float32(got.Style)}
		for _, h := range got.Hits {
			from, err := b.sourcesOf(ctx, h)
			if err != nil {
				return nil, err
			}
			hit := weighedHit{messages: from, session: h.Memory.SessionID}
			hit.values, hit.factor = features(h)
			hit.gold = slices.ContainsFunc(from, func(m int64) bool { return a.gold[m] })
			w.hits = append(w.hits, hit)
		}
		all = append(all, w)
	}
	return all, nil
}

func (b *book) sourcesOf(ctx context.Context, h recall.Hit) ([]int64, error) {
	if h.Own {
		return h.Memory.Sources, nil
	}
	id := h.Memory.ID
	if from, known := b.sources[id]; known {
		return from, nil
	}
	m, err := b.store.Entries.Memory(ctx, id)
	if err != nil {
		return nil, err
	}
	b.sources[id] = m.Sources
	return m.Sources, nil
}

// mute is a benchmark's channel on which nobody gets an answer.
type mute struct{}

// Name returns the channel name of transcripts.
func (mute) Name() string { return transcript.Channel }

// Run receives no messages and waits for ctx to end.
func (mute) Run(ctx context.Context, _ channels.Accept) error {
	<-ctx.Done()
	return nil
}

// Send fails: the channel has no recipients.
func (mute) Send(_ context.Context, out channels.Outgoing) (channels.Receipt, error) {
	return channels.Receipt{}, fmt.Errorf("bench recall: the persona only listens, but said %q", out.Text)
}
