/** The values for a complete code example. */
export interface SnippetInput {
  /** Base URL of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly fileName: string;
  /** The request without the photo: operations and output options. */
  readonly order: object;
}

export type SnippetLanguage = 'curl' | 'javascript' | 'python';

export const SNIPPET_LABELS: Readonly<Record<SnippetLanguage, string>> = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
};

/** The playground's steps with the public API: upload, create, wait, download. The key comes from `API_KEY`. */
export function snippet(language: SnippetLanguage, input: SnippetInput): string {
  return WRITERS[language](input);
}

const WRITERS: Readonly<Record<SnippetLanguage, (input: SnippetInput) => string>> = {
  curl: ({ baseUrl, fileName, order }) => `# 1. Upload the photo; answers {"url": "…"}
url=$(curl -sf ${baseUrl}/api/ai/upload \\
  -H "x-api-key: $API_KEY" \\
  -F ${shellQuoted(`file=@${fileName}`)} | sed -E 's/.*"url":"([^"]+)".*/\\1/')

# 2. Create the job; answers {"id": "…", "status": "queued"}
id=$(curl -sf ${baseUrl}/api/ai/enhance \\
  -H "x-api-key: $API_KEY" \\
  -H 'content-type: application/json' \\
  -d ${shellText(order)} |
  sed -E 's/.*"id":"(job_[^"]+)".*/\\1/')

# 3. Read it until "status" is "completed" or "failed"
until curl -sf ${baseUrl}/api/ai/enhance/$id -H "x-api-key: $API_KEY" |
  tee job.json | grep -qE '"status":"(completed|failed)"'; do sleep 1; done

# 4. Download the result
curl -sf -o result "$(sed -E 's/.*"resultUrl":"([^"]+)".*/\\1/' job.json)"
`,
  javascript: ({ baseUrl, fileName, order }) => `// Node.js 20 or newer, no packages: node enhance.mjs
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const base = '${baseUrl}/api/ai';
const headers = { 'x-api-key': process.env.API_KEY };

async function call(path, init = {}) {
  const answer = await fetch(base + path, { ...init, headers: { ...headers, ...init.headers } });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.detail);
  return body;
}

const form = new FormData();
form.append('file', new Blob([await readFile(${quoted(fileName)})]), ${quoted(fileName)});
const { url } = await call('/upload', { method: 'POST', body: form });

let job = await call('/enhance', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ sourceUrl: url, ${javascriptFields(order)} }),
});
while (job.status !== 'completed' && job.status !== 'failed') {
  await sleep(1000);
  job = await call('/enhance/' + job.id);
}
if (job.status === 'failed') throw new Error(job.error.message);

const result = await fetch(job.resultUrl);
await writeFile('result.' + job.result.format, Buffer.from(await result.arrayBuffer()));
`,
  python: ({ baseUrl, fileName, order }) => `# Python 3.9 or newer, no packages: python3 enhance.py
import json
import os
import time
import uuid
from urllib.error import HTTPError
from urllib.request import Request, urlopen

base = "${baseUrl}/api/ai"


def call(path, body=None, content_type="application/json"):
    headers = {"x-api-key": os.environ["API_KEY"], "content-type": content_type}
    try:
        with urlopen(Request(base + path, body, headers), timeout=60) as answer:
            return json.load(answer)
    except HTTPError as error:
        raise RuntimeError(json.load(error)["detail"]) from error


with open(${quoted(fileName)}, "rb") as file:
    photo = file.read()
boundary = uuid.uuid4().hex
start = f'--{boundary}\\r\\nContent-Disposition: form-data; name="file"; filename="photo"\\r\\n\\r\\n'
form = start.encode() + photo + f"\\r\\n--{boundary}--\\r\\n".encode()
url = call("/upload", form, f"multipart/form-data; boundary={boundary}")["url"]

order = {"sourceUrl": url, ${pythonFields(order)}}
job = call("/enhance", json.dumps(order).encode())
while job["status"] not in ("completed", "failed"):
    time.sleep(1)
    job = call("/enhance/" + job["id"])
if job["status"] == "failed":
    raise RuntimeError(job["error"]["message"])

with urlopen(job["resultUrl"], timeout=60) as result, open("result." + job["result"]["format"], "wb") as file:
    file.write(result.read())
`,
};

/** Longer objects have one field per line. */
const SHORT = 60;

/** The JSON of the order inside double quotes of a shell, with `$url` for the photo. */
function shellText(order: object): string {
  const fields = Object.entries(order).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  const escaped = fields.map((field) => field.replaceAll(/[\\"$`]/g, (character) => `\\${character}`));
  const all = ['\\"sourceUrl\\":\\"$url\\"', ...escaped];
  return `"{${all.join(fields.join('').length > SHORT ? ',\n    ' : ',')}}"`;
}

/** `operation: 'upscale', level: 'low'` */
function javascriptFields(order: object): string {
  return Object.entries(order)
    .map(([name, value]) => `${name}: ${javascriptValue(value)}`)
    .join(', ');
}

function javascriptValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => javascriptValue(item)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return `{ ${javascriptFields(value)} }`;
  return typeof value === 'string' ? `'${quoted(value).slice(1, -1).replaceAll("'", "\\'")}'` : String(value);
}

/** `"operation": "upscale", "level": "low"` */
function pythonFields(order: object): string {
  return Object.entries(order)
    .map(([name, value]) => `${quoted(name)}: ${pythonValue(value)}`)
    .join(', ');
}

function pythonValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => pythonValue(item)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return `{${pythonFields(value)}}`;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : JSON.stringify(value);
}

/** A string literal that is valid in JavaScript and Python. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
