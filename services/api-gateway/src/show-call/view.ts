import {
  type Analysis,
  type Call,
  type CallSummary,
  type Finding,
  isRetryable,
  type Line,
  type Transcript,
} from '@call-analytics/calls';
import {
  type CallDetail,
  type CallListItem,
  type ReportSection,
  type ReportType,
  SECTIONS_SHOWN,
} from '@call-analytics/contracts';

/** BCP 47 for a language that is not determined. */
const NO_LANGUAGE = 'und';

/**
 * What the list and the detail say of the result. Stored calls have null where nothing was found; typed clients get a value of the field's type instead.
 */
export function resultOf({
  language,
  product,
  saleStatus,
  score,
}: Pick<CallSummary, 'language' | 'product' | 'saleStatus' | 'score'>): Pick<
  CallListItem,
  'language' | 'product' | 'saleStatus' | 'score'
> {
  return { language: language ?? NO_LANGUAGE, product: product ?? '', saleStatus: saleStatus ?? 'unclear', score };
}

/**
 * A stored call as one answer of the API. What is not known is an empty string or an empty list.
 * @param now decides whether a failed call can still be retried
 */
export function callDetail(
  { call, transcript, analysis }: { call: Call; transcript: Transcript | null; analysis: Analysis | null },
  now = new Date(),
): CallDetail {
  // A call whose analysis is written is completed with it; until then there is none to show.
  const report = call.status === 'completed' ? analysis : null;
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
  if (report !== null) detail.transcript = report.lines.map(labelled).join('\n');
  if (call.status === 'failed') {
    detail.transcript = transcript === null ? '' : unlabelled(transcript);
    detail.errorMessage = call.failure?.message ?? 'The call could not be processed. Upload the recording again.';
    detail.errorCode = call.failure?.code ?? 'processing_failed';
    detail.retryable = isRetryable(call, transcript !== null, now);
  }
  return detail;
}

function texts(findings: readonly Finding[] = []): string[] {
  return findings.map(({ text }) => text);
}

/** All report types are shown of one analysis: they differ in the sections, and not in what was found. */
function sectionsFor(reportType: ReportType, { sections }: Analysis): ReportSection[] {
  return SECTIONS_SHOWN[reportType].flatMap((id) => sections.find((section) => section.id === id) ?? []);
}

function labelled({ role, speaker, text }: Line): string {
  if (role === 'other') return `${speakerName(speaker ?? 2)}: ${oneLine(text)}`;
  return `${role === 'manager' ? 'Manager' : 'Customer'}: ${oneLine(text)}`;
}

/** The analysis of this call failed, so nobody knows who is the manager; what was said is not lost for that. */
function unlabelled({ utterances }: Transcript): string {
  return utterances.map(({ speaker, text }) => `${speakerName(speaker ?? 0)}: ${oneLine(text)}`).join('\n');
}

/** @param speaker 0-based */
function speakerName(speaker: number): string {
  return `Speaker ${speaker + 1}`;
}

function oneLine(text: string): string {
  return text.includes('\n') || text.includes('\r') ? text.replace(/\s*[\r\n]+\s*/g, ' ') : text;
}
