package rel

// company is who and what belongs to somebody: pets, family, friends.
var company = []Relation{
	{
		Key: "pet_name:", Domain: personDomain, topic: "MY {key}'s name", says: "MY {key} is called {value}",
		Said: []string{
			"MY {animal} is called|named {name}", "MY {animal} 's name is|'s {names}", "MY {animal} 's called|named {name}", "MY {animal} are called|named {names}",
			"MY {animal} 's names are {names}", "MY {animal} is {self} $", "I have~ a|an|two|three|another? {animal} called|named {names}",
			"I have~ got a|an|two|three? {animal} called|named {names}", "I have~ a|an|two|three {animal} {proper}", "{proper} is MY {animal} $", "{proper} is the name of MY {animal}",
			"MY {animal} goes by {name}", "MY {animal} {proper}", "the name of MY {animal} is {name}", "I call my {animal} {name}", "we|i named our|my|the {animal} {name}",
			"MY {animal} answers to {name}",
		},
		changed: []string{
			"I got a|an|two|another? {animal} called|named {names}", "I adopted a|an|two|another? {animal} called|named {names}",
			"I got|adopted a|an|another {animal} {proper} $", "I have a new {animal} called|named {name}",
			"I bought a|an {animal} called|named {name}", "I just got a|an {animal} called|named {name}", "I renamed MY {animal} to? {name}",
		},
		denied: []string{"MY {animal} is not called|named {name}", "MY {animal} 's name is not {name}"},
		asked: []string{
			"what is|was|are MY {animal} called|named", "what is|was|are MY {animal} 's? name|names", "MY {animal} 's name", "the name of MY {animal}", "what did I call|name MY {animal}",
			"who is MY {animal}", "what MY {animal} is called|named", "remember|know MY {animal}", "what do|does I call MY {animal}", "is MY {animal} called|named",
		},
	},
	{
		Key: "person_name:", Domain: personDomain, topic: "MY {key}'s name", says: "MY {key} is called {value}",
		Said: []string{
			"MY {role} is called|named {name}", "MY {role} 's name is|'s {names}", "MY {role} 's called|named {name}", "MY {role} are called|named {names}", "MY {role} 's names are {names}",
			"MY {role} is {self} $", "MY {role} is now {self} $", "MY {role} is {self} now $", "I have~ got? a|an|two|three|four? {role} called|named {names}", "I have~ got? a|an|two|three|four {role} {propers} $", "{proper} is MY {role} $", "MY {role} {proper}", "the name of MY {role} is {name}",
			"MY {role} are {propers} $",
		},
		denied: []string{
			"MY {role} is not called|named {name}", "MY {role} 's name is not {name}", "I broke up with my {role} {proper}", "I broke|split up with my {role} $",
			"my {role} and i broke up", "my {role} and i split up $", "my {role} and i have broken|split up",
		},
		asked: []string{
			"what is|was|are MY {role} called|named", "what is|was|are MY {role} 's? name|names", "MY {role} 's name", "who is|are MY {role} $", "what MY {role} is called|named",
			"the name of MY {role}", "is MY {role} called|named", "remember|know MY {role} $",
		},
	},
	{
		Key: DeathRelation, Domain: personDomain, topic: "whether I died", says: "I {value}",
		asked: []string{"did I die", "when did I die", "is|are I dead|alive", "what happened to I", "how did I die"},
	},
	{
		Key: "spouse", Domain: personDomain, topic: "whom I am~ married to", says: "I am~ married to {value}",
		Said: []string{"I am~ married to {proper}", "I married {proper}", "I got married to {proper}", "I tied the knot with {proper}"}, denied: []string{"I divorced {proper}", "I am~ no longer married to {proper}"},
		asked: []string{"who am|is|are I married to", "who I am~ married to", "who is|was MY wife|husband|spouse|partner"},
	},
	{
		Key: "has_pet", Many: true, Domain: personDomain, topic: "MY pets", says: "I have~ {value}",
		Said: []string{"I have~ {animals}", "I have~ got {animals}", "I own~ {animals}"}, changed: []string{"I got {animals}", "I adopted {animals}", "I just got {animals}", "I just adopted {animals}"},
		denied: []string{"I do|does not have|own {animals}", "I no longer have~|own~ {animals}"},
		asked:  []string{"do|does I have|own {animals}", "do|does I have|own any|a? pets|pet", "how many pets|dogs|cats do|does I", "what|which pets|pet|animals|animal do|does I", "what are MY pets"},
	},
	{
		Key: "has_person", Many: true, Domain: personDomain, topic: "MY family", says: "I have~ {value}",
		Said: []string{"I have~ {relatives}", "I have~ got {relatives}"}, denied: []string{"I do|does not have {relatives}", "I no longer have~ {relatives}"},
		asked: []string{"do|does I have {relatives}", "do|does I have ... siblings|children|kids|brothers|sisters", "how many siblings|children|kids|brothers|sisters do|does I"},
	},
	{
		Key: "marital_status", Domain: personDomain, topic: "whether I am~ married", says: "I am~ {value}",
		Said:    []string{"I am~ {marital} $", "I am~ {marital} to", "I have~ been {marital} for|since"},
		changed: []string{"I got {marital}", "I just got {marital}"},
		asked:   []string{"am|is|are I {marital}", "what is MY relationship|marital status", "what is MY status"},
	},
	{
		Key: "together_with", Domain: personDomain, topic: "whom I am~ together with", says: "I am~ together with {value}",
		Said: []string{"I am~ dating {proper}", "I am~ together with {proper}", "I am~ seeing {proper} $"}, denied: []string{
			"I broke up with {proper}", "I split up with {proper}", "{proper} and i broke up", "{proper} and i split up $", "{proper} and i have broken|split up",
			"{proper} and i have? separated", "{proper} and i are not|no together|longer", "{proper} left|dumped me $", "{proper} has left|dumped me $",
			"{proper} broke|split up with me",
		},
		asked: []string{"who am|is|are I dating|seeing", "who am|is|are I together|in with?"},
	},
}

