package llm

import (
	"regexp"
	"strings"
	"unicode"

	"familiar/prompts"
)

// concealed stands in a provider's message for what people said.
const concealed = "[…]"

// manyDigits is from how many digits on a word of a prompt is concealed alone: it may be somebody's number.
const manyDigits = 5

var wordPattern = regexp.MustCompile(`[\pL\pN\pM]+`)

// conceal removes from a provider's message what it repeats of the texts that it was sent: two words or more in a row, and
// numbers. Its own message remains, since the operator needs it, and people's words reach no log.
func conceal(message string, texts ...string) string {
	at := wordPattern.FindAllStringIndex(message, -1)
	pairs, words := map[string]bool{}, make([]string, len(at))
	for i, span := range at {
		words[i] = strings.ToLower(message[span[0]:span[1]])
		if i > 0 {
			pairs[words[i-1]+" "+words[i]] = false
		}
	}
	numbers := map[string]bool{}
	for _, text := range texts {
		before := ""
		for _, word := range wordPattern.FindAllString(text, -1) {
			word = strings.ToLower(word)
			if _, asked := pairs[before+" "+word]; asked {
				pairs[before+" "+word] = true
			}
			if before = word; digits(word) >= manyDigits {
				numbers[word] = true
			}
		}
	}
	var out strings.Builder
	end, hidden := 0, false
	for i, span := range at {
		follows := i > 0 && pairs[words[i-1]+" "+words[i]]
		leads := i < len(at)-1 && pairs[words[i]+" "+words[i+1]]
		cut := hidden && span[1] == len(message)-len("…") && strings.HasSuffix(message, "…") // the rest of it is missing
		hide := follows || leads || cut || numbers[words[i]]
		switch {
		case hide && !(hidden && (follows || cut)):
			out.WriteString(message[end:span[0]] + concealed)
		case !hide:
			out.WriteString(message[end:span[1]])
		}
		end, hidden = span[1], hide
	}
	return out.String() + message[end:]
}

func digits(word string) (n int) {
	for _, r := range word {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// saidIn returns the texts of a prompt that people's words are in.
func saidIn(p prompts.Prompt) (texts []string) {
	for _, m := range p.Messages {
		texts = append(texts, m.Text)
	}
	return texts
}

// OperatorText returns a provider's message as an operator may read it in a log: on one line, short, without the keys, and without
// what it repeats of the texts that the provider was sent.
func OperatorText(message string, keys []string, sent ...string) string {
	return conceal(detail(message, keys...), sent...)
}
