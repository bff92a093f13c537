import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Script, speakScript } from '../audio/speech.ts';
import { mixed, roomNoise } from '../audio/wave.ts';
import type { Call } from './recordings.ts';

type Speakers = Script['speakers'];

/** Lines by turns; the manager begins. */
const GERMAN = [
  'Guten Tag, hier ist Peter von der Druckerei am Fluss. Spreche ich mit Frau Weber?',
  'Ja, das bin ich. Worum geht es denn?',
  'Sie haben im Frühjahr bei uns Visitenkarten bestellt. Waren Sie damit zufrieden?',
  'Die Karten waren schön, aber die Lieferung kam eine Woche zu spät.',
  'Das tut mir leid. Wir liefern jetzt mit einem anderen Versand, meistens in drei Tagen.',
  'Das klingt schon besser. Wir brauchen im November zweitausend Prospekte für eine Messe.',
  'Welches Format haben die Prospekte, und auf welchem Papier sollen wir sie drucken?',
  'Sie sind so groß wie ein Blatt Papier, beidseitig in Farbe. Was würde das kosten?',
  'Für zweitausend Stück sind es dreihundertvierzig Euro, mit Lieferung an Ihre Adresse.',
  'Das ist etwas mehr als im letzten Jahr. Gibt es einen Rabatt für alte Kunden?',
  'Wenn Sie bis Freitag bestellen, gebe ich Ihnen zehn Prozent. Soll ich Ihnen ein Angebot schicken?',
  'Ja, bitte schicken Sie es mir per Mail. Ich spreche morgen mit meinem Chef darüber.',
  'Sehr gern. Ich rufe Sie am Donnerstag wieder an. Vielen Dank und einen schönen Tag.',
  'Danke, auf Wiederhören.',
];

const SPANISH = [
  'Buenos días, le llama Pedro de la imprenta del río. ¿Hablo con la señora García?',
  'Sí, soy yo. ¿De qué se trata?',
  'En primavera nos pidió unas tarjetas de visita. ¿Quedó contenta con ellas?',
  'Las tarjetas eran bonitas, pero el paquete llegó una semana tarde.',
  'Lo siento mucho. Ahora trabajamos con otra empresa y entregamos casi siempre en tres días.',
  'Eso suena mejor. En noviembre necesitamos dos mil folletos para una feria.',
  '¿Qué tamaño tienen los folletos y en qué papel quiere que los imprimamos?',
  'Son del tamaño de una hoja, en color por los dos lados. ¿Cuánto costaría?',
  'Dos mil folletos cuestan trescientos cuarenta euros, con la entrega en su oficina.',
  'Es un poco más que el año pasado. ¿Tienen un descuento para clientes antiguos?',
  'Si los pide antes del viernes, le hago un diez por ciento. ¿Le envío una oferta?',
  'Sí, envíemela por correo. Mañana hablo con mi jefe.',
  'Con mucho gusto. La llamo el jueves. Muchas gracias y que tenga un buen día.',
  'Gracias, hasta luego.',
];

const espeak = (language: string): Speakers => ({
  manager: { engine: 'espeak-ng', voice: `${language}+m3`, channel: 'left' },
  customer: { engine: 'espeak-ng', voice: `${language}+f2`, channel: 'right' },
});

export const germanCall = () => spokenCall('de', espeak('de'), turnsOf(GERMAN));
export const spanishCall = () => spokenCall('es', espeak('es'), turnsOf(SPANISH));

/** The bundled call, spoken by two men. */
export function twoMen(): Call {
  const file = join(import.meta.dirname, '../audio/scripts/bundled-call.json');
  const { turns } = JSON.parse(readFileSync(file, 'utf8')) as Script;
  return spokenCall(
    'en',
    {
      manager: { engine: 'flite', voice: 'rms', channel: 'left' },
      customer: { engine: 'flite', voice: 'awb', channel: 'right' },
    },
    turns,
  );
}

function turnsOf(lines: readonly string[]): Script['turns'] {
  return lines.map((text, index) => ({ speaker: index % 2 === 0 ? 'manager' : 'customer', pauseMs: 400, text }));
}

function spokenCall(language: string, speakers: Speakers, turns: Script['turns']): Call {
  const dir = mkdtempSync(join(tmpdir(), 'spoken-'));
  try {
    const spoken = speakScript({ about: '', language, speakers, turns, tailMs: 400 }, dir);
    const tracks = [spoken.left, spoken.right].map((track, index) =>
      mixed([track, roomNoise(track.length, -62, 30 + index)]),
    );
    const words = spoken.turns.flatMap(({ speaker, words }) =>
      words.map((word) => ({ ...word, speaker: speaker === 'manager' ? 0 : 1 })),
    );
    return { tracks, spoken: words, words: true, language };
  } finally {
    rmSync(dir, { recursive: true });
  }
}
