// The settings in the reader's language: a label each, and in German what it is about. The server's own words, which the
// configuration file has too, are English.

import { currentLanguage } from "./words.js";

/** By key: English label, German label, German explanation. */
const SETTINGS = {
  "arcade.address": ["Address for the QR code", "Adresse für den QR-Code", "Adresse der Lobby, etwa http://roboter.example/; leer: die, auf der der Server hört."],
  "arcade.language": ["Language", "Sprache", "Sprache, mit der Seiten beginnen; Gäste können umschalten."],
  "arcade.question_after_s": ["“Still there?” after", "„Noch da?“ nach", "Wer so lange nicht zieht, wird gefragt, ob er noch da ist."],
  "arcade.drop_after_s": ["Seat is lost after", "Platz frei nach", "Wer die Frage so lange nicht beantwortet, verliert den Platz."],
  "arcade.waiting_question_after_s": ["In line: “Still there?” every", "In der Schlange: „Noch da?“ alle", "Wer in der Schlange steht, wird so oft gefragt, ob er noch da ist."],
  "arcade.turn_at_most_s": ["Longest turn", "Längster Zug", "So lange darf ein Zug höchstens dauern, auch wenn jemand noch da ist."],
  "arcade.line_at_most": ["Longest line", "Längste Schlange", "Wie viele Gäste höchstens anstehen können."],
  "arcade.reconnect_within_s": ["Lost connection: seat is kept for", "Verbindung weg: Platz bleibt", "So lange bleibt ein Platz am Tisch oder in der Schlange frei für einen Gast ohne Verbindung."],
  "arcade.result_for_s": ["Result is shown for", "Ergebnis bleibt stehen", "So lange bleibt ein Ergebnis auf dem Tisch, bevor das nächste Spiel beginnt."],
  "arcade.demo": ["Demo games", "Demo-Partien", "Ob Maschinen gegeneinander spielen, wenn niemand spielt."],
  "arcade.shows": ["Other games", "Andere Spiele", "Ob die Halle auch andere Spiele zeigt, die Gamebot allein spielt. Gilt nach dem nächsten Start."],
  "arcade.front": ["First page", "Erste Seite", "Was unter / steht: die Halle mit allen Spielen oder die Lobby von Vier gewinnt, die es unter /lobby immer gibt."],
  "arcade.tetris_body": ["Tetris is played by", "Tetris spielt", "Wer im Tetris-Automaten spielt: der simulierte Roboter, der echte oder nur die emulierte Konsole. Gilt nach dem nächsten Start."],
  "arcade.visitors_may_disturb": ["Visitors may push fault switches", "Gäste dürfen stören", "Ob Gäste den simulierten Tetris-Roboter stören dürfen: rutschende Finger, verwackelte Kamera, kein Licht."],
  "arcade.hurry": ["Shows as fast as possible", "Vorführung im Zeitraffer", "Ob die Vorführungen so schnell laufen, wie der Rechner kann, statt in echter Zeit: ein Dauertest. Gilt nach dem nächsten Start."],
  "arcade.demo_after_s": ["Demo begins after", "Demo beginnt nach", "So lange muss Ruhe sein, bis eine Demo beginnt."],
  "arcade.demo_pace_ms": ["Pace of a demo", "Tempo einer Demo", "Zeit zwischen zwei Zügen einer Demo."],
  "arcade.demo_red": ["Red in a demo", "Rot in einer Demo", "Wer in einer Demo Rot spielt."],
  "arcade.demo_yellow": ["Yellow in a demo", "Gelb in einer Demo", "Wer in einer Demo Gelb spielt."],
  "arcade.robot_patience_s": ["Patience with the robot", "Geduld mit dem Roboter", "So lange darf ein Stein samt Störungen dauern, bevor ein Spiel ohne Ergebnis endet."],
  "arcade.robot_faults_at_most": ["Faults in one game", "Störungen in einer Partie", "Nach so vielen Störungen geht ein Spiel ohne den Roboter weiter."],
  "arcade.connections": ["Pages at once", "Seiten zugleich", "Wie viele Seiten zugleich verbunden sein können."],
  "arcade.connections_per_address": ["Pages per address", "Seiten je Adresse", "Wie viele Verbindungen eine Adresse haben kann; mehr, wenn alle Gäste eine Adresse teilen (NAT)."],
  "arcade.requests_per_second": ["Requests per address", "Anfragen je Adresse", "Wie oft in der Sekunde eine Adresse nach Partien und Zahlen fragen kann."],
  "arcade.games_per_minute": ["Games per address", "Partien je Adresse", "Wie viele Partien eine Adresse in der Minute beginnen kann."],
  "arcade.behind_proxy": ["Behind a proxy", "Hinter einem Proxy", "Ob ein Proxy auf diesem Rechner Anfragen weiterreicht: Dann gelten Adresse und TLS aus seinen X-Forwarded-Kopfzeilen."],
  "arcade.hosts": ["Further names", "Weitere Namen", "Namen, unter denen Seiten außerdem geöffnet werden können, durch Kommas getrennt."],
  "arcade.keep_demos_days": ["Demo games are kept for", "Demos bleiben gespeichert", "Nach dieser Zeit werden Demo-Partien vergessen; 0: nie."],
  "robot.kind": ["Kind of robot", "Art des Roboters", "Wie der Roboter angeschlossen ist."],
  "robot.line": ["Serial line", "Serielle Leitung", "Die Leitung eines Roboters der Art „serial“."],
  "robot.baud": ["Speed of the line", "Tempo der Leitung", "Bits in der Sekunde."],
  "robot.reply_deadline_ms": ["Longest answer", "Längste Antwort", "So lange darf eine Antwort dauern."],
  "robot.poll_ms": ["Pause while busy", "Pause bei Arbeit", "Pause zwischen zwei Fragen, während er arbeitet; kürzer als seine kürzeste Bewegung."],
  "robot.start_deadline_ms": ["Longest start", "Längster Start", "So lange darf es vom Befehl bis zur Bewegung dauern."],
  "robot.shortest_movement_ms": ["Shortest movement", "Kürzeste Bewegung", "Keine Bewegung ist kürzer. Ist sie kürzer als zwei Antwortfristen, kostet eine verlorene Antwort das ganze Brett."],
  "robot.busy_deadline_s": ["Longest movement", "Längste Bewegung", "So lange darf eine Bewegung dauern."],
  "robot.heartbeat_ms": ["Pause while idle", "Pause bei Ruhe", "Pause zwischen zwei Fragen, während nichts geschieht."],
  "robot.reopen_first_ms": ["First pause before reconnecting", "Erste Pause vor neuem Öffnen", "Pause, bevor eine verlorene Leitung wieder geöffnet wird; jede weitere ist doppelt so lang."],
  "robot.reopen_limit_ms": ["Longest pause before reconnecting", "Längste Pause vor neuem Öffnen", "Die längste solche Pause."],
  "robot.simulated_speed": ["Speed of the simulated robot", "Tempo des simulierten Roboters", "Wievielmal so schnell wie ein echter; die Zeiten oben schrumpfen mit."],
  "robot.simulated_fault_s": ["Length of simulated faults", "Dauer simulierter Störungen", "Wie lange vorübergehende Störungen dauern, beim Tempo des echten Roboters."],
  "robot.simulated_fault_rate": ["Share of simulated faults", "Anteil simulierter Störungen", "Anteil der Zeichen, bei denen etwas schiefgeht."],
  "robot.simulated_habit": ["Bad habit of the simulated robot", "Unart des simulierten Roboters", "Was der simulierte Roboter immer falsch macht."],
  "levels.easy_depth": ["Easy: looks ahead", "Leicht: blickt voraus", "Wie viele Steine „Leicht“ vorausblickt."],
  "levels.easy_bad_share": ["Easy: share of slips", "Leicht: Anteil der Patzer", "Anteil der Züge, die mit Absicht schlecht sind."],
  "levels.medium_depth": ["Medium: looks ahead", "Mittel: blickt voraus", "Wie viele Steine „Mittel“ vorausblickt."],
  "levels.hard_depth": ["Hard: looks ahead", "Schwer: blickt voraus", "Wie viele Steine „Schwer“ vorausblickt."],
  "levels.one_disc": ["Points for one disc", "Punkte für einen Stein", "Für eine Viererlinie mit einem Stein der einen und keinem der anderen Seite."],
  "levels.two_discs": ["Points for two discs", "Punkte für zwei Steine", "Dasselbe mit zwei Steinen."],
  "levels.three_discs": ["Points for three discs", "Punkte für drei Steine", "Dasselbe mit drei Steinen."],
  "levels.four_discs": ["Points for four discs", "Punkte für vier Steine", "Für vier in einer Reihe."],
  "levels.shown_depth": ["Depth of the shown tree", "Tiefe des gezeigten Baums", "Wie viele Steine tief der Suchbaum auf dem großen Bildschirm zu sehen ist."],
  "levels.think_at_most_s": ["Longest thought", "Längstes Nachdenken", "So lange denkt die Maschine höchstens über einen Zug nach."],
  "levels.answer_after_ms": ["Earliest answer", "Früheste Antwort", "So lange nach einem Zug antwortet die Maschine frühestens: so lange sieht man den Stein davor fallen."],
};

