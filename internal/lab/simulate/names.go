package simulate

import "strings"

func list(names, heads, tails string) *nameList {
	return &nameList{names: split(names), heads: strings.Fields(heads), tails: strings.Fields(tails)}
}

func split(s string) []string { return strings.Split(s, "|") }

// Each name is one word, appears in one list only, and is not an ordinary English word.
var (
	firstNames = list("Tove|Amara|Benedikt|Ciara|Dmitri|Elif|Farid|Greta|Hamish|Ingrid|Jorge|Katya|Lorenzo|Maren|Nikhil|"+
		"Odile|Pavel|Quentin|Rosalind|Soren|Tamsin|Ulla|Viktor|Wanda|Xavier|Yusuf|Zelda|Anselm|Brigid|Casper",
		"Al Bel Cor Dan El Fre Gor Hel Is Jul Kar Lin", "win dra mund tta gard bert lind vina")
	cities = list("Leeds|Oslo|Porto|Gdansk|Tartu|Ghent|Lyon|Bergen|Turin|Malmo|Bremen|Seville|Cork|Utrecht|Krakow|Graz|Bilbao|"+
		"Aarhus|Tampere|Brno|Dresden|Nantes|Bologna|Dundee|Swansea|Limerick|Basel|Antwerp|Rostock|Trieste|Coimbra|Uppsala|"+
		"Stavanger|Odense|Turku|Ljubljana|Zagreb|Vilnius|Kaunas|Riga|Debrecen|Plovdiv|Varna|Cluj|Izmir|Haifa|Perth|Hobart|"+
		"Wellington|Dunedin|Halifax|Winnipeg|Calgary|Portland|Tucson|Madison|Savannah|Tacoma|Boise|Omaha|Durban|Nairobi|"+
		"Kumasi|Lima|Cusco|Quito|Medellin|Rosario|Recife|Natal|Montevideo|Kyoto|Sapporo|Kobe|Busan|Hanoi|Vientiane|Penang",
		"Wester Norr Oster Lang Brad Helm Kirk Sand Thorn Ash", "by ford dal wick stad holm ton berg")
	pets = list("Rex|Luna|Otto|Bailey|Nacho|Bruno|Fergus|Ziggy|Tigger|Gizmo|Winston|Juno|Archie|Milo|Bella|Coco|Rufus|Hector|Ozzy|"+
		"Cleo|Kaspar|Fifi|Barney|Loki|Bonnie|Merlin|Socrates|Tonka|Yoda|Zorro",
		"Fluf Zip Bon Tib Mop Dib", "fy by zo ster kins")
	misheard = list("Rax|Luno|Ottis|Baily|Nacha|Brano|Fargo|Ziggo|Tiggo|Gizma|Winton|Junno|Archy|Mila|Bello|Cocco",
		"Zaf Wip Gon Dob", "fo by zi ster")
	kin = list("Jonas|Freya|Mateo|Sunniva|Callum|Anneke|Diego|Priya|Stefan|Noor|Gareth|Leila|Emil|Yara|Rory|Signe|Tomasz|"+
		"Ines|Henrik|Aisling|Marco|Linnea|Owen|Saskia|Andrei|Mireille|Kofi|Elsbeth|Rafael|Ylva|Duncan|Chiara|Lars|Zeynep|Felix|"+
		"Anouk|Bastian|Carys|Dario|Esme|Florian|Gwen|Hugo|Isolde|Joris|Kirsten|Levent|Maeve|Nils|Oona",
		"Ar Bren Cle Dor Em Fin", "lo na vin ric sa mar")
	employers = list("Nordlys|Brightwell|Halvorsen|Castellan|Fenwick|Oakmere|Tessera|Lindqvist|Marlowe|Pinecrest|Quillon|"+
		"Ravensworth|Solberg|Thackeray|Underhill|Vantage|Westbrook|Yarrow|Zephyr|Arkwright|Bellmont|Corvus|Dunmore|"+
		"Everline|Fairchild|Glenmore|Harrowgate|Ironbridge|Juniper|Kestrel",
		"Vel Tor Mar Syn Pol Hex", "tec mont co nova plex ware")
	therapists = list("Ambrosetti|Feldstrom|Kovarik|Lemaire|Nakagawa|Obermann|Pellegrin|Quiroga|Rasmussen|Szabo|Tveit|Urbanek|"+
		"Villanueva|Wojcik|Yilmaz|Zimmerli|Abelard|Bjornson|Czerny|Dostal|Eriksen|Fontaine|Grabowski|Hollander",
		"Stran Berg Holz Kal Wein Sund", "stein mann sen gren blom vik")
	jobs = split("nurse|baker|teacher|carpenter|librarian|translator|accountant|gardener|electrician|bus driver|vet|chef|plumber|" +
		"photographer|software developer|physiotherapist")
	foods    = split("ramen|lasagne|pad thai|mushroom risotto|fish and chips|pierogi|shakshuka|falafel|dumplings|lemon tart")
	allergen = split("peanuts|shellfish|penicillin|pollen|kiwis")
	cars     = split("Volvo|Skoda|Fiat|Toyota|Renault|Mazda|Subaru")
	months   = split("January|February|March|April|May|June|July|August|September|October|November|December")
)
