import type { Analysis, Line, Role, Transcript, Utterance } from './record.ts';

// Who is who in a call, as a person corrects it.

/** A speaker of a call. `speaker` is 0-based, as in the transcript. */
export interface SpeakerRole {
  speaker: number;
  role: Role;
}

interface CallSpeaker extends SpeakerRole {
  words: number;
  /** What they say first, to recognize them by. */
  firstWords: string;
}

const BY_ROLE: Readonly<Record<Role, number>> = { manager: 0, customer: 1, other: 2 };
const SHOWN_WORDS = 20;

/**
 * @param lines of the analysis: where the transcript has no speakers, each role is one
 * @returns the speakers in order of their numbers
 */
export function speakersOf(transcript: Transcript, lines: readonly Line[]): CallSpeaker[] {
  return [...Map.groupBy(withSpeakers(transcript, lines), ({ speaker }) => speaker)]
    .map(([speaker, own]) => {
      const words = own.flatMap(({ text }) => text.split(/\s+/).filter(Boolean));
      const firstWords = words.slice(0, SHOWN_WORDS).join(' ');
      return { speaker, role: own[0]?.role ?? 'other', words: words.length, firstWords };
    })
    .sort((a, b) => a.speaker - b.speaker);
}

/**
 * The transcript with the roles that a person gave to its speakers. Where it had no speakers, its utterances become the
 * lines of the analysis, so that the correction stays what was seen.
 * @returns null when the roles are not those of exactly the call's speakers
 */
export function withRoles(
  transcript: Transcript,
  lines: readonly Line[],
  roles: readonly SpeakerRole[],
): Transcript | null {
  const numbers = (of: readonly SpeakerRole[]) => of.map(({ speaker }) => speaker).sort((a, b) => a - b);
  if (String(numbers(roles)) !== String(numbers(speakersOf(transcript, lines)))) return null;
  const corrected = { ...transcript, roles: [...roles] };
  if (areToldApart(transcript)) return corrected;
  const utterances: Utterance[] = withSpeakers(transcript, lines).map(({ role, ...utterance }) => utterance);
  return { ...corrected, utterances, speakersBy: 'person' };
}

/** @returns whether the analysis was made with these roles of a person */
export function hasRoles({ rolesBy, lines }: Analysis, roles: readonly SpeakerRole[]): boolean {
  const wanted = new Map(roles.map(({ speaker, role }) => [speaker, role]));
  return rolesBy === 'person' && lines.every((line) => wanted.get(line.speaker ?? -1) === line.role);
}

/** The lines with speakers: those of the transcript, or else one for each role. */
function withSpeakers(transcript: Transcript, lines: readonly Line[]): (Line & { speaker: number })[] {
  const isKnown = areToldApart(transcript);
  return lines.map((line) => ({ ...line, speaker: isKnown ? (line.speaker ?? 0) : BY_ROLE[line.role] }));
}

function areToldApart({ utterances }: Transcript): boolean {
  return (
    new Set(utterances.map(({ speaker }) => speaker)).size > 1 && utterances.every(({ speaker }) => speaker !== null)
  );
}
