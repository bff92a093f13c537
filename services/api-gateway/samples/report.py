"""Uploads a recording, waits for its report and prints score and summary.

Python 3.9 or later, standard library only.
Usage: python3 report.py call.mp3, with CALLS_URL and CALLS_KEY in the environment.
"""
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

API = os.environ['CALLS_URL'] + '/api/v1'
KEY = os.environ['CALLS_KEY']


def request(path, body=None, headers={}):
    message = urllib.request.Request(API + path, data=body, headers={'Authorization': 'Bearer ' + KEY, **headers})
    try:
        with urllib.request.urlopen(message) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        # Every error is application/problem+json: "detail" says what to do.
        raise SystemExit(f"{error.code} {json.load(error)['detail']}")


def upload(path):
    boundary = uuid.uuid4().hex
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="reportType"\r\n\r\nmedium\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{os.path.basename(path)}"\r\n\r\n'
    ).encode()
    tail = f'\r\n--{boundary}--\r\n'.encode()

    def parts():
        yield head
        with open(path, 'rb') as recording:
            while chunk := recording.read(1 << 20):
                yield chunk
        yield tail

    return request('/calls', parts(), {
        'Content-Type': f'multipart/form-data; boundary={boundary}',
        'Content-Length': str(len(head) + os.path.getsize(path) + len(tail)),
        # Send the same key again if you repeat this upload: it makes one call, however often it is sent.
        'Idempotency-Key': str(uuid.uuid4()),
    })


call = upload(sys.argv[1] if len(sys.argv) > 1 else 'call.mp3')
while call['status'] not in ('completed', 'failed'):
    time.sleep(5)
    call = request('/calls/' + call['id'])

if call['status'] == 'failed':
    raise SystemExit(call['errorMessage'])
print('Score:', call['score'])
print(call['summary'])
