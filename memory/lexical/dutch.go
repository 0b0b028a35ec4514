package lexical

import stemmer "github.com/blevesearch/snowballstem/dutch"

var dutch = &Language{
	tag: "nl",
	stop: set(`aan al alle als altijd andere ben bent bij daar dan dat de deze die dit door dus een eens en er ga gaan gaat
		ge geen had hadden heb hebben hebt heeft hem hen het hier hij hoe hoeveel hun ik in is ja je jij jou jouw jullie
		kan kun kunnen maar me meer met mij mijn moet moeten mogen na naar nee niet niets nog nu of om omdat ons onze onder
		ook op over rond s t te tegen toch toen tot u uit uw van veel voor waar waarom wanneer want waren was wat we wel
		welk welke werd wie wij wil wilde word worden wordt ze zelf zich zij zijn zo zonder zou`),
	stem:     snowball(stemmer.Stem),
	genitive: "s",
	times: set(`gisteren eergisteren vandaag morgen overmorgen vanavond onlangs binnenkort geleden vorig vorige afgelopen
		volgende week weken weekend maand maanden jaar jaren dag dagen maandag dinsdag woensdag donderdag vrijdag zaterdag
		zondag januari februari maart april mei juni juli augustus september oktober november december zomer winter lente
		herfst ochtend avond nacht verjaardag sinds`),
	numbers: set(`twee drie vier vijf zes zeven acht negen tien elf twaalf twintig dertig dozijn paar enkele honderd
		duizend keer eerste tweede derde half`),
	asksWhen:    phrases("wanneer", "welke dag", "welke datum", "welk jaar", "welke maand", "hoe laat", "hoe lang", "sinds wanneer"),
	asksHowMany: phrases("hoeveel", "hoe oud", "hoe vaak", "hoe lang", "hoe ver", "hoe groot", "hoe hoog"),
	first:       set(`ik me mij mijn mijne`),
}
