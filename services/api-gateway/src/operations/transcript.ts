import {
  type Analysis,
  type Call,
  type Misheard,
  misheardInLines,
  type Transcript,
  type Utterance,
  wordsOfLines,
} from '@call-analytics/calls';
import { CallTranscript } from '@call-analytics/contracts';
import { TRANSCRIBED } from '../openapi/examples.ts';
import { oneLine, roleName, speakerName, UNDETERMINED } from './call-view.ts';
import { callOf } from './calls.ts';
import { type Dependencies, operation } from './operation.ts';

type Turn = CallTranscript['turns'][number];

/** The transcript of a call as JSON, and as the formats of people and players. */
export const transcriptOperations = {
  getTranscript: operation(
    {
      method: 'get',
      path: '/api/v1/calls/{id}/transcript',
      tag: 'Calls',
      summary: 'Read the transcript of a call',
      description:
        'Who said what and when, by turn and by word, and which parts were not heard. It can be read before the ' +
        'analysis is done; the roles of the speakers are known after that. Without a transcript there are no turns.',
      caller: 'client',
      answer: {
        status: 200,
        description: 'The transcript',
        schema: CallTranscript,
        examples: { completed: TRANSCRIBED },
      },
      problems: ['call_not_found'],
    },
    async ({ id, caller: { account } }, { calls }) => read(calls, account.id, id),
  ),
  getTranscriptText: asText('txt', 'text/plain', 'plain text, one line for each turn', ({ turns }) =>
    turns.map(({ start, speaker, text }) => `[${clock(start, '.').slice(0, 8)}] ${speaker}: ${text}\n`).join(''),
  ),
  // https://www.w3.org/TR/webvtt1/
  getTranscriptVtt: asText('vtt', 'text/vtt', 'WebVTT', ({ turns }) =>
    [
      'WEBVTT\n',
      ...turns.flatMap(cuesOf).map((each) => `${cue(each, '.')}\n<v ${each.speaker}>${escaped(each.text)}\n`),
    ].join('\n'),
  ),
  getTranscriptSrt: asText('srt', 'application/x-subrip', 'SubRip', ({ turns }) =>
    turns.map((turn, index) => `${index + 1}\n${cue(turn, ',')}\n${turn.speaker}: ${turn.text}\n`).join('\n'),
  ),
};

function asText(
  suffix: 'txt' | 'vtt' | 'srt',
  text: 'text/plain' | 'text/vtt' | 'application/x-subrip',
  format: string,
  write: (transcript: CallTranscript) => string,
) {
  return operation(
    {
      method: 'get',
      path: `/api/v1/calls/{id}/transcript.${suffix}`,
      tag: 'Calls',
      summary: `Read the transcript as .${suffix}`,
      description: `The transcript as ${format}, in UTF-8.`,
      caller: 'client',
      answer: { status: 200, description: 'The transcript', text },
      problems: ['call_not_found'],
    },
    async ({ id, caller: { account } }, { calls }) => write(await read(calls, account.id, id)).replace(HIDDEN, ''),
  );
}

/** Control characters, and those that reverse the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

async function read(calls: Dependencies['calls'], accountId: string, callId: string): Promise<CallTranscript> {
  const call = await callOf(calls, accountId, callId);
  const [transcript, analysis] = await Promise.all([
    calls.reads.transcript(callId),
    call.status === 'completed' ? calls.reads.analysis(callId) : null,
  ]);
  return callTranscript(call, transcript, analysis);
}

function callTranscript(
  { id, status, audio, language }: Call,
  transcript: Transcript | null,
  analysis: Analysis | null,
): CallTranscript {
  return {
    callId: id,
    status,
    language: language ?? UNDETERMINED,
    seconds: audio.seconds,
    turns: turnsOf(transcript, analysis),
    unheard: (transcript?.audio.dropped ?? []).map(({ startMs, endMs, reason }) => ({
      start: startMs / 1000,
      end: endMs / 1000,
      reason,
    })),
  };
}

function turnsOf(transcript: Transcript | null, analysis: Analysis | null): Turn[] {
  const utterances = transcript?.utterances ?? [];
  const foreign = utterances.filter(({ language }) => language !== undefined);
  const words = wordsOfLines(utterances, analysis?.lines ?? utterances);
  const misheard = misheardInLines(utterances, analysis?.lines ?? utterances);
  const turn = (
    said: Omit<Utterance, 'language' | 'words' | 'misheard'>,
    index: number,
  ): Omit<Turn, 'role' | 'confidence'> => ({
    start: said.startMs / 1000,
    end: said.endMs / 1000,
    speaker: speakerName(said.speaker ?? 0),
    // The lines of an analysis have no language; each lies within an utterance.
    language:
      foreign.find((each) => each.speaker === said.speaker && each.startMs <= said.startMs && said.startMs < each.endMs)
        ?.language ??
      transcript?.language ??
      UNDETERMINED,
    text: oneLine(said.text),
    ...wordsOfTurn(words[index]),
    ...misheardInTurn(said.text, misheard[index]),
  });
  if (analysis === null)
    return utterances.map((each, index) => ({ ...turn(each, index), role: null, confidence: null }));
  return analysis.lines.map((line, index) => ({
    ...turn(line, index),
    speaker: roleName(line),
    role: line.role,
    confidence: analysis.rolesConfidence,
  }));
}

function wordsOfTurn(words: ReturnType<typeof wordsOfLines>[number] = []): Pick<Turn, 'words'> {
  if (words.length === 0) return {};
  return { words: words.map(({ text, startMs, endMs }) => ({ text, start: startMs / 1000, end: endMs / 1000 })) };
}

function misheardInTurn(text: string, misheard: readonly Misheard[] = []): Pick<Turn, 'misheard'> {
  if (misheard.length === 0) return {};
  return { misheard: misheard.map((each) => ({ ...each, at: oneLine(text.slice(0, each.at)).length })) };
}

/** What is read at once: two lines of 42 characters, for up to 7 s. */
const CUE = { characters: 84, seconds: 7 };

/** Cuts a turn between words whose times are known, into parts of like length. */
function cuesOf(turn: Turn): Turn[] {
  const cues: Turn[] = [];
  const { text, words = [] } = turn;
  const share = text.length / Math.ceil(text.length / CUE.characters);
  let [start, from, at] = [turn.start, 0, 0];
  words.forEach((word, index) => {
    at = text.indexOf(word.text, at);
    const before = words[index - 1];
    const isFull = at - from > share || at + word.text.length - from > CUE.characters || word.end - start > CUE.seconds;
    if (before !== undefined && isFull) {
      cues.push({ ...turn, start, end: before.end, text: text.slice(from, at).trimEnd() });
      [start, from] = [word.start, at];
    }
    at += word.text.length;
  });
  return [...cues, { ...turn, start, text: text.slice(from) }];
}

/** The times of a subtitle. A player skips one that ends when it begins. */
function cue({ start, end }: Turn, separator: '.' | ','): string {
  return `${clock(start, separator)} --> ${clock(Math.max(end, start + 0.001), separator)}`;
}

/** Such as 01:02:03.456. */
function clock(seconds: number, separator: '.' | ','): string {
  return new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23).replace('.', separator);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
