import type { NextStep } from '@call-analytics/calls';
import { timesIn } from './days.ts';
import { titleOf } from './step-titles.ts';

/** A pattern of whole words, in parts that fit a line. */
export const anyOf = (...parts: string[]) => new RegExp(`\\b(?:${parts.join('|')})\\b`, 'i');

const I_WILL = String.raw`(?:i|we)(?:'ll| will|'m going to| can| could|'d) (?:\w+ )?`;
const MANAGERS = anyOf(
  `${I_WILL}(?:send|bring|come|call|ring|email|text|drop|pop|get|put|do|have|post|draw|be)`,
  `${I_WILL}(?:fit|install|deliver|pick|start|book|sort|give|show)`,
  "(?:shall|may|should) (?:i|we)|let me|you'll (?:have|get|receive)|i'm (?:sending|texting|emailing|passing)",
);
const CUSTOMERS = anyOf(
  "(can|could|would|will|if) you(?:'d)?(?: both| two)?(?: just)? (?:send|bring|come|pop|give|fill|sign|get)",
  "(can|could|would|will|if) you(?:'d)?(?: both| two)?(?: just)? (?:dig|ring|call|let|email|drop|ask|check)",
  "you(?:'ll)? (?:need to|send|come|bring|pop|sign)|(?:send|email|give|ring|call) me",
  '(?:come|pop) (?:in|down|along|and see)',
);

const ASKS_LEAVE =
  'would it (?:help|work|suit|be (?:all right|alright|okay|ok|easier|better))(?: for you)? if (?:i|we)';
/** Words that begin a proposal, and those before it that only lead to it. */
export const PROPOSES = anyOf(
  "let me|let's|shall (?:i|we)|(?:i|we)(?:'ll| will| can| could)|you'?ll|(?:can|could|may) (?:i|we)",
  "(?:can|could|would|will) you|i'm (?:going to|sending|texting|emailing)|how about|what about",
  "why don't (?:i|we|you)|(?:do you )?want me to|if you (?:can|could)|send (?:me|us)",
  '(?:come|pop) (?:in|down|round|over)',
  ASKS_LEAVE,
);
/** Words after which a reason, a condition or the next thought begins. */
const GOES_ON = /[,;]?\s+(?:because|cause|cos|so that|and then|but|if|and (?:i|we|you|that|it|tell)(?:'ll|'s)?)\b/gi;
/** A question is no action: "Shall I ring you on Friday?" is to "ring you on Friday". */
const ASKING = anyOf(
  "(?:would you like|(?:do you )?want)(?: me)?(?: to)?|(?:how|what) about|why don't (?:i|we|you)",
  '(?:shall|should|can|could|may|would|will) (?:i|we|you)(?: both| just)?',
  ASKS_LEAVE,
).source;
const ASKS = new RegExp(String.raw`^${ASKING}\s+(\S+\s.+?)\s*\??$`, 'i');
/** "Is Saturday possible, at noon?" asks for "Saturday, at noon". */
const FITTING = '(?:possible|any good|okay|ok|all right|alright|fine|good|free|work(?: for you)?|suit(?: you)?|do)';
const ASKS_DAY = new RegExp(
  String.raw`^(?:is|are|would|does|will) (?!it\b|that\b|this\b )(.+?) (?:be )?${FITTING}\b(.*?)\??$`,
  'i',
);
/** A question that only asks whether what is said before it suits. */
const TAG = anyOf("how's that|is that okay|is that all right|would that (?:work|suit|help)|does that work|right|okay");
const IS_TAG = new RegExp(String.raw`,? ${TAG.source}(?: for you)?\?$`, 'i');
/** A question that proposes nothing: "When could she start?" */
const ONLY_ASKS = /^(?:when|who|how|what|where|which|is|are|do|does|would|will|can|could)\b.*\?$/i;
const SENTENCES = /(?<=[.!?;])\s/;
/** Fewer words propose nothing. */
const MIN_PROPOSED = 3;

/** @returns the part that proposes a step: from the words that begin it to the next thought, else its best sentence */
export function proposalIn(text: string): string {
  const title = titleOf(text);
  const [opener = ''] = PROPOSES.exec(text) ?? [];
  const [begun = ''] = text.slice(text.indexOf(opener)).split(SENTENCES);
  const isAbout = (part: string) => (title === undefined ? timesIn(part, null).length > 0 : titleOf(part) === title);
  const about = text.split(SENTENCES).find(isAbout) ?? text;
  const sentence = opener === '' ? about : begun;
  const next = [...sentence.matchAll(GOES_ON)].find(({ index }) => index > opener.length);
  const isWhole = (part: string) =>
    part.split(/\s+/).length >= MIN_PROPOSED && (title === undefined || titleOf(part) !== undefined);
  const parts = [sentence.slice(0, next?.index).replace(/,? and$/, ''), sentence, about, text];
  return parts.map((part) => part.trim()).find(isWhole) ?? text;
}

/** @returns what a text proposes to do, for a list of actions: no question */
export function actionIn(text: string): string {
  const proposed = proposalIn(text).replace(IS_TAG, '');
  const [, action] = ASKS.exec(proposed) ?? [];
  const [, day, rest = ''] = ASKS_DAY.exec(proposed) ?? [];
  if (action !== undefined) return action;
  if (day !== undefined) return day + rest;
  return (ONLY_ASKS.test(proposed) && titleOf(text)) || proposed.replace(/\?$/, '');
}

/** @returns who acts, only where the manager offers it in words: elsewhere a third of the guesses were wrong */
export function whoDoes(said: string): NextStep['who'] {
  const text = said.toLowerCase();
  return MANAGERS.test(text) && !CUSTOMERS.test(text) ? 'manager' : null;
}
