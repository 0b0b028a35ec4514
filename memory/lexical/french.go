package lexical

import stemmer "github.com/blevesearch/snowballstem/french"

var french = &Language{
	tag: "fr",
	stop: set(`à ai aie as au aucun aussi autre aux avait avec avez avoir avons c ça car ce cela ces cet cette ceux chez
		combien comme comment d dans de des donc dont du elle elles en encore es est et étaient était êtes être eu eux fait
		ici il ils j je jusque l la là le les leur leurs lequel lors lui m ma mais me même mes moi moins mon n ne ni non nos
		notre nous on ont ou où par parce pas peu plus pour pourquoi près qu quand que quel quelle quelles quels qui quoi
		s sa sans se sera ses si son sont sous suis sur t ta te tes toi ton tous tout toute toutes très tu un une va vers
		vais veux veut voici voilà vos votre vous y`),
	stem: snowball(stemmer.Stem),
	times: set(`hier aujourd hui demain bientôt récemment avant dernier dernière prochain prochaine passé passée semaine
		semaines mois an ans année années jour jours lundi mardi mercredi jeudi vendredi samedi dimanche janvier février
		mars avril mai juin juillet août septembre octobre novembre décembre été hiver printemps automne matin soir nuit
		anniversaire depuis weekend`),
	numbers: set(`deux trois quatre cinq six sept huit neuf dix onze douze vingt trente douzaine plusieurs quelques cent
		mille fois premier première deuxième second seconde troisième demi`),
	asksWhen: phrases("quand", "quel jour", "quelle date", "quel mois", "quelle année", "à quelle heure", "depuis quand",
		"combien de temps"),
	asksHowMany: phrases("combien", "quel âge", "quelle taille"),
	first:       set(`je j me m moi mon ma mes mien mienne`),
}
