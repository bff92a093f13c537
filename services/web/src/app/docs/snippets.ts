// Lines to paste, for the server that shows them. A test runs them.

/** Whose server, with which key, and which recording. */
export interface Place {
  /** E.g. `https://calls.example.com` */
  origin: string;
  key: string;
  /** Path of a recording. */
  file: string;
}

/** One line that works at once: whose key is it? */
export function tryKey(origin: string, key: string): string {
  return `curl -H "Authorization: Bearer ${key}" ${origin}/api/v1/me`;
}

/** For a terminal with a POSIX shell and curl. */
export function curlUpload({ origin, key, file }: Place): string {
  return `KEY=${key}
API=${origin}/api/v1

curl -H "Authorization: Bearer $KEY" -F file=@${file} $API/calls`;
}

/** Goes on where `curlUpload` ended. The identifier is taken from the list, where the newest call is first. */
export function curlReport(): string {
  return `CALL=$(curl -s -H "Authorization: Bearer $KEY" "$API/calls?limit=1" | grep -o 'call_[A-Za-z0-9_-]*' | head -n 1)

until curl -s -H "Authorization: Bearer $KEY" "$API/calls/$CALL" -o report.json &&
  grep -qE '"status": ?"(completed|failed)"' report.json
do sleep 5; done
cat report.json`;
}

/** For Node 24 or later, without a package: `node report.ts`. */
export function typescript({ origin, key, file }: Place): string {
  return `import { openAsBlob } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const api = '${origin}/api/v1';
const headers = { authorization: 'Bearer ${key}' };

const form = new FormData();
form.set('file', await openAsBlob('${file}'), 'call.mp3');
form.set('reportType', 'medium');
const upload = await fetch(\`\${api}/calls\`, { method: 'POST', headers, body: form });
if (upload.status !== 202) throw new Error(await upload.text());
const { id } = (await upload.json()) as { id: string };

interface Call {
  status: 'queued' | 'transcribing' | 'analyzing' | 'completed' | 'failed';
  score: number | null;
  summary: string | null;
  errorMessage?: string;
}

for (;;) {
  const call = (await (await fetch(\`\${api}/calls/\${id}\`, { headers })).json()) as Call;
  if (call.status === 'failed') throw new Error(call.errorMessage);
  if (call.status === 'completed') {
    console.log(call.score, call.summary);
    break;
  }
  await sleep(5000);
}`;
}

/** For Python 3.9 or later, with nothing but its own library: `python3 report.py`. */
export function python({ origin, key, file }: Place): string {
  return `import json, time, urllib.request, uuid

API = '${origin}/api/v1'
KEY = '${key}'


def ask(path, body=None, content_type=None):
    request = urllib.request.Request(API + path, data=body)
    request.add_header('Authorization', 'Bearer ' + KEY)
    if content_type:
        request.add_header('Content-Type', content_type)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


boundary = uuid.uuid4().hex
with open('${file}', 'rb') as recording:
    body = (
        f'--{boundary}\\r\\n'
        'Content-Disposition: form-data; name="file"; filename="call.mp3"\\r\\n\\r\\n'
    ).encode() + recording.read() + f'\\r\\n--{boundary}--\\r\\n'.encode()

call = ask('/calls', body, f'multipart/form-data; boundary={boundary}')
while call['status'] not in ('completed', 'failed'):
    time.sleep(5)
    call = ask('/calls/' + call['id'])

if call['status'] == 'failed':
    raise SystemExit(call['errorMessage'])
print(call['score'], call['summary'])`;
}
