package reader

import (
	"slices"

	"familiar/memory/understand/sentences"
)

// How questions are learnt: how often a feature must occur to count, and the smallest weight that is kept.
const (
	questionEpochs = 12
	rareAsked      = 3
	leastAsked     = 0.2
)

// FitQuestions returns the weights for what questions ask for. The same questions give the same bytes.
func FitQuestions(questions []sentences.Question) []byte {
	a := fitQuestions(questions)
	return encodeTables(nil, a.kind, a.whom)
}

// QuestionScore is how well questions are read: of so many, how often the likeliest kind is right, how often it is among the
// likeliest three, and how often it is right whom they are about.
type QuestionScore struct {
	Questions  int `json:"questions"`
	Kind       int `json:"kind"`
	AmongThree int `json:"among_three"`
	Whom       int `json:"whom"`
}

// JudgeQuestions learns from some questions and reads others.
func JudgeQuestions(learn, exam []sentences.Question) (s QuestionScore) {
	a := fitQuestions(learn)
	for _, q := range exam {
		got := a.read(q.Text)
		s.Questions++
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
