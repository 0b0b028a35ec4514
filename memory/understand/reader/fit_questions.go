package reader

import (
	"slices"
	"strings"

	"familiar/memory/understand/sentences"
)

// How questions are learnt: how often a feature must occur to count, and the smallest weight that is kept.
const (
	questionEpochs = 12
	rareAsked      = 4
	leastAsked     = 0.3
	leastRecalls   = 0.18
)

// Talk is what people say, apart from labelled messages: questions for what was told, and messages that ask for nothing.
type Talk struct{ Asked, Said []string }

// FitQuestions returns the weights for what questions ask for, and for what is a question, which messages and what was said are
// not. The same texts give the same bytes.
func FitQuestions(questions []sentences.Question, messages []sentences.Sentence, talk Talk) []byte {
	a := fitQuestions(questions)
	a.recalls = fitRecalls(questions, messages, talk)
	return encodeTables(nil, a.kind, a.whom, a.recalls)
}

// fitRecalls returns weights that tell questions for what was told from everything else that people say.
func fitRecalls(questions []sentences.Question, messages []sentences.Sentence, talk Talk) *dense {
	var passages []*passage
	var recalls []int
	add := func(said string, label int) {
		if tokens := tokenize(said, nil); len(tokens) > 0 {
			passages = append(passages, newPassage(said, tokens[max(0, len(tokens)-tokenLimit):]))
			recalls = append(recalls, label)
		}
	}
	ask := func(asked string, label int) {
		add(asked, label)
		if bare := strings.TrimRight(asked, "? "); bare != asked {
			add(bare, label) // people leave it out
		}
	}
	for _, q := range questions {
		label := 1
		if q.Kind == "none" {
			label = 0
		}
		ask(q.Text, label)
	}
	for _, asked := range talk.Asked {
		ask(asked, 1)
	}
	for _, m := range messages {
		add(m.Text, 0)
	}
	for _, said := range talk.Said {
		add(said, 0)
	}
	d := newDense(2, rareAsked, leastRecalls, func(use func([]hash)) {
		for _, p := range passages {
			use(p.wholeFeatures(recallsKind, nil))
		}
	})
	var all []decision
	for i, p := range passages {
		all = append(all, decision{d.rows(p.wholeFeatures(recallsKind, nil)), recalls[i], 1})
	}
	d.learn(all, questionEpochs)
	return d
}

// QuestionScore is how well questions are read: of so many, how often the likeliest kind is right, how often it is among the
// likeliest three, and how often it is right whom they are about.
type QuestionScore struct {
	Questions  int `json:"questions"`
	Kind       int `json:"kind"`
	AmongThree int `json:"among_three"`
	Whom       int `json:"whom"`
	// Recalls is how many questions for what was told are taken for that, of Told.
	Recalls int `json:"recalls"`
	Told    int `json:"told"`
}

// JudgeQuestions learns from some questions, messages and talk, and reads other questions.
func JudgeQuestions(learn, exam []sentences.Question, messages []sentences.Sentence, talk Talk) (s QuestionScore) {
	a := fitQuestions(learn)
	a.recalls = fitRecalls(learn, messages, talk)
	for _, q := range exam {
		got := a.read(q.Text)
		s.Questions++
		if q.Kind != "none" {
			s.Told++
			if got.Recalls > 0.5 {
				s.Recalls++
			}
		}
		right, better := slices.Index(sentences.AskedKinds, q.Kind), 0
		for _, p := range got.Kinds {
			if p > got.Kinds[right] {
				better++
			}
		}
		if better == 0 {
			s.Kind++
		}
		if better < 3 {
			s.AmongThree++
		}
		if likeliest([]float32{got.OfAsker, got.OfPersona, got.OfOther, got.OfNobody}) == whomOf(q) {
			s.Whom++
		}
	}
	return s
}

func whomOf(q sentences.Question) int {
	switch q.Subject {
	case sentences.AboutAsker:
		return ofAsker
	case sentences.AboutPersona:
		return ofPersona
	case sentences.AboutNobody:
		return ofNobody
	}
	return ofOther
}

func fitQuestions(questions []sentences.Question) *asker {
	passages := make([]*passage, len(questions))
	for i, q := range questions {
		tokens := tokenize(q.Text, nil)
		passages[i] = newPassage(q.Text, tokens[max(0, len(tokens)-tokenLimit):])
	}
	fit := func(labels int, k kind, label func(sentences.Question) int) *dense {
		d := newDense(labels, rareAsked, leastAsked, func(use func([]hash)) {
			for _, p := range passages {
				use(p.wholeFeatures(k, nil))
			}
		})
		var all []decision
		for i, p := range passages {
			all = append(all, decision{d.rows(p.wholeFeatures(k, nil)), label(questions[i]), 1})
		}
		d.learn(all, questionEpochs)
		return d
	}
	return &asker{
		kind: fit(len(sentences.AskedKinds), askedKind, func(q sentences.Question) int { return slices.Index(sentences.AskedKinds, q.Kind) }),
		whom: fit(whoms, whomKind, whomOf),
	}
}
