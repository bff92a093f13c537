import type { Analysis, Call, Finding, Line, Transcript } from '@call-analytics/calls';
import { type CallDetail, type ReportSection, type ReportType, SECTIONS_SHOWN } from '@call-analytics/contracts';

/** What is kept of a call, as one answer of the API. What is not known yet is null, or an empty list. */
export function callDetail({
  call,
  transcript,
  analysis,
}: {
  call: Call;
  transcript: Transcript | null;
  analysis: Analysis | null;
}): CallDetail {
  // A call whose analysis is written is completed with it; until then there is none to show.
  const report = call.status === 'completed' ? analysis : null;
  const detail: CallDetail = {
    id: call.id,
    fileName: call.fileName,
    status: call.status,
    language: call.language,
    product: call.product,
    saleStatus: call.saleStatus,
    score: call.score,
    createdAt: call.createdAt.toISOString(),
    summary: report?.summary ?? null,
    customerIntent: report?.customerIntent ?? null,
    nextStep: report?.nextStep ?? null,
    issues: texts(report?.issues),
    positives: texts(report?.positives),
    recommendations: report?.recommendations ?? [],
    objections: texts(report?.objections),
    managerMistakes: texts(report?.managerMistakes),
    detailedReport: report === null ? [] : sectionsFor(call.reportType, report),
    transcript: null,
  };
  if (report !== null) detail.transcript = report.lines.map(labelled).join('\n');
  if (call.status === 'failed') {
    detail.transcript = transcript === null ? null : unlabelled(transcript);
    detail.errorMessage = call.failure?.message ?? 'The call could not be processed. Upload the recording again.';
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
