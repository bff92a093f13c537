import { readFileSync } from 'node:fs';
import { quotedBytes } from '../http/input.ts';
import { PROBLEMS } from '../http/problem.ts';
import type { Installation } from '../settings.ts';

/** Used when PUBLIC_URL is not set. /docs replaces it by the origin in the browser. */
const EXAMPLE_ORIGIN = 'https://calls.example.com';

const SAMPLES = [
  {
    name: 'curl',
    file: 'report.sh',
    language: 'bash',
    run: 'sh report.sh call.mp3',
    needs: 'a POSIX shell and curl 7.76 or later',
  },
  {
    name: 'Python',
    file: 'report.py',
    language: 'python',
    run: 'python3 report.py call.mp3',
    needs: 'Python 3.9 or later, and no package',
  },
  {
    name: 'TypeScript',
    file: 'report.mts',
    language: 'typescript',
    run: 'node report.mts call.mp3',
    needs: 'Node 24 or later, and no package. With Node 20 or 22, run it with `npx tsx report.mts call.mp3`',
  },
] as const;

const SAMPLES_FOLDER = new URL('../../samples/', import.meta.url);

/**
 * The guide, in Markdown. As the description of the OpenAPI document, every renderer shows it beside the reference.
 * @param publicUrl the origin of this installation, if it is set
 */
export function guide({
  maxUploadBytes,
  idleMs,
  minBytesPerSecond,
  uploadsPerAccount,
  publicUrl = EXAMPLE_ORIGIN,
}: Installation) {
  return `# Quick start

Upload the recording of a sales call. Read its transcript, score and report when the call is completed.

1. **Get an API key.** Create one in the [web application](/calls) under [Settings](/settings/keys), or let the operator of this
   service create one with \`npm run accounts -- create --name "Acme"\`. A key starts with \`aca_\` and is shown once. Uploads need
   the scope \`write\`.
2. **Set the address and the key** in your shell:

\`\`\`bash
export CALLS_URL=${publicUrl}
export CALLS_KEY=aca_your_key
\`\`\`

3. **Check the key.** The response names your account; 401 means that the key is incomplete or was revoked.

\`\`\`bash
curl -H "Authorization: Bearer $CALLS_KEY" $CALLS_URL/api/v1/me
\`\`\`

4. **Upload a recording.** The response comes at once, with the \`id\` of the call.

\`\`\`bash
curl -H "Authorization: Bearer $CALLS_KEY" -F file=@call.mp3 -F reportType=medium $CALLS_URL/api/v1/calls
\`\`\`

5. **Poll the call** every 5 seconds until its \`status\` is \`completed\` or \`failed\`. The report is in the same response.

\`\`\`bash
curl -H "Authorization: Bearer $CALLS_KEY" $CALLS_URL/api/v1/calls/CALL_ID
\`\`\`

The following programs do all of this. They read \`CALLS_URL\` and \`CALLS_KEY\` from the environment.

${SAMPLES.map(sampleSection).join('\n\n')}

# States

\`queued\` → \`transcribing\` → \`analyzing\` → \`completed\`

Each of the first three can also become \`failed\`; \`errorMessage\` then says why and what to do. \`completed\` and
\`failed\` are final until you retry a failed call or correct the speakers of a completed one. The recording is deleted after the analysis; the recording of a failed call is kept for a limited time.

While a call waits or is worked on, \`GET /api/v1/calls/{id}/progress\` says what for, its position in the queue, when it
starts if that is known, and how much is transcribed.

# Transcripts

\`GET /api/v1/calls/{id}/transcript\` has the turns with times, speakers and roles, and the parts that were not heard with
the reason. A turn has its \`words\` with \`start\` and \`end\` in seconds where the speech engine gives them. Add
\`.txt\`, \`.vtt\` or \`.srt\` for a file. It can be read from the status \`analyzing\` on.

\`\`\`bash
curl -H "Authorization: Bearer $CALLS_KEY" -o call.vtt $CALLS_URL/api/v1/calls/CALL_ID/transcript.vtt
\`\`\`

# Evidence

\`GET /api/v1/calls/{id}/evidence\` has the words of the call that each finding rests on, with speaker, time and line.
\`PUT /api/v1/trackers\` sets words and phrases to look for, and \`GET /api/v1/calls/{id}/trackers\` says where they are.
\`GET /api/v1/calls/{id}/metrics\` has its numbers: shares of talking, questions, monologues, interruptions and more.

# Scorecards

\`GET /api/v1/calls/{id}/scorecard\` has each question that the call was judged by, with its answer, words and points.
\`PUT /api/v1/scorecard\` replaces the default rubric by questions of your own, for calls that are analyzed from then on.

# Speakers

When the roles are wrong, say who is who: \`GET /api/v1/calls/{id}/speakers\` lists the speakers with their first words, and
\`PUT\` there with a role for each analyzes the call again. Its \`status\` is \`analyzing\` until the new report is there.

\`PUT /api/v1/calls/{id}/corrections/{field}\` corrects or confirms one answer of a report. \`POST /api/v1/calls/{id}/analyses\`
analyzes a completed call again from its stored transcript, by another engine if the request names one that the
installation offers. \`GET\` at the same address lists the engines and the analyses, with what each has cost.

# Costs

\`GET /api/v1/costs?from=2026-11-01&to=2026-11-30&by=day\` has what calls have cost by day, or by month, with the number of
calls and attempts and the seconds of audio. \`GET /api/v1/calls/{id}/costs\` has each attempt of a call, and
\`PUT /api/v1/spending\` sets what may be spent on a day.

# Retries

- Send a request again after status 408, 429 or 5xx. If the response has \`Retry-After\`, wait that many seconds first.
  Change the request after any other 4xx.
- Uploads and new analyses: send an \`Idempotency-Key\` header with a value of your own, and the same value with each
  retry. The first response is repeated, with \`Idempotency-Replayed: true\`, and the work is done and paid for once.
- All other requests can be repeated safely.

# Limits

| What | Limit |
| --- | --- |
| Size of a recording | ${quotedBytes(maxUploadBytes)} |
| Length of a recording | 6 hours |
| Duration of an upload | none |
| Rate of an upload | at least ${quotedBytes(minBytesPerSecond)} a second, averaged over ${idleMs / 1000} s |
| Uploads of one account at the same time | ${uploadsPerAccount} |
| Pause in an upload | ${idleMs / 1000} s |
| Header fields of a request | 16 KiB |
| File name | 255 characters; a longer name is cut |
| Calls on a page of the list | 1 to 100, default 50 |

# Errors

Every error is \`application/problem+json\` (RFC 9457). Programs read \`code\`, which never changes. \`detail\` says what
to do. Name \`requestId\` (also in the header \`X-Request-Id\`) when you ask for help.

${Object.entries(PROBLEMS)
  .map(([code, { status, title, meaning }]) => `## ${code}\n\n**${status} ${title}.** ${meaning}`)
  .join('\n\n')}
`;
}

function sampleSection({ name, file, language, run, needs }: (typeof SAMPLES)[number]): string {
  const source = readFileSync(new URL(file, SAMPLES_FOLDER), 'utf8').trimEnd();
  return `## ${name}\n\nSave it as \`${file}\` and run \`${run}\`. Needs ${needs}.\n\n\`\`\`${language}\n${source}\n\`\`\``;
}
