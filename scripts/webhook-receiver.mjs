// `npm run webhook-receiver -- --secret whsec_…`: prints each webhook that arrives and says whether its signature holds.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { DIST } from './lib/paths.mjs';
import { runMain, SetupError } from './lib/setup-error.mjs';
import { setup } from './lib/setup.mjs';

const MAX_BODY_BYTES = 1_000_000;

const USAGE = `npm run webhook-receiver -- [--secret whsec_…] [--port 9000] [--host 127.0.0.1] [--status 200]

  --secret   the endpoint's signing secret; give it twice while you rotate it
  --port     where to listen; 0 takes any free port
  --host     address to listen on
  --status   what to answer, for seeing how deliveries are tried again: 500, 410 …`;

await runMain(async () => {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  await setup();
  const { verifyWebhook } = await import(
    pathToFileURL(join(DIST, 'kernel', 'webhooks', 'webhook-verification.js')).href
  );
  const server = createServer((request, response) => void answer(request, response, options, verifyWebhook));
  server.on('error', (error) => {
    process.stderr.write(`The receiver cannot listen on ${options.host}:${options.port}: ${error.message}\n`);
    process.exitCode = 1;
  });
  server.listen(options.port, options.host, () => {
    process.stdout.write(`Listening on http://${options.host}:${server.address().port}\n`);
  });
});

function readOptions(args) {
  const { values } = parse(args);
  if (values.help) return undefined;
  const status = Number(values.status);
  const port = Number(values.port);
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new SetupError(`--status must be from 200 to 599, not "${values.status}".`);
  }
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new SetupError(`--port must be from 0 to 65535, not "${values.port}".`);
  }
  return { secrets: values.secret, status, port, host: values.host };
}

function parse(args) {
  try {
    return parseArgs({
      args,
      options: {
        secret: { type: 'string', multiple: true, default: [] },
        port: { type: 'string', default: '9000' },
        host: { type: 'string', default: '127.0.0.1' },
        status: { type: 'string', default: '200' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new SetupError(`${error.message}\n\n${USAGE}`);
  }
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

/** What there is to say about one request. */
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
  if (good !== undefined) return `✓ The signature holds (made ${nowSeconds - good.timestampSeconds} s ago).`;
  return `✗ ${results[0].fault}: ${results[0].message}`;
}

/** JSON set out in lines; anything else as it is. */
function readable(body) {
  const text = body.toString('utf8');
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
