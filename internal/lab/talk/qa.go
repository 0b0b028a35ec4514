package talk

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// QA is a short talk with questions whose answers are words of it. A file of them is made of blocks:
//
//	> sold the volvo, bought an e-bike
//	@Dana: we went to Crete last summer
//	< You could try the bakery on Mill Street.
//	? what do i ride to work | e-bike
//	? which place for bread did you suggest? | bakery on Mill Street ; Mill Street
//	? what did the bike cost? | -
//
// ">" begins a message of the asker, "@Name:" one of somebody else, "<" one of the persona. A question is followed by the words
// that answer it, each alone, or by "-" if nothing that was said answers it.
type QA struct {
	Messages []Message
	Asks     []Asked
}

// Message is one message of a QA.
type Message struct {
	// By is the author's name, "" for the asker.
	By   string
	Self bool // said by the persona
	Text string
}

// Asked is one question of a QA.
type Asked struct {
	Question string
	// Answers are words of messages. There are none if nothing answers.
	Answers []string
}

// ReadQA reads files of QA blocks. The error names the first wrong line.
func ReadQA(files ...string) (all []QA, err error) {
	for _, file := range files {
		data, err := os.ReadFile(file) //nolint:gosec // the operator names the file to be read
		if err != nil {
			return nil, fmt.Errorf("read questions and answers: %w", err)
		}
		blocks, err := parseQA(string(data))
		if err != nil {
			return nil, fmt.Errorf("read questions and answers in %s: %w", file, err)
		}
		all = append(all, blocks...)
	}
	return all, nil
}

func parseQA(data string) (all []QA, err error) {
	var block QA
	for n, line := range strings.Split(data+"\n", "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			if len(block.Asks) > 0 {
				all = append(all, block)
			}
			block = QA{}
			continue
		}
		if err := block.add(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	return all, nil
}

// add adds one line of a file.
func (b *QA) add(line string) error {
	switch sign, rest := line[0], strings.TrimSpace(line[1:]); sign {
	case '>':
		b.Messages = append(b.Messages, Message{Text: rest})
	case '<':
		b.Messages = append(b.Messages, Message{Self: true, Text: rest})
	case '@':
		name, said, found := strings.Cut(rest, ":")
		if !found {
			return fmt.Errorf("want @Name: text, not %q", line)
		}
		b.Messages = append(b.Messages, Message{By: name, Text: strings.TrimSpace(said)})
	case '?':
		i := strings.LastIndex(rest, " | ")
		if i < 0 {
			return fmt.Errorf("want a question, | and its answer, not %q", line)
		}
		a := Asked{Question: strings.TrimSpace(rest[:i])}
		if told := strings.TrimSpace(rest[i+3:]); told != "-" {
			for answer := range strings.SplitSeq(told, " ; ") {
				answer = strings.TrimSpace(answer)
				if !slices.ContainsFunc(b.Messages, func(m Message) bool { return strings.Contains(m.Text, answer) }) {
					return fmt.Errorf("the answer %q is in no message", answer)
				}
				a.Answers = append(a.Answers, answer)
			}
		}
		b.Asks = append(b.Asks, a)
	default:
		return fmt.Errorf("a line begins with >, <, @ or ?, not %q", line)
	}
	return nil
}
