import type { CallDetail } from '@call-analytics/contracts';

// What the demo prints about a finished call.

export function printReport(call: CallDetail): void {
  if (call.status === 'failed') {
    console.log(`\nThe call failed: ${call.errorMessage}`);
    return;
  }
  console.log(`\n${heading(call.fileName)}`);
  const score = call.score === null ? 'Not scored' : `Score ${call.score} of 100   sale: ${call.saleStatus}`;
  console.log(`${score}   product: ${call.product || '–'}   language: ${call.language}\n`);
  console.log(wrap(call.summary));
  for (const section of call.detailedReport) {
    console.log(`\n${heading(section.title)}`);
    if (section.content !== '') console.log(wrap(section.content));
    for (const point of section.points) console.log(wrap(point, '  • ', '    '));
  }
  console.log(`\n${heading('Transcript')}`);
  for (const line of call.transcript.split('\n')) console.log(wrap(line, '', '    '));
}

/** @param link signs in and opens the report; null without the pages */
export function printNextSteps(url: string, key: string, id: string, link: string | null): void {
  const once = 'The link signs you in once, within 10 minutes:';
  const open = link === null ? '' : `Open this report in your browser. ${once}\n\n  ${link}\n\n`;
  console.log(`
${heading('What to do next')}
${open}The service runs at ${url}. Documentation: ${url}/docs. API key of this demo: ${key}

  curl -s ${url}/api/v1/me -H 'Authorization: Bearer ${key}'
  curl -s ${url}/api/v1/calls/${id} -H 'Authorization: Bearer ${key}'
  curl -s ${url}/api/v1/calls -H 'Authorization: Bearer ${key}' -F file=@my-call.mp3 -F reportType=detailed

Press Ctrl+C to stop.`);
}

const heading = (text: string) => `── ${text} ${'─'.repeat(Math.max(0, 76 - text.length))}`;

function wrap(text: string, first = '', rest = first, width = 100): string {
  const lines: string[] = [];
  let line = first;
  for (const word of text.split(/\s+/)) {
    if (line.trim() !== '' && line.length + word.length + 1 > width) {
      lines.push(line);
      line = rest;
    }
    line += line === first || line === rest ? word : ` ${word}`;
  }
  return [...lines, line].join('\n');
}
