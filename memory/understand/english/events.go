package english

// eventLimit is the longest name of a plan, in words.
const eventLimit = 7

// eventLength is how many words at i may name a plan: up to the verb that tells what became of it.
func eventLength(c Clause, i int) int {
	if SpokenOf[c.Low(i)] {
		return 1
	}
	n := 0
	for n < eventLimit && i+n < len(c.Words) && !c.Words[i+n].Comma && !endsEvent(c, i+n) {
		n++
	}
	if Function[c.Low(i)] {
		return 0
	}
	return n
}

// endsEvent says that the word at i is not part of a plan's name: "doctor's appointment" goes on, "the exam's moved" not.
func endsEvent(c Clause, i int) bool {
	w := c.Low(i)
	if w == "'s" {
		return rescheduling[c.Low(i+1)] || Function[c.Low(i+1)]
	}
	return w == "" || Auxiliaries[w] || Adverbs[w] || rescheduling[w] || persons[w] || w == "got" || w == "will"
}

// persons are the pronouns of people and things.
var persons = Set("i we you he she they it me us him them")

// rescheduling are the verbs that give a plan another time.
var rescheduling = Set("been moved rescheduled postponed shifted pushed changed delayed bumped switched brought put")

// SpokenOf are the words for a plan that was named before. Which one is meant only the running talk tells.
var SpokenOf = Set("it that this me us")

// IsEvent says that a word names something that takes place: "interviews".
func IsEvent(w string) bool { return events[w] || events[Singular(w)] }

// events are the heads of what is noted down with no more than its time: "dentist tomorrow at 9".
var events = Set("dentist doctor vet optician hairdresser haircut interview exam exams test meeting wedding party appointment flight train concert gig " +
	"game match lunch dinner breakfast brunch date class lesson therapy training surgery operation checkup check-up presentation " +
	"deadline trip conference rehearsal practice visit call funeral graduation audition recital marathon race picnic barbecue bbq " +
	"holiday vacation seminar workshop lecture ceremony viewing delivery physio checkin check-in")
