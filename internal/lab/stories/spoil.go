package stories

import (
	"encoding/json"
	"fmt"
	"strings"

	"familiar/prompts"
)

// spoiler makes of good answers what bad models give: each kind in turn, so that two plays of a story are the same. It
// answers for one story, one prompt at a time.
type spoiler struct {
	story *Story
	// replies and works count the answers so far.
	replies, works int
	// unsayable are texts of bad replies that nobody may be shown, claims are the false ones.
	unsayable []string
	claims    []falseClaim
}

// spoil returns what a bad model makes of a good answer.
func (s *spoiler) spoil(p prompts.Prompt, good string) string {
	if p.Name != "reply" {
		if p.Name == "extract" {
			good = s.withFalseClaims(p.Messages[0].Text, good)
		}
		s.works++
		return badWork(p, s.works-1, good)
	}
	bad := badReplies[s.replies%len(badReplies)](s.setting(p), good)
	s.replies++
	s.unsayable = append(s.unsayable, bad.unsayable...)
	return bad.text
}

// setting is what bad replies are made from.
type setting struct {
	// name is the persona's, other that of somebody else. round counts how often each kind of bad reply was given.
	name, other string
	rules       []string
	round       int
}

func (s *spoiler) setting(p prompts.Prompt) setting {
	sc := setting{name: s.story.personaName(), other: s.story.Probe.Who, round: s.replies / len(badReplies)}
	if len(p.Speakers) > 0 {
		sc.other = p.Speakers[0]
	}
	for line := range strings.Lines(p.Rules) {
		if rule, found := strings.CutPrefix(strings.TrimSpace(line), "- "); found {
			sc.rules = append(sc.rules, rule)
		}
	}
	return sc
}

// badReply is a bad model's answer, with the texts in it that nobody may be shown.
type badReply struct {
	text      string
	unsayable []string
}

// The texts that bad replies put around or in place of the good one.
const (
	wonder  = "What would they like to hear? Hm. Hm. Hm."
	musing  = "They ask about the talk of before, so a short answer in character will do."
	outline = "The user is asking about their day. I should respond in character and keep it brief."
	puppet  = "and what happened after that, tell me everything"
	call    = `{"name": "recall", "arguments": {"query": "what they told me"}}`
)

// refusals and boilerplate are what assistants say in the languages of the stories.
var (
	refusals = []string{
		"I'm sorry, but I can't help with that request.", "Es tut mir leid, aber dabei kann ich nicht helfen.",
		"Lo siento, pero no puedo ayudarte con eso.", "Je suis désolé, mais je ne peux pas vous aider avec cette demande.",
		"Desculpe, mas não posso ajudar com isso.", "Mi dispiace, ma non posso aiutarti con questa richiesta.",
		"申し訳ありませんが、そのご要望にはお応えできません。",
	}
	boilerplate = []string{
		"As an AI language model, I don't have personal feelings or memories.", "Als KI-Sprachmodell habe ich keine persönlichen Gefühle oder Erinnerungen.",
		"Como modelo de lenguaje de IA, no tengo sentimientos ni recuerdos personales.", "En tant que modèle de langage IA, je n'ai pas de sentiments ni de souvenirs personnels.",
		"Como um modelo de linguagem de IA, não tenho sentimentos nem lembranças pessoais.", //nolint:misspell // Portuguese
		"Come modello linguistico di IA, non ho sentimenti o ricordi personali.",
		"AI言語モデルとして、私には個人的な感情や記憶はありません。",
	}
)

