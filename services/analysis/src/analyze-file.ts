import { open } from 'node:fs/promises';
import type { Analysis, Finding, Transcript, Utterance } from '@call-analytics/calls';
import { AccountScorecard } from '@call-analytics/contracts';
import { failureOf, readArguments, readSettings, SettingsError } from '@call-analytics/service-kit';
import { z } from 'zod';
import { chooseAnalyst } from './choose-analyst.ts';
import { analysisSettings } from './settings.ts';

export const USAGE = `Analyzes the transcript of a call and prints the analysis as JSON.

  npm run --silent analyse -- [--engine rules|openai] [--scorecard FILE.json] FILE.json

FILE.json: {"lines": [{"speaker": 0, "startMs": 0, "endMs": 1200, "text": "Good morning."}], "date": "2026-11-20"}
  speaker       who speaks, from 0; leave it out in all lines when speakers are not known
  startMs       when the line begins and ends (endMs), in milliseconds; without them nothing is said about times
  date          the day of the call; with it "on Tuesday" becomes a day

The scorecard is {"questions": [{"question": "Is the price named?", "who": "manager", "weight": 10}]}, with the fields of
PUT /api/v1/scorecard. It judges the call instead of the default rubric.

Exits with 0 on success, 1 when the file or the settings cannot be used.`;

/** A six-hour call has less than a tenth of this. */
const MAX_BYTES = 16 * 2 ** 20;
const MAX_LINES = 100_000;
const MS_PER_WORD = 400;

const milliseconds = z.number().min(0).max(86_400_000);
const WrittenCall = z.object({
  lines: z
    .array(
      z.object({
        speaker: z.int().min(0).max(7).nullish(),
        startMs: milliseconds.nullish(),
        endMs: milliseconds.nullish(),
        text: z.string(),
      }),
    )
    .min(1, 'holds no lines')
    .max(MAX_LINES, `holds more than ${MAX_LINES} lines`),
  date: z.iso.date('must be a day such as 2026-11-20').nullish(),
});
export type WrittenCall = z.infer<typeof WrittenCall>;

const WrittenScorecard = AccountScorecard.extend({
  version: AccountScorecard.shape.version.default(1),
  questions: AccountScorecard.shape.questions.min(1, 'holds no questions'),
});

class WrongInput extends Error {}

type Terminal = Pick<NodeJS.WriteStream, 'write'>;

/**
 * Analyzes one file.
 * @param args the arguments after the program's name
 * @param env the environment, for the settings of the analysis
 * @returns the exit code
 */
export async function runAnalyzeCli(
  args: readonly string[],
  env: Record<string, string | undefined>,
  out: Terminal,
  err: Terminal,
): Promise<0 | 1> {
  try {
    const given = fileAndOptions(args);
    if (given === null) {
      out.write(`${USAGE}\n`);
      return 0;
    }
    const { file, engine, scorecardFile } = given;
    const call = parsed(WrittenCall, 'a call', await readBounded(file), file);
    if (!call.lines.some(({ text }) => text.trim() !== '')) throw new WrongInput(`${file} holds no text.`);
    const scorecard =
      scorecardFile && parsed(WrittenScorecard, 'a scorecard', await readBounded(scorecardFile), scorecardFile);
    const settings = readSettings(analysisSettings, { ...env, ...(engine && { ANALYSIS_ENGINE: engine }) });
    const transcript = transcriptOfCall(call);
    const analysis = await chooseAnalyst(settings).analyze(transcript, {
      signal: new AbortController().signal,
      ...(scorecard && { scorecard }),
      spent: () => {},
    });
    out.write(`${harmless(JSON.stringify(printable(analysis, transcript), null, 2))}\n`);
    return 0;
  } catch (error) {
    const expected = error instanceof WrongInput || error instanceof SettingsError;
    err.write(`${harmless(expected ? error.message : failureOf(error).message)}\n`);
    return 1;
  }
}

/** @returns null when the usage was asked for @throws WrongInput */
function fileAndOptions(
  args: readonly string[],
): { file: string; engine: string | undefined; scorecardFile: string | undefined } | null {
  const options = { engine: { type: 'string' }, scorecard: { type: 'string' }, help: { type: 'boolean' } } as const;
  const read = readArguments({ args, options, allowPositionals: true });
  if ('wrong' in read) throw new WrongInput(`${read.wrong}\n\n${USAGE}`);
  const { engine, scorecard: scorecardFile, help } = read.values;
  if (help) return null;
  if (engine !== undefined && engine !== 'rules' && engine !== 'openai')
    throw new WrongInput(`--engine must be rules or openai, not ${JSON.stringify(engine)}.\n\n${USAGE}`);
  const [file, ...others] = read.positionals;
  if (file === undefined || others.length > 0) throw new WrongInput(`Name one JSON file.\n\n${USAGE}`);
  return { file, engine, scorecardFile };
}

