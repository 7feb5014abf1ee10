// `npm run webhook-receiver -- --secret whsec_…`: prints each webhook and whether its signature is valid.
import { createServer } from 'node:http';
import { built } from './lib/built.mjs';
import { runScript } from './lib/run-script.mjs';
import { setup } from './lib/setup.mjs';

const MAX_BODY_BYTES = 1_000_000;

await runScript({
  invocation: 'npm run webhook-receiver --',
  description: 'Receives webhooks, prints them, and says whether their signature is valid.',
  declare: (program, { numberOption, repeatedOption }) =>
    program
      .option(
        '--secret <text>',
        'signing secret of the endpoint; give both while you rotate it',
        repeatedOption(String),
      )
      .option(
        '--port <n>',
        'port to listen on; 0 for any free one',
        numberOption('--port', { from: 0, to: 65_535, whole: true }),
        9000,
      )
      .option('--host <address>', 'address to listen on', '127.0.0.1')
      .option(
        '--status <code>',
        'status of every response, to see retries: 500, 410 …',
        numberOption('--status', { from: 200, to: 599, whole: true }),
        200,
      ),
  main: receiveAll,
});

async function receiveAll({ secret: secrets = [], port, host, status }) {
  await setup();
  const { verifyWebhook } = await built('kernel/webhooks/webhook-verification.js');
  const server = createServer(
    (request, response) => void answer(request, response, { secrets, status }, verifyWebhook),
  );
  server.on('error', (error) => {
    process.stderr.write(`The receiver cannot listen on ${host}:${port}: ${error.message}\n`);
    process.exitCode = 1;
  });
  server.listen(port, host, () => {
    process.stdout.write(`Listening on http://${host}:${server.address().port}\n`);
  });
}

async function answer(request, response, { secrets, status }, verifyWebhook) {
  try {
    process.stdout.write(`${await receive(request, secrets, verifyWebhook)}\n`);
    response.writeHead(status).end();
  } catch (error) {
    process.stdout.write(`✗ ${error.message}\n`);
    response.writeHead(413, { connection: 'close' }).end();
  }
}

/** Describes one request: time, address, result of the signature check, and body. */
async function receive(request, secrets, verifyWebhook) {
  const body = await readBody(request);
  const verdict = judge(request.headers['x-service-signature'], body, secrets, verifyWebhook);
  const time = new Date().toISOString();
  return [`${time} ${request.method} ${request.url}`, verdict, readable(body), ''].join('\n');
}

async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error(`A body of more than ${MAX_BODY_BYTES} bytes was refused.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function judge(header, body, secrets, verifyWebhook) {
  if (secrets.length === 0) return '? The signature was not checked: start the receiver with --secret.';
  const nowSeconds = Math.floor(Date.now() / 1000);
  const results = secrets.map((secret) => verifyWebhook({ header, body, secret, nowSeconds }));
  const good = results.find((result) => result.valid);
  if (good !== undefined)
    return `✓ The signature is valid (made ${nowSeconds - good.timestampSeconds} s ago).`;
  return `✗ ${results[0].fault}: ${results[0].message}`;
}

/** Indents JSON; leaves anything else as it is. */
function readable(body) {
  const text = body.toString('utf8');
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
