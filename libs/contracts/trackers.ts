import { z } from 'zod';

// The words and phrases that an account looks for in its calls.

const TRACKER_KINDS = ['mention', 'required'] as const;
export type TrackerKind = (typeof TRACKER_KINDS)[number];
export const TRACKER_SPEAKERS = ['manager', 'customer', 'anyone'] as const;
export type TrackerSpeaker = (typeof TRACKER_SPEAKERS)[number];
export const TRACKER_RESULTS = ['found', 'missing', 'not_found', 'not_judged'] as const;
export type TrackerResult = (typeof TRACKER_RESULTS)[number];
/** The results by which calls can be listed. */
export const LISTED_RESULTS = ['found', 'missing'] as const satisfies readonly TrackerResult[];
export type ListedResult = (typeof LISTED_RESULTS)[number];

export const TRACKER_LIMITS = { trackers: 50, phrases: 50, nameLength: 60, phraseLength: 100, words: 12, hits: 100 };

const LETTERS = /[\p{L}\p{N}]/gu;
const WORDS = /[\p{L}\p{N}\p{M}]+/gu;
const count = (text: string, each: RegExp) => text.match(each)?.length ?? 0;
/** @returns whether a text has no control or invisible characters, such as those that change its direction */
export const visible = (text: string) => !/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/u.test(text);
const plain = { error: 'must not have control or invisible characters' };

const name = z
  .string()
  .trim()
  .min(1)
  .max(TRACKER_LIMITS.nameLength)
  .refine(visible, plain)
  .describe('Differs from the names of the other trackers; case does not count');
const phrase = z
  .string()
  .trim()
  .max(TRACKER_LIMITS.phraseLength)
  .refine(visible, plain)
  .refine((text) => count(text, LETTERS) > 1, { error: 'must have at least two letters or digits' })
  .refine((text) => count(text, WORDS) <= TRACKER_LIMITS.words, {
    error: `must have at most ${TRACKER_LIMITS.words} words`,
  });
const kind = z
  .enum(TRACKER_KINDS)
  .describe('`mention` lists the calls where it is said; `required` also those where it is missing');
const who = z.enum(TRACKER_SPEAKERS).describe('Who says it');

export const Tracker = z
  .strictObject({
    name,
    kind,
    who,
    phrases: z.array(phrase).min(1).max(TRACKER_LIMITS.phrases).describe('One of them is enough'),
  })
  .meta({ id: 'Tracker', description: 'Words and phrases to find in calls' });

const revision = z.int().min(0).describe('Counts the changes of the list; 0 before the first one');
const trackers = z
  .array(Tracker)
  .max(TRACKER_LIMITS.trackers)
  .refine((all) => new Set(all.map((each) => each.name.toLowerCase())).size === all.length, {
    error: 'must not have two trackers of the same name',
  });
export const TrackerList = z
  .strictObject({ revision, trackers })
  .meta({ id: 'TrackerList', description: 'The trackers of the account' });

const found = { tracker: z.string().describe('Name of the tracker'), kind, who };
export const CallTrackers = z
  .strictObject({
    callId: z.string().describe('Call identifier'),
    revision,
    trackers: z.array(
      z.strictObject({
        ...found,
        result: z
          .enum(TRACKER_RESULTS)
          .describe(
            '`missing`: required and not said. `not_judged`: it is not certain who speaks, or a required phrase ' +
              'in a call where only one person speaks',
          ),
        hits: z
          .array(
            z.strictObject({
              phrase: z.string().describe('The phrase that was found'),
              quote: z.string().describe('Copied from the line'),
              line: z.int().min(0).describe('Index of the line in `transcript`, from 0'),
              start: z.number().min(0).describe('Seconds from the start of the recording'),
              speaker: z.string().describe('`Manager`, `Customer` or `Speaker N`'),
            }),
          )
          .describe(`In the order of the call; the first ${TRACKER_LIMITS.hits}`),
      }),
    ),
  })
  .meta({ id: 'CallTrackers', description: 'What the trackers find in a call' });

const calls = z.int().min(0);
export const TrackerCounts = z
  .strictObject({
    trackers: z.array(
      z.strictObject({
        ...found,
        found: calls.describe('Completed calls where it is said'),
        missing: calls.describe('Completed calls where it is required and not said'),
        notJudged: calls.describe(
          'Completed calls that are not checked: it is not certain who speaks, or a phrase is required and only one ' +
            'person speaks',
        ),
      }),
    ),
    pending: calls.describe('Completed calls that are not searched yet; the other numbers do not count them'),
  })
  .meta({ id: 'TrackerCounts', description: 'What the trackers find in the calls of a range of days' });

export type Tracker = z.infer<typeof Tracker>;
export type TrackerList = z.infer<typeof TrackerList>;
export type CallTrackers = z.infer<typeof CallTrackers>;
export type TrackerCounts = z.infer<typeof TrackerCounts>;
