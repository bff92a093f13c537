import {
  type Analysis,
  type Call,
  type CallSummary,
  corrected,
  type Finding,
  isRetryable,
  type Line,
  type QueuePace,
  type QueuePlace,
  secondsToStart,
  type Transcript,
  waitingMessage,
} from '@call-analytics/calls';
import {
  type CallDetail,
  type CallListItem,
  type Progress,
  type ReportSection,
  type ReportType,
  SECTIONS_SHOWN,
  type Wait,
} from '@call-analytics/contracts';

/** BCP 47 for a language that is not determined. */
export const UNDETERMINED = 'und';
export const NO_REASON = 'The call could not be processed.';

/** A call as the list shows it. */
export function listItem(call: CallSummary): CallListItem {
  return {
    id: call.id,
    fileName: call.fileName,
    status: call.status,
    reportType: call.reportType,
    ...resultOf(call),
    createdAt: call.createdAt.toISOString(),
    updatedAt: call.updatedAt.toISOString(),
  };
}

type Result = 'language' | 'product' | 'saleStatus' | 'score';

/** Stored calls have null for an unknown value. Clients get a value of the type of the field. */
function resultOf({ language, product, saleStatus, score }: Pick<CallSummary, Result>): Pick<CallListItem, Result> {
  return { language: language ?? UNDETERMINED, product: product ?? '', saleStatus: saleStatus ?? 'unclear', score };
}

/**
 * A call with its report. Unknown values are empty strings or empty lists.
 * @param now decides whether a failed call can still be retried
 */
export function callDetail(
  { call, transcript, analysis }: { call: Call; transcript: Transcript | null; analysis: Analysis | null },
  now = new Date(),
): CallDetail {
  const report = reportOf(call, analysis);
  const detail: CallDetail = {
    id: call.id,
    fileName: call.fileName,
    status: call.status,
    ...resultOf(call),
    createdAt: call.createdAt.toISOString(),
    summary: report?.summary ?? '',
    customerIntent: report?.customerIntent ?? '',
    nextStep: report?.nextStep ?? '',
    issues: texts(report?.issues),
    positives: texts(report?.positives),
    recommendations: report?.recommendations ?? [],
    objections: texts(report?.objections),
    managerMistakes: texts(report?.managerMistakes),
    detailedReport: report === null ? [] : sectionsFor(call.reportType, report),
    transcript: '',
  };
  if (report !== null) detail.transcript = report.lines.map(withRole).join('\n');
  if (call.status === 'failed') {
    // The roles are not known, but the words are kept: of the transcript, or of an analysis that was to be replaced.
    const spoken = analysis?.lines ?? transcript?.utterances ?? [];
    detail.transcript = spoken.map(withSpeaker).join('\n');
    detail.errorMessage = call.failure?.message ?? `${NO_REASON} Upload the recording again.`;
    detail.errorCode = call.failure?.code ?? 'processing_failed';
    detail.retryable = isRetryable(call, transcript !== null || analysis !== null, now);
  }
  return detail;
}

/** The analysis counts when its call is completed. It has the answers of people where there are some. */
export function reportOf({ status, corrections }: Call, analysis: Analysis | null): Analysis | null {
  return status === 'completed' && analysis !== null ? corrected(analysis, corrections) : null;
}

function texts(findings: readonly Finding[] = []): string[] {
  return findings.map(({ text }) => text);
}

/** The report types are views of one analysis: they differ in their sections only. */
function sectionsFor(reportType: ReportType, { sections }: Analysis): ReportSection[] {
  return SECTIONS_SHOWN[reportType].flatMap((id) => sections.find((section) => section.id === id) ?? []);
}

function withRole(line: Line): string {
  return `${roleName(line)}: ${oneLine(line.text)}`;
}

export function roleName({ role, speaker }: Pick<Line, 'role' | 'speaker'>): string {
  return role === 'manager' ? 'Manager' : role === 'customer' ? 'Customer' : speakerName(speaker ?? 2);
}

function withSpeaker({ speaker, text }: Pick<Line, 'speaker' | 'text'>): string {
  return `${speakerName(speaker ?? 0)}: ${oneLine(text)}`;
}

/** @param speaker from 0 */
export function speakerName(speaker: number): string {
  return `Speaker ${speaker + 1}`;
}

export function oneLine(text: string): string {
  return text.includes('\n') || text.includes('\r') ? text.replace(/\s*[\r\n]+\s*/g, ' ') : text;
}

/**
 * @param place null for a call that is finished, in work, or waits for a dependency
 * @param pace of the account's calls, if it is known
 */
export function progressOf(
  { status, stage, waiting, nextAttemptAt, readySince, updatedAt, audio }: Call,
  place: (Pick<QueuePlace, 'ahead'> & { waiting: { for: Wait; since: Date } | null }) | null,
  pace: QueuePace | null,
  now = new Date(),
): Progress {
  // The dependency that one call of the account waits for holds up the calls behind it too.
  const dependency = waiting ?? place?.waiting ?? null;
  const isInQueue = place !== null && nextAttemptAt === null && dependency === null;
  return {
    status,
    stage,
    waitingFor: dependency && {
      code: dependency.for,
      message: waitingMessage(dependency.for),
      // A call that came later has not waited since the first one did.
      since: (waiting === null && dependency.since < readySince ? readySince : dependency.since).toISOString(),
    },
    seconds: audio.seconds,
    secondsDone: isTranscribed(status, stage) ? audio.seconds : Math.min(audio.secondsDone, audio.seconds),
    queue: isInQueue ? { position: place.ahead + 1, startsInSeconds: secondsToStart(place, pace, now) } : null,
    updatedAt: updatedAt.toISOString(),
  };
}

function isTranscribed(status: Call['status'], stage: Call['stage']): boolean {
  return status === 'completed' || stage === 'analysis';
}
