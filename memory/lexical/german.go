package lexical

import stemmer "github.com/blevesearch/snowballstem/german"

var german = &Language{
	tag: "de",
	stop: set(`ab aber allem allen aller alles als also am an ans auch auf aus bei beim bin bis bist da dabei damit dann
		daran darauf das dass davon dazu dein deine deinem deinen deiner dem den denen denn der des deshalb dich die dies
		diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer
		eure fürs für gegen gibt hab habe haben hast hat hatte hatten hattest hier hin ich ihm ihn ihnen ihr ihre ihrem
		ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jetzt kann kannst können könnte mag magst man mehr mein
		meine meinem meinen meiner mich mir mit muss nach nein nicht nichts noch nun nur ob oder ohne schon sehr sein seine
		seinem seinen seiner seit sich sie sind so soll sollte über um und uns unser unsere unserem unseren unter vom von
		vor war waren warst warum was weil welche welchem welchen welcher welches wem wen wenn wer werde werden wessen wie
		wieder will willst wir wird wirst wo woher wohin wollte worden worüber wozu wurde wurden würde zu zum zur zwischen
		wann womit wieso`),
	stem:     snowball(stemmer.Stem),
	genitive: "s",
	times: set(`gestern vorgestern heute morgen übermorgen neulich kürzlich vorhin bald früher später letzte letzten
		letzter letztes letztem nächste nächsten nächster nächstes vorige vorigen woche wochen wochenende monat monate
		monaten jahr jahre jahren tag tage tagen montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
		januar jänner februar märz april mai juni juli august september oktober november dezember sommer winter frühling
		frühjahr herbst abend morgens abends nacht geburtstag`),
	numbers: set(`eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig dutzend paar hundert
		tausend einmal zweimal dreimal erste ersten zweite zweiten dritte dritten halb`),
	asksWhen: phrases("wann", "an welchem tag", "welches datum", "in welchem jahr", "in welchem monat", "um wie viel uhr",
		"seit wann", "wie lange"),
	asksHowMany: phrases("wie viel", "wie viele", "wieviel", "wieviele", "wie alt", "wie oft", "wie lange", "wie weit",
		"wie groß", "wie hoch", "wie teuer"),
	first: set(`ich mich mir mein meine meinem meinen meiner meines`),
}