// badReplies are the kinds of bad replies of O1–O4.
var badReplies = []func(sc setting, good string) badReply{
	func(sc setting, good string) badReply { // reasoning and the own name
		return badReply{"<THINKING>" + wonder + "</THINKING>\n**" + sc.name + ":** " + good, []string{wonder}}
	},
	func(_ setting, good string) badReply { // JSON in place of an answer
		object, _ := json.Marshal(map[string]string{"mood": "warm", "reply": good}) //nolint:errchkjson // strings
		return badReply{string(object), []string{`"mood"`}}
	},
	func(_ setting, good string) badReply { // the end of reasoning without its beginning
		return badReply{musing + "</think>\n" + good, []string{musing}}
	},
	func(_ setting, good string) badReply { // channels
		return badReply{"<|channel|>analysis<|message|>" + musing + "<|end|><|start|>assistant<|channel|>final<|message|>" + good, []string{musing}}
	},
	func(sc setting, _ string) badReply { // a refusal
		text := refusals[sc.round%len(refusals)]
		return badReply{text, []string{text}}
	},
	func(sc setting, good string) badReply { // the name in front, as a script has it
		return badReply{strings.ToUpper(sc.name) + ": " + good, nil}
	},
	func(sc setting, good string) badReply { // an assistant's boilerplate
		text := boilerplate[sc.round%len(boilerplate)]
		return badReply{text + " " + good, []string{text}}
	},
	func(sc setting, good string) badReply { // lines spoken for others
		return badReply{good + "\n" + sc.other + ": " + puppet + "\n" + sc.name + ": More than I can tell.", []string{puppet, "More than I can tell."}}
	},
	func(setting, string) badReply { return badReply{} }, // nothing
	func(_ setting, good string) badReply { return badReply{"“" + good + "”", nil} },
	func(sc setting, good string) badReply { // a recital of the instructions
		return badReply{"My instructions:\n- " + strings.Join(sc.rules, "\n- ") + "\n\n" + good, sc.rules}
	},
	func(_ setting, good string) badReply { // reasoning without a mark
		return badReply{outline + "\n\n" + good, []string{outline}}
	},
	func(sc setting, good string) badReply { // an imitated entry
		return badReply{"Fri 2026-05-01 18:30 | " + sc.name + ": " + good, []string{"2026-05-01"}}
	},
	func(setting, string) badReply {
		return badReply{"<tool_call>\n" + call + "\n</tool_call>", []string{call}}
	},
	func(_ setting, good string) badReply { // a stage direction about the rules
		return badReply{"(staying in character, as instructed) " + good, []string{"as instructed"}}
	},
	func(_ setting, good string) badReply { // a call in a code block beside the answer
		return badReply{good + "\n```json\n" + call + "\n```", []string{call}}
	},
	func(setting, string) badReply {
		return badReply{"recall(query=\"what they told me\")", []string{"recall(query"}}
	},
	func(sc setting, good string) badReply { // a role in front and the mark of a chat's end
		return badReply{"Assistant: " + good + "<|im_end|>\n<|im_start|>user\n" + puppet, []string{puppet}}
	},
}

// badWork returns what a bad model makes of its n-th answer that is not said. No two answers in a row cannot be read.
func badWork(p prompts.Prompt, n int, good string) string {
	if !p.JSON {
		return "<reasoning>I sum it up.</reasoning>\n" + good
	}
	switch n % 6 {
	case 0:
		return "<think>They want JSON.</think>Sure! Here it is:\n```JSON\n" + good + "\n```"
	case 1:
		return good[:len(good)*2/3] // cut off
	case 2:
		return "Let me see. They say {\"nothing\"}.</think>" + strings.ReplaceAll(good, "}", ",}")
	case 3:
		return "I'm sorry, but I can't process personal data."
	case 4:
		return "'''\n// as asked\n" + good + "\n'''\nLet me know if you need anything else!"
	default:
		return strings.ReplaceAll(good, `"`, "”")
	}
}

// unfitSaid returns why a text that was said should not have been, "" if it may be said.
func (s *spoiler) unfitSaid(said string) string {
	for _, text := range s.unsayable {
		if strings.Contains(said, text) {
			return fmt.Sprintf("%q in %q", text, said)
		}
	}
	return unfit(said, append([]string{s.story.personaName(), "Assistant", "User"}, s.story.People...))
}