async function readBounded(file: string): Promise<string> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new WrongInput(`Cannot open ${file}: ${error.code === 'ENOENT' ? 'there is no such file' : error.code}.`);
  });
  try {
    const about = await handle.stat();
    if (!about.isFile()) throw new WrongInput(`${file} is not a file.`);
    if (about.size > MAX_BYTES)
      throw new WrongInput(`${file} has ${about.size} bytes. At most ${MAX_BYTES} bytes (16 MiB) are read.`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** @param what the file should hold, for the error @throws WrongInput that says what is wrong and where */
function parsed<T extends z.ZodType>(schema: T, what: string, json: string, file: string): z.infer<T> {
  let content: unknown;
  try {
    content = JSON.parse(json.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new WrongInput(`${file} is not valid JSON: ${(error as Error).message}`);
  }
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  const wrong = read.error.issues.slice(0, 5).map(({ path, message }) => `  ${path.join('.') || 'file'}: ${message}`);
  throw new WrongInput(`${file} is not ${what}:\n${wrong.join('\n')}\n\n${USAGE}`);
}

/** The transcript of a written call. Missing times are estimated from the number of words. */
export function transcriptOfCall({ lines, date }: WrittenCall): Transcript {
  let clock = 0;
  const utterances = lines.map(({ speaker, startMs, endMs, text }): Utterance => {
    const start = startMs ?? clock;
    const end = Math.max(start, endMs ?? start + text.split(/\s+/).length * MS_PER_WORD);
    clock = Math.max(clock, end);
    return { speaker: speaker ?? null, startMs: start, endMs: end, text };
  });
  const speakers = new Set(utterances.map(({ speaker }) => speaker));
  const known = !speakers.has(null);
  const seconds = clock / 1000;
  return {
    language: null,
    date: date ?? undefined,
    ...(lines.some(({ startMs }) => startMs === undefined || startMs === null) && { timesEstimated: true }),
    utterances: known ? utterances : utterances.map((utterance) => ({ ...utterance, speaker: null })),
    speakersBy: known ? 'channels' : 'nothing',
    engine: { name: 'written', model: 'file' },
    audio: {
      seconds,
      channels: known ? Math.max(1, speakers.size) : 1,
      coveredSeconds: seconds,
      speechSeconds: [],
      dropped: [],
    },
  };
}

/** The fields of the HTTP interface by their names, then what they rest on. */
function printable(analysis: Analysis, { timesEstimated }: Transcript) {
  const { lines, callKind, notScored, rubric, numbers, evidence, sections } = analysis;
  const texts = (findings: readonly Finding[]) => findings.map(({ text }) => text);
  const places = (findings: readonly Finding[]) =>
    findings.map((finding) => ({ ...finding, role: finding.line === null ? null : lines[finding.line]?.role }));
  const name = ({ role, speaker }: Analysis['lines'][number]) =>
    role === 'other' ? `Speaker ${(speaker ?? 2) + 1}` : role === 'manager' ? 'Manager' : 'Customer';
  return {
    kind: callKind?.kind ?? null,
    language: analysis.language ?? 'und',
    product: analysis.product ?? '',
    saleStatus: analysis.saleStatus,
    score: analysis.score,
    notScored: notScored ?? null,
    summary: analysis.summary,
    customerIntent: analysis.customerIntent ?? '',
    nextStep: analysis.nextStep ?? '',
    nextSteps: evidence?.nextSteps ?? [],
    customerQuestions: evidence?.customerQuestions ?? [],
    issues: texts(analysis.issues),
    positives: texts(analysis.positives),
    recommendations: analysis.recommendations,
    objections: texts(analysis.objections),
    managerMistakes: texts(analysis.managerMistakes),
    detailedReport: sections,
    transcript: lines.map((line) => `${name(line)}: ${line.text.replace(/\s*[\r\n]+\s*/g, ' ')}`).join('\n'),
    evidence: {
      kind: evidence?.kind ?? null,
      product: evidence?.product ?? null,
      saleStatus: evidence?.saleStatus ?? null,
      customerIntent: evidence?.customerIntent ?? null,
      issues: places(analysis.issues),
      positives: places(analysis.positives),
      objections: places(analysis.objections),
      managerMistakes: places(analysis.managerMistakes),
    },
    criteria: rubric,
    scorecard: analysis.scorecard ?? null,
    metrics: timesEstimated ? { ...numbers, seconds: null } : numbers,
    roles: { by: analysis.rolesBy, confidence: analysis.rolesConfidence },
    lines,
    engine: analysis.engine,
  };
}

/** Escapes characters that change how a terminal shows the text. In JSON the escapes mean the same characters. */
function harmless(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
