import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Finding, TargetEnded, within } from './finding.mjs';
import { pictureSeeds } from './pictures.mjs';

const CASE_MS = 20_000;
/** Silence after which a request counts as incomplete: the api correctly waits for the rest. */
const INCOMPLETE_MS = 500;
/** Silence after which a response with its headers counts as read. */
const READ_MS = 50;
/** Time in which a process that closed its connections is expected to end. */
const EXIT_MS = 1_000;
const BOUNDARY = 'the-boundary-of-the-fuzzer';
const text = (...lines) => Buffer.from(lines.join('\r\n'));

/** JSON bodies, each with the route that it is for. */
const JSON_SEEDS = [
  [
    '/api/ai/enhance',
    { sourceUrl: 'http://bench.example/files/src_01.jpg?exp=1&sig=2', operation: 'upscale', level: 'high' },
  ],
  [
    '/api/ai/enhance',
    {
      sourceUrl: 'x',
      operation: 'smooth_skin',
      output: { format: 'webp', quality: 80 },
      metadata: { a: 'b' },
    },
  ],
  ['/api/webhooks/endpoints', { url: 'https://example.com/hook', events: ['*'], description: 'é😀\u0000' }],
  ['/dashboard/api/sign-in', { email: 'ada@example.com', password: 'correct horse battery staple' }],
];

const JSON_PATHS = JSON_SEEDS.map(([path]) => /** @type {string} */ (path));

/** JSON bodies of routes with and without a key. The unmodified seeds come first, each to its own route. */
export const json = {
  name: 'json',
  seeds: async () => JSON_SEEDS.map(([, body]) => Buffer.from(JSON.stringify(body))),
  open: (stage, limits) =>
    openHttp(
      stage,
      (bytes, key, turn) => {
        const path = JSON_PATHS[turn % JSON_PATHS.length];
        return request(
          [
            `POST ${path} HTTP/1.1`,
            `x-api-key: ${path.startsWith('/api') ? key : ''}`,
            'Content-Type: application/json',
          ],
          bytes,
        );
      },
      { isComplete: true, ...limits },
    ),
};