const SECTIONS = { arcade: ["Hall", "Saal"], robot: ["Robot", "Roboter"], levels: ["Levels", "Stufen"] };

/** Units and limits as the server writes them, in German. */
const GERMAN = [
  [/^seconds$/, "Sekunden"], [/^milliseconds$/, "Millisekunden"], [/^connections$/, "Verbindungen"], [/^discs$/, "Steine"],
  [/^points$/, "Punkte"], [/^visitors$/, "Gäste"], [/^faults$/, "Störungen"], [/^days$/, "Tage"], [/^bits a second$/, "Bit/s"],
  [/^requests a second$/, "Anfragen/s"], [/^games a minute$/, "Partien/min"],
  [/^a whole number from (\S+) to (\S+)$/, "eine ganze Zahl von $1 bis $2"], [/^a number from (\S+) to (\S+)$/, "eine Zahl von $1 bis $2"],
  [/^a whole number, 0 or more$/, "eine ganze Zahl ab 0"], [/^true or false$/, "ja oder nein"], [/^text in quotes$/, "Text"],
  [/^one of (.*)$/, "eins von $1"], [/^an address that begins with (\S+) or (\S+), or nothing$/, "eine Adresse, die mit $1 oder $2 beginnt, oder nichts"],
  [/^default$/, "Vorgabe"], [/^operator's page$/, "dieser Seite"], [/^profile (.*)$/, "Profil $1"], [/^flag(.*)$/, "Aufruf$1"],
];

const german = () => currentLanguage() === "de";

/** The label of a setting; its key where a newer server has more of them. */
export const settingLabel = (key) => SETTINGS[key]?.[german() ? 1 : 0] ?? key;

/** What it is about; the server's words where there are none of ours. */
export const settingDoc = ({ key, doc }) => (german() ? (SETTINGS[key]?.[2] ?? doc) : doc);

/** The heading of a section. */
export const sectionTitle = (name) => SECTIONS[name]?.[german() ? 1 : 0] ?? name;

/** Units, limits and sources in the reader's language. */
export function inWords(text) {
  if (!german()) return text;
  const found = GERMAN.find(([pattern]) => pattern.test(text));
  return found ? text.replace(...found) : text;
}
