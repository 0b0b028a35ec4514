package claim

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
func didIt(c clause, k int) (stated, bool) {
	done, known := deeds[c.words[k].low]
	doer, of := [2]int{0, k}, [2]int{k + 1, len(c.words)}
	if !known || !allCapital(c, doer) || !allCapital(c, of) {
		return stated{}, false
	}
	return stated{subject: of, value: doer, relation: []string{done, "by"}}, true
}

// isWhere reads "Y is where X was born" and "Y is where X died".
func isWhere(c clause, k int) (stated, bool) {
	last := len(c.words) - 1
	if c.words[k].low != "is" || c.words[k+1].low != "where" || !allCapital(c, [2]int{0, k}) {
		return stated{}, false
	}
	end := last
	if c.words[last-1].low == "was" {
		end--
	}
	st := stated{subject: [2]int{k + 2, end}, value: [2]int{0, k}, relation: []string{c.words[last].low, "in"}}
	happened := made[c.words[last].low] && end < last || c.words[last].low == "died" && end == last
	return st, happened && end > k+2 && allCapital(c, st.subject)
}

// works are the nouns for what somebody made, by how it is told who did: "Dune is a novel by Frank Herbert".
var works = map[string]string{
	"book": "written", "novel": "written", "poem": "written", "play": "written", "story": "written", "essay": "written",
	"song": "performed", "album": "performed", "single": "performed", "track": "performed",
	"film": "directed", "movie": "directed", "painting": "painted", "opera": "composed", "symphony": "composed", "game": "developed",
}

// isWork reads "X is a novel by Y".
func isWork(c clause, k int) (stated, bool) {
	if c.words[k].low != "is" || k+4 >= len(c.words) || c.words[k+1].low != "a" && c.words[k+1].low != "an" {
		return stated{}, false
	}
	for i := k + 3; i < len(c.words)-1 && i <= k+5; i++ {
		if done := works[c.words[i-1].low]; done != "" && c.words[i].low == "by" {
			st := stated{subject: [2]int{0, k}, value: [2]int{i + 1, len(c.words)}, relation: []string{done, "by"}}
			return st, anyCapital(c, st.subject) && allCapital(c, st.value)
		}
	}
	return stated{}, false
}

// seats are what somebody or something has a place for.
var seats = set("headquarters headquarter office capital home seat base location")

// seated are the verbs that tell where something has its seat, by the word before the place.
var seated = map[string]string{"has": "in", "moved": "to", "relocated": "to", "shifted": "to"}

// hasIts reads "X has its headquarters in Y" and "X moved its headquarters to Y".
func hasIts(c clause, k int) (stated, bool) {
	to := seated[c.words[k].low]
	if to == "" || k+4 >= len(c.words) || c.words[k+1].low != "its" {
		return stated{}, false
	}
	for i := k + 3; i < len(c.words)-1 && i <= k+4; i++ {
		if c.words[i].low == to && seats[c.words[i-1].low] {
			_, value := kindAt(c, i+1)
			return stated{subject: [2]int{0, k}, value: [2]int{value, len(c.words)}, relation: roleWords(c, k+2, i)}, c.words[value].capital
		}
	}
	return stated{}, false
}