// tastes are likes and dislikes.
var tastes = []Relation{
	{
		Key: "favourite ", Domain: personDomain, topic: "MY favourite {key}", says: "MY favourite {key} is {value}",
		Said:    []string{"MY favourite {noun} is|are now? {thing}", "MY all-time|absolute favourite {noun} is|are {thing}", "MY favourite {noun} of all time|times is|are {thing}"},
		changed: []string{"MY new favourite {noun} is {thing}", "MY favourite {noun} is now {thing}"},
		denied:  []string{"MY favourite {noun} is not {thing}"},
		asked:   []string{"what|which|who is|was|are MY favourite {noun} $", "what|which|who is|was|are MY favourite {noun}", "which|what {noun} do|does I like best|most", "know|remember MY favourite {noun}", "what MY favourite {noun} is", "is MY favourite {noun}", "where is MY favourite {noun}"},
	},
	{
		Key: "dislikes", Kind: Taste, Many: true, Domain: personDomain, topic: "what I dislike~", says: "I dislike~ {value}",
		Said: []string{
			"I hate~ {things}", "I dislike~ {things}", "I detest~ {things}", "I loathe~ {things}", "I can not stand {things}", "I do|does not really|particularly|much? like {things}",
			"I do|does not enjoy {things}", "I am~ not into {things}", "I am~ not a big|huge? fan of {things}", "I can not bear {things}", "I am~ not fond of {things}", "I do|does not care for {things}",
		},
		denied: []string{"I do|does not hate|mind|dislike {things}", "I no longer hate~ {things}"},
		asked: []string{
			"what|which ... do|does|did I hate|dislike|detest|loathe", "what|which ... can not I stand|bear", "what|which ... can I not stand|bear",
			"what|which ... do|does not I like|enjoy|love|care", "what|which ... do|does I not like|enjoy", "anything|something|any ... I do|does not like|enjoy",
			"anything|something|any ... I hate|dislike", "anything|something|any ... I can not stand|bear", "what|which ... I do|does not like|enjoy",
			"what I hate~", "what I dislike~", "what I can not stand|bear", "what annoys me", "do|does I hate|dislike {thing} $", "what are MY dislikes",
			"what am|is|are I not into",
		},
	},
	{
		Key: "likes", Kind: Taste, Many: true, Domain: personDomain, topic: "what I like~", says: "I like~ {value}",
		Said: []string{
			"I like~ {things}", "I love~ {things}", "I adore~ {things}", "I enjoy~ {things}", "I am~ into {things}", "I am~ a big|huge|massive? fan of {things}", "I am~ fond of {things}", "I am~ obsessed with {things}",
			"I am~ crazy about {things}", "I am~ keen on {things}", "I prefer~ {preferred}", "I am~ passionate about {things}", "{thing} is my thing|favourite $", "I have~ always loved|liked {things}", "I dig~ {things}",
		},
		changed: []string{"I started liking {things}", "I got into {pursuit}", "I have gotten|got into {pursuit}", "I switched to {things}", "I fell in love with {place} $"},
		denied: []string{
			"I no longer like~|love~|enjoy~ {things}", "I no longer like|love|enjoy {things}", "I do|does not really? like|love|enjoy {thing} anymore", "I do|does not really? like|love|enjoy {thing} any more|longer", "I am~ not into {thing} anymore", "I used to like|love|enjoy {things}", "I have gone off {things}",
			"I am~ no longer into {things}", "I stopped liking {things}",
		},
		asked: []string{
			"what do|does|did I like|love|enjoy|prefer", "what am|is|are I into", "what ... do|does I like|love|enjoy|prefer|listen", "what ... am|is|are I into", "what is MY taste in", "what are MY tastes|likes|interests",
			"what kind|sort|type of ... I like|love|enjoy|into", "do|does I like|love|enjoy|prefer {thing} $", "did I use|used to like|love|enjoy {thing} $", "what am|is|are I fond of", "what makes me happy", "what things ... i like", "which ... do|does I like|love|prefer|enjoy",
			"am|is|are I into {thing} $", "what i like|love|enjoy", "what i am into",
		},
	},
}
