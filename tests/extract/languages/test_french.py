"""French: rules and what only looks like one, as developers say it."""

from __future__ import annotations

import pytest

from support.speech import rule, talk

RULES = [
    "Non, n'utilise pas curl, utilise le client de lib/http.",
    "Écris toujours la migration avant le modèle, s'il te plaît",
    "À partir de maintenant le lint tourne avant chaque commit",
    "Faux. Les identifiants de grue sont des chaînes, pas des nombres",
    "Ici, on utilise pnpm, pas npm",
    "Notre base de staging écoute sur 6543 maintenant",
    "On a décidé de passer à gRPC entre les services, parce que REST était trop bavard",
    "Je te l'ai déjà dit : pas de force push sur les branches partagées",
    "Ne charge jamais plus de 200 conteneurs par lot",
    "Les tests vont dans tests/unit, pas à côté du code",
    "Les messages d'erreur doivent être en anglais, les clients les lisent",
    "Réponds en deux phrases, je lis le code moi-même",
    "Demande-moi avant d'ajouter une dépendance",
    "Les messages de commit toujours à l'impératif, stp",
    "Pas de print dans la bibliothèque, le logger est là pour ça",
    "Chez nous les branches s'appellent feature/<ticket>-<nom>",
    "N'oublie pas de vider le cache avant chaque déploiement",
    "Pour rappel, le mot de passe vient de Vault et jamais du .env",
    "Désormais on rebase d'abord et on merge ensuite",
    "Les logs sont gardés 30 jours au maximum",
    "Par principe on ne mocke jamais la base de données",
    "On reste sur TOML pour toute la configuration",
    "Si un import échoue il faut garder le manifeste",
    "N'utilise jamais de floats pour les montants",
    "Peux-tu toujours mettre les types ?",
    "Les services ne s'appellent qu'à travers la file",
    "N'invente pas d'identifiants, prends ceux de fixtures/ids.json",
    "Chaque nouvel endpoint doit avoir une entrée dans docs/api.md",
    "Avant chaque release make check doit être vert",
    "On ne touche pas au dossier legacy/, deux clients en dépendent",
    "Ne refais plus jamais ça sans demander",
    "On ne commite pas de fichiers générés",
    "Les variables d'environnement ne sont lues que dans config.py",
    "L'API ne doit pas exposer d'identifiants internes",
    "La prochaine fois, lance les tests avant de pousser",
    "Les mots de passe ne vont pas dans le dépôt",
    "Toutes les dates sont stockées en UTC",
    "Les commentaires en anglais, s'il te plaît",
    "La longueur de ligne est de 100, pas 80",
    "Sans revue on ne merge rien sur main",
    "Pour les mails on passe toujours par la file",
    "Je préfère des fonctions courtes plutôt que des classes",
]

TALK = [
    "Mets-le au vert",
    "Merci, ça marche.",
    "Attends, montre-moi les deux",
    "La page est vide maintenant",
    "Non, l'autre fichier",
    "Hmm, je préférais l'ancien. Remets-le comme avant",
    "Tu peux me montrer le diff d'abord ?",
    "Un poste est-il toujours un quai ?",
    "Les tests sont toujours rouges",
    "Peut-être qu'on n'aurait jamais dû le séparer",
    "Pour l'instant garde tout dans un fichier",
    "Essayons avec un lot plus petit",
    "Corrige toutes les erreurs de lint de ce fichier",
    "Je m'occupe du reste",
    "Laisse tomber, pas grave",
    "Donne-moi la somme des frais de mai",
    "Le bouton du pied de page pointe vers l'ancien site",
    "Pourquoi le test échoue ?",
    "Ajoute une colonne pour le tirant d'eau",
    "Remplace tous les appels à foo par bar",
    "C'est bon, tu peux commiter",
    "La recherche renvoie des lignes en double",
    "Je pense qu'on devrait toujours le mettre en cache",
    "Donne-moi une liste de tous les flux",
    "Relance le serveur et regarde si l'erreur est encore là",
    "Un peu plus sombre stp",
    "L'import s'arrête au bout de deux minutes",
    "Que veut dire le statut 4 dans la table ?",
    "Un collègue écrit :\nNe jamais utiliser de floats. Toujours Decimal.",
    "Renomme la variable en total",
    "Ok, continue",
    "Avant de continuer, mets à jour le changelog",
    "Tu peux renommer la fonction encore une fois ?",
    "La recherche affiche toujours la première page",
    "La connexion ne marche pas sur mobile",
    "Écris un test pour l'importeur",
    "Je n'aime pas la couleur",
    "Attends, ce n'était pas tout",
    "Le cron n'a pas tourné cette nuit",
    "Utilise l'autre parseur dans ce cas",
    "Ajoute dans les réglages un bouton pour le mode sombre",
    "Le formulaire doit contenir le nom et l'adresse",
    "Je ne comprends pas pourquoi c'est si long",
    "D'accord, passons à l'étape suivante",
]


@pytest.mark.parametrize("text", RULES)
def test_rules_are_found(text: str) -> None:
    assert rule(text, "fr")


@pytest.mark.parametrize("text", TALK)
def test_talk_is_left(text: str) -> None:
    assert talk(text) == ""


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (RULES[0], "Utilise le client de lib/http au lieu de curl"),
        (RULES[4], "Utilise pnpm au lieu de npm"),
        (RULES[14], "Évite print dans la bibliothèque, le logger est là pour ça"),
        (RULES[21], "Reste sur TOML pour toute la configuration"),
        (RULES[23], "Évite floats pour les montants"),
    ],
)
def test_titles_are_positive(text: str, title: str) -> None:
    assert rule(text, "fr") == title
