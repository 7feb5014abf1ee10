import { connect } from 'node:net';
import { Finding, within } from './finding.mjs';
import { pictureSeeds } from './pictures.mjs';

const CASE_MS = 20_000;
const BOUNDARY = 'the-boundary-of-the-fuzzer';
const text = (...lines) => Buffer.from(lines.join('\r\n'));

const JSON_SEEDS = [
  { sourceUrl: 'http://bench.example/files/src_01.jpg?exp=1&sig=2', operation: 'upscale', level: 'high' },
  { sourceUrl: 'x', operation: 'smooth_skin', output: { format: 'webp', quality: 80 }, metadata: { a: 'b' } },
  { url: 'https://example.com/hook', events: ['*'], description: 'é😀\u0000' },
  { email: 'ada@example.com', password: 'correct horse battery staple' },
].map((body) => Buffer.from(JSON.stringify(body)));

/** JSON bodies of routes with and without a key. */
export const json = {
  name: 'json',
  seeds: async () => JSON_SEEDS,
  open: (stage) =>
    openHttp(stage, (bytes, key, turn) => {
      const path = ['/api/ai/enhance', '/api/webhooks/endpoints', '/dashboard/api/sign-in'][turn % 3];
      return request(
        [
          `POST ${path} HTTP/1.1`,
          `x-api-key: ${path.startsWith('/api') ? key : ''}`,
          'Content-Type: application/json',
        ],
        bytes,
      );
    }),
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
  open: (stage) =>
    openHttp(stage, (bytes, key) =>
      request(
        [
          'POST /api/ai/upload HTTP/1.1',
          `x-api-key: ${key}`,
          `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
        ],
        bytes,
      ),
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
  open: (stage) =>
    openHttp(stage, (bytes, key) => Buffer.from(bytes.toString('latin1').replaceAll('KEY', key), 'latin1')),
};

function request(lines, body) {
  const head = [...lines, 'Host: fuzz', 'Connection: close', `Content-Length: ${body.length}`, '', ''];
  return Buffer.concat([text(...head), body]);
}

async function openHttp(stage, rawOf) {
  const { api, account } = await stage();
  let turn = 0;
  return {
    run: async (bytes) => {
      const raw = rawOf(bytes, account.key, (turn += 1));
      const answer = await within(CASE_MS, exchange(api.port, raw));
      if (api.child.exitCode !== null) throw new Finding(`the api ended with ${api.child.exitCode}`);
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
      if (status >= 500) throw new Finding(answer.slice(0, 1_000));
      return status < 400 ? 'accepted' : 'refused';
    },
    close: async () => undefined,
  };
}

/** Sends bytes and reads the response until the server closes the connection or is silent for a while. */
function exchange(port, raw) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const chunks = [];
    const done = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    // An incomplete request is no finding: the api correctly waits for the rest.
    socket.setTimeout(500, done);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (Buffer.concat(chunks).includes('\r\n\r\n')) socket.setTimeout(50, done);
    });
    socket.on('end', done);
    socket.on('error', (error) => {
      // The api may close a connection after invalid data, but it must still be running.
      if (error.code === 'ECONNREFUSED') reject(new Finding('the api is gone'));
      else done();
    });
    socket.write(raw);
  });
}