/** Uploads with damaged framing, and damaged files. */
export const multipart = {
  name: 'multipart',
  seeds: async () =>
    (await pictureSeeds())
      .slice(0, 11)
      .map((file) =>
        Buffer.concat([
          text(
            `--${BOUNDARY}`,
            'Content-Disposition: form-data; name="file"; filename="photo.jpg"',
            'Content-Type: image/jpeg',
            '',
            '',
          ),
          file,
          text('', `--${BOUNDARY}--`, ''),
        ]),
      ),
  open: (stage, limits) =>
    openHttp(
      stage,
      (bytes, key) =>
        request(
          [
            'POST /api/ai/upload HTTP/1.1',
            `x-api-key: ${key}`,
            `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
          ],
          bytes,
        ),
      { isComplete: true, ...limits },
    ),
};

/** Request lines and headers. */
export const headers = {
  name: 'headers',
  seeds: async () => [
    text('GET /api/ai/enhance?limit=10&status=queued HTTP/1.1', 'Host: a', 'x-api-key: KEY', '', ''),
    text('GET /api/ai/enhance/job_01 HTTP/1.1', 'Host: a', 'x-api-key: KEY', 'Prefer: wait=1', '', ''),
    text(
      'GET /files/src_01.jpg?exp=1&sig=a HTTP/1.1',
      'Host: a',
      'Range: bytes=0-5',
      'If-Range: "a"',
      '',
      '',
    ),
    text('GET /docs/errors HTTP/1.1', 'Host: a', 'Accept: text/html', 'If-None-Match: "a"', '', ''),
    text(
      'POST /api/ai/enhance HTTP/1.1',
      'Host: a',
      'x-api-key: KEY',
      'Idempotency-Key: a',
      'Content-Length: 2',
      '',
      '{}',
    ),
    text(
      'GET /dashboard/api/session HTTP/1.1',
      'Host: a',
      'Cookie: ies_session=a',
      'Origin: http://a',
      '',
      '',
    ),
  ],
  open: (stage, limits) =>
    openHttp(stage, (bytes, key) => Buffer.from(bytes.toString('latin1').replaceAll('KEY', key), 'latin1'), {
      isComplete: false,
      ...limits,
    }),
};

function request(lines, body) {
  const head = [...lines, 'Host: fuzz', 'Connection: close', `Content-Length: ${body.length}`, '', ''];
  return Buffer.concat([text(...head), body]);
}

/**
 * @param rawOf makes a request from the bytes of a case
 * @param {{ isComplete: boolean, caseMs?: number }} options `isComplete`: every request is complete as HTTP, so that the
 *   api must answer it; `caseMs`: the deadline of a case
 */
async function openHttp(stage, rawOf, { isComplete, caseMs = CASE_MS }) {
  const { api, account } = await stage();
  let turn = 0;
  return {
    run: async (bytes) => {
      const raw = rawOf(bytes, account.key, turn);
      turn += 1;
      const limits = { limitMs: caseMs, silenceMs: isComplete ? 0 : INCOMPLETE_MS };
      const { answer, isClosed } = await exchange(api.port, raw, limits);
      const status = statusOf(answer);
      if (status >= 500) throw new Finding(answer.slice(0, 1_000));
      if (status === undefined) await mustWork(api, caseMs);
      else mustRun(api.child);
      if (isComplete && isClosed && status === undefined)
        throw new Finding('the api closed the connection without an answer');
      return status < 400 ? 'accepted' : 'refused';
    },
    check: () => mustWork(api, caseMs),
    close: async () => undefined,
  };
}

/** @throws Finding when the api has ended or does not answer a valid request */
async function mustWork({ child, port }, limitMs) {
  const { answer } = await exchange(port, request(['GET /health/live HTTP/1.1'], Buffer.alloc(0)), {
    limitMs,
    silenceMs: 0,
  });
  if (statusOf(answer) === undefined && isRunning(child))
    await Promise.race([once(child, 'exit'), sleep(EXIT_MS, undefined, { ref: false })]);
  mustRun(child);
  if (statusOf(answer) !== 200) throw new Finding(`the api does not work: ${answer.slice(0, 1_000)}`);
}

function mustRun(child) {
  if (!isRunning(child)) throw new TargetEnded(`the api ended with ${child.exitCode ?? child.signalCode}`);
}

/** A process that a signal ended has no exit code. */
function isRunning({ exitCode, signalCode }) {
  return exitCode === null && signalCode === null;
}

/** @returns {number | undefined} */
function statusOf(answer) {
  const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
  return status === undefined ? undefined : Number(status);
}

/**
 * Sends bytes and reads the response until the server closes the connection or is silent.
 * @returns {Promise<{ answer: string, isClosed: boolean }>} `isClosed`: the server closed the connection in order
 * @throws Finding after `limitMs`
 */
async function exchange(port, raw, { limitMs, silenceMs }) {
  const socket = connect({ port, host: '127.0.0.1' });
  try {
    return await within(limitMs, answerOn(socket, raw, silenceMs));
  } finally {
    socket.destroy();
  }
}

/** @param silenceMs how long to wait for the first bytes; 0: without a limit */
function answerOn(socket, raw, silenceMs) {
  return new Promise((resolve) => {
    const chunks = [];
    const done = (isClosed) => resolve({ answer: Buffer.concat(chunks).toString('latin1'), isClosed });
    socket.setTimeout(silenceMs);
    socket.on('timeout', () => done(false));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (Buffer.concat(chunks).includes('\r\n\r\n')) socket.setTimeout(READ_MS);
    });
    socket.on('end', () => done(true));
    // The api may reset a connection of which it has not read everything. Then the response may be lost, too.
    socket.on('error', () => done(false));
    socket.write(raw);
  });
}
