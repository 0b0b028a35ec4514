package lexical

import stemmer "github.com/blevesearch/snowballstem/italian"

var italian = &Language{
	tag: "it",
	stop: set(`a ad agli ai al all alla alle allo anche ancora avere aveva c che chi ci ciò col come con cosa così cui d da dagli
		dai dal dall dalla dalle dallo degli dei del dell della delle dello di dove dov e è ed egli era erano essere fa fra già
		gli ha hai hanno ho i il in io l la le lei li lo loro lui ma me mi mia mie miei mio molto molta ne negli nei nel
		nell nella nelle nello no noi non nostra nostro o ogni per perché però più poco poi qual quale quali qualcosa quando
		quanta quante quanti quanto quel quell quella quelle quelli quello quest questa queste questi questo qui sarà se sei senza si sì
		sia siamo sono sta sto stata stato su sua sue sugli sui sul sull sulla suo suoi te ti tra tu tua tue tuo tuoi tutti
		tutto un una uno va vado vi voi`),
	stem: snowball(stemmer.Stem),
	times: set(`ieri oggi domani stasera stamattina presto recentemente scorso scorsa prossimo prossima fa settimana
		settimane mese mesi anno anni giorno giorni lunedì martedì mercoledì giovedì venerdì sabato domenica gennaio
		febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre estate inverno primavera
		autunno mattina sera notte compleanno`),
	numbers: set(`due tre quattro cinque sei sette otto nove dieci undici dodici venti trenta dozzina paio alcuni alcune
		cento mille volta volte primo prima secondo seconda terzo terza mezzo`),
	asksWhen: phrases("quando", "che giorno", "quale giorno", "che data", "che mese", "che anno", "a che ora", "da quando",
		"quanto tempo"),
	asksHowMany: phrases("quanto", "quanta", "quanti", "quante", "che età"),
	first:       set(`io me mi mio mia miei mie`),
}
