package understand

import "familiar/memory/understand/english"

// Statements told from the one who did it, "Frank Herbert wrote Dune", and from the place, "Rome is where Ann was born":
// what is known is known of the other.

// deeds are what somebody does that is told of what they did it to, by the word it is told in there.
var deeds = func() map[string]string {
	out := map[string]string{
		"wrote": "written", "sang": "sung", "made": "made", "built": "built", "owns": "owned", "bought": "owned", "acquired": "owned",
		"hired": "employed",
	}
	for _, done := range [...]string{
		"founded", "established", "created", "invented", "developed", "directed", "composed", "designed", "painted", "authored",
		"manufactured", "produced", "performed", "discovered", "published", "recorded", "employed", "coached", "chaired", "started", "owned",
	} {
		out[done] = done
	}
	for now, done := range map[string]string{
		"makes": "made", "manufactures": "manufactured", "produces": "produced", "employs": "employed", "coaches": "coached",
		"chairs": "chaired", "publishes": "published", "develops": "developed",
	} {
		out[now] = done
	}
	return out
}()

// didIt reads "Y wrote X", both of them names.
func didIt(c english.Clause, k int) (stated, bool) {
	done, known := deeds[c.Words[k].Low]
	doer, of := [2]int{0, k}, [2]int{k + 1, len(c.Words)}
	if !known || !allCapital(c, doer) || !allCapital(c, of) {
		return stated{}, false
	}
	return stated{subject: of, value: doer, relation: []string{done, "by"}}, true
}

// isWhere reads "Y is where X was born" and "Y is where X died".
func isWhere(c english.Clause, k int) (stated, bool) {
	last := len(c.Words) - 1
	if c.Words[k].Low != "is" || c.Words[k+1].Low != "where" || !allCapital(c, [2]int{0, k}) {
		return stated{}, false
	}
	end := last
	if c.Words[last-1].Low == "was" {
		end--
	}
	st := stated{subject: [2]int{k + 2, end}, value: [2]int{0, k}, relation: []string{c.Words[last].Low, "in"}}
	happened := made[c.Words[last].Low] && end < last || c.Words[last].Low == "died" && end == last
	return st, happened && end > k+2 && allCapital(c, st.subject)
}

// works are the nouns for what somebody made, by how it is told who did: "Dune is a novel by Frank Herbert".
var works = map[string]string{
	"book": "written", "novel": "written", "poem": "written", "play": "written", "story": "written", "essay": "written",
	"song": "performed", "album": "performed", "single": "performed", "track": "performed",
	"film": "directed", "movie": "directed", "painting": "painted", "opera": "composed", "symphony": "composed", "game": "developed",
}

// isWork reads "X is a novel by Y".
func isWork(c english.Clause, k int) (stated, bool) {
	if c.Words[k].Low != "is" || k+4 >= len(c.Words) || c.Words[k+1].Low != "a" && c.Words[k+1].Low != "an" {
		return stated{}, false
	}
	for i := k + 3; i < len(c.Words)-1 && i <= k+5; i++ {
		if done := works[c.Words[i-1].Low]; done != "" && c.Words[i].Low == "by" {
			st := stated{subject: [2]int{0, k}, value: [2]int{i + 1, len(c.Words)}, relation: []string{done, "by"}}
			return st, anyCapital(c, st.subject) && allCapital(c, st.value)
		}
	}
	return stated{}, false
}

// seats are what somebody or something has a place for.
var seats = english.Set("headquarters headquarter office capital home seat base location")

// seated are the verbs that tell where something has its seat, by the word before the place.
var seated = map[string]string{"has": "in", "moved": "to", "relocated": "to", "shifted": "to"}

// hasIts reads "X has its headquarters in Y" and "X moved its headquarters to Y".
func hasIts(c english.Clause, k int) (stated, bool) {
	to := seated[c.Words[k].Low]
	if to == "" || k+4 >= len(c.Words) || c.Words[k+1].Low != "its" {
		return stated{}, false
	}
	for i := k + 3; i < len(c.Words)-1 && i <= k+4; i++ {
		if c.Words[i].Low == to && seats[c.Words[i-1].Low] {
			_, value := kindAt(c, i+1)
			return stated{subject: [2]int{0, k}, value: [2]int{value, len(c.Words)}, relation: roleWords(c, k+2, i)}, c.Words[value].Capital
		}
	}
	return stated{}, false
}
