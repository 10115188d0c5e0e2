"""German: rules and what only looks like one, as developers say it."""

from __future__ import annotations

import pytest

from support.speech import rule, talk

RULES = [
    "Nein, nimm nicht curl, sondern den Client in lib/http.",
    "Bitte schreib die Migration immer vor dem Model",
    "Ab jetzt läuft lint vor jedem Commit",
    "Falsch. Kran-IDs sind Strings, keine Zahlen",
    "Wir verwenden pnpm, nicht npm",
    "Unsere Staging-Datenbank lauscht jetzt auf 6543",
    "Wir haben uns für gRPC zwischen den Diensten entschieden, weil REST zu gesprächig war",
    "Ich hab dir schon gesagt: keine Force-Pushes auf gemeinsame Branches",
    "Niemals mehr als 200 Container pro Batch laden",
    "Tests gehören nach tests/unit, nicht neben den Code",
    "Fehlermeldungen müssen auf Englisch sein, die Kunden lesen sie",
    "Antworte kurz, ich lese den Code selbst",
    "Frag mich erst, bevor du eine neue Abhängigkeit einbaust",
    "Commit-Nachrichten bitte immer im Imperativ",
    "Kein print in der Bibliothek, dafür gibt es den Logger",
    "Branches heißen bei uns feature/<ticket>-<name>",
    "Denk dran, dass der Cache vor jedem Deploy geleert werden muss",
    "Zur Erinnerung: das Passwort kommt aus dem Vault und nie aus der .env",
    "In Zukunft bitte erst rebasen, dann mergen",
    "Die Logs werden höchstens 30 Tage aufgehoben",
    "Grundsätzlich keine Mocks für die Datenbank, nimm testcontainers",
    "Wir bleiben bei TOML für alle Einstellungen",
    "Wenn ein Import fehlschlägt, muss das Manifest erhalten bleiben",
    "Benutze nie Floats für Geldbeträge",
    "Könntest du bitte immer die Typen mit angeben?",
    "So machen wir das hier nicht, Services rufen sich nur über die Queue auf",
    "Erfinde keine IDs, nimm die aus fixtures/ids.json",
    "Jeder neue Endpunkt braucht einen Eintrag in docs/api.md",
    "Vor jedem Release muss make check grün sein",
    "Der Ordner legacy/ ist tabu, zwei Kunden hängen noch dran",
    "Mach das bitte nie wieder ohne Rückfrage",
    "Wir committen hier keine generierten Dateien",
    "Umgebungsvariablen werden nur in config.py gelesen",
    "Die API darf keine internen IDs nach außen geben",
    "Nächstes Mal bitte erst die Tests laufen lassen, dann pushen",
    "Passwörter gehören nicht ins Repo",
    "Das Build läuft bei uns mit uv, pip nutzen wir nicht mehr",
    "Alle Zeitstempel werden in UTC gespeichert",
    "Kommentare bitte auf Englisch",
    "Zeilenlänge ist 100, nicht 80",
    "Ohne Review wird nichts nach main gemergt",
    "Für Mails nehmen wir immer den Queue-Worker",
]

TALK = [
    "Mach das grün",
    "Danke, läuft jetzt.",
    "Moment, zeig mir beides",
    "Die Seite ist jetzt leer",
    "Nein, die andere Datei",
    "Hm, das alte fand ich besser. Mach es wieder zurück",
    "Kannst du mir erst den Diff zeigen?",
    "Ist ein Liegeplatz immer ein Kai?",
    "Die Tests sind immer noch rot",
    "Vielleicht hätten wir das nie aufteilen sollen",
    "Lass es vorerst alles in einer Datei",
    "Probieren wir es mal mit einem kleineren Batch",
    "Behebe alle Lint-Fehler in dieser Datei",
    "Den Rest mache ich selbst",
    "Egal, vergiss es",
    "Bitte die Summe der Gebühren für Mai",
    "Der Button im Footer zeigt auf die alte Seite",
    "Warum schlägt der Test fehl?",
    "Füge eine Spalte für den Tiefgang hinzu",
    "Ersetze alle Aufrufe von foo durch bar",
    "Sieht gut aus, committen",
    "Die Suche liefert immer wieder doppelte Zeilen",
    "Ich glaube, wir sollten das immer cachen",
    "Gib mir eine Liste aller Flows",
    "Starte den Server neu und schau, ob der Fehler weg ist",
    "Etwas dunkler bitte",
    "Der Import bricht nach zwei Minuten ab",
    "Was bedeutet der Status 4 in der Tabelle?",
    "Eine Kollegin schreibt:\nNie Floats verwenden. Immer Decimal.",
    "Benenn die Variable in total um",
    "Ok, weiter",
    "Kurz noch den Changelog ergänzen",
    "Kannst du die Funktion noch mal umbenennen?",
    "Die Suche zeigt immer nur die erste Seite",
    "Der Login funktioniert auf dem Handy nicht",
    "Schreib einen Test für den Importer",
    "Mir gefällt die Farbe nicht",
    "Warte, das war noch nicht alles",
    "Der Cronjob ist heute nacht nicht gelaufen",
    "Nimm für diesen Fall den anderen Parser",
    "Bitte füge unter Einstellungen einen Schalter für den dunklen Modus hinzu",
    "Das Formular soll den Namen und die Adresse enthalten",
    "Ich verstehe nicht, warum das so lange dauert",
    "Alles klar, dann weiter mit dem nächsten Schritt",
]


@pytest.mark.parametrize("text", RULES)
def test_rules_are_found(text: str) -> None:
    assert rule(text, "de")


@pytest.mark.parametrize("text", TALK)
def test_talk_is_left(text: str) -> None:
    assert talk(text) == ""


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (RULES[0], "Verwende den Client in lib/http statt curl"),
        (RULES[2], "Lint läuft vor jedem Commit"),
        (RULES[4], "Verwende pnpm statt npm"),
        (RULES[6], "Verwende gRPC zwischen den Diensten"),
        (RULES[14], "Verzichte auf print in der Bibliothek, dafür gibt es den Logger"),
        (RULES[21], "Bleib bei TOML für alle Einstellungen"),
        (RULES[23], "Vermeide Floats für Geldbeträge"),
    ],
)
def test_titles_are_positive(text: str, title: str) -> None:
    assert rule(text, "de") == title
