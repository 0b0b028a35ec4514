package understand

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"familiar/memory/understand/rel"
	"familiar/memory/understand/sentences"
)

// labelOf returns the relation of package sentences for a claim.
func labelOf(c Claim) string {
	_, of := rel.CutKin(c.Relation)
	head, _, _ := strings.Cut(of, ":")
	switch {
	case c.Kind == rel.Feeling:
		return "feels"
	case of == "has_pet":
		return "pet"
	case of == "has_person":
		return "person"
	case of == "spouse":
		return "together_with"
	case of == "death":
		return "died"
	case strings.HasPrefix(of, "favourite "):
		return "favourite"
	case head == "person_name" || head == "pet_name":
		return head
	}
	for _, r := range sentences.Relations {
		if r == of {
			return r
		}
	}
	return "fact"
}

var kindred = map[string]string{"spouse": "together_with", "event": "fact", "habit": "fact", "goal": "fact", "hobby": "fact", "bought": "owns", "injury": "illness", "wish": "fact", "drives": "owns", "from": "born_in"}

func kindOf(r string) string {
	if k, ok := kindred[r]; ok {
		return k
	}
	return r
}

func TestMeasure(t *testing.T) {
	dev := os.Getenv("DEV")
	if dev == "" {
		t.Skip()
	}
	b, _ := os.ReadFile(dev)
	ss, err := sentences.Parse(string(b))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []int{1, 2, 3} {
		mode = m
		var marked, claims, right, own float64
		fp := map[string]int{}
		for _, s := range ss {
			for _, mk := range s.Marks {
				if mk.Relation != "remind" && mk.Relation != "avoid" && mk.Relation != "instruction" {
					marked++
				}
			}
			seen := map[int]bool{}
			for _, c := range Analyze(Utterance{Text: s.Text, At: at0}).Claims {
				if c.Kind == rel.Instruction && c.Relation == "instruction" || c.Kind == rel.Promise {
					continue
				}
				claims++
				hit := false
				value := strings.ToLower(c.Value)
				for i, mk := range s.Marks {
					mv := strings.ToLower(s.Text[mk.Start:mk.End])
					if value == "died" || strings.Contains(value, mv) || strings.Contains(mv, value) || strings.Contains(value, strings.TrimPrefix(mv, "a ")) {
						if kindOf(mk.Relation) == kindOf(labelOf(c)) {
							if !hit {
								right++
								if (mk.Subject == "") == (c.Subject == "" && !strings.Contains(c.Relation, "/") && !strings.Contains(c.Relation, "_name:") ) || strings.Contains(c.Relation, ":") || labelOf(c) == "fact" || labelOf(c) == "favourite" || labelOf(c) == "died" {
									own++
								}
							}
							hit = true
							if !seen[i] {
								seen[i] = true
							}
							break
						}
					}
				}
				if !hit {
					fp[labelOf(c)]++
					if os.Getenv("SHOW") != "" && m == 1 {
						fmt.Printf("FP %s\t%+v\n", s.Text, notation([]Claim{c}))
					}
				}
			}
		}
		fmt.Printf("mode %d: P %.3f R %.3f claims %.0f right subject %.3f fp %v\n", m, right/claims, right/marked, claims, own/right, fp)
	}
}
