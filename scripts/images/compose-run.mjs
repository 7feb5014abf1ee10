import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { JobClient } from '../bench/job-client.mjs';
import { built } from '../lib/built.mjs';
import { isInterrupted, withCleanup } from '../lib/cleanup.mjs';
import { ROOT } from '../lib/paths.mjs';
import { buildImages } from './build-images.mjs';
import { checkNameOf, imagesOf, overrideOf } from './check-images.mjs';
import { docker, dockerInBackground, loadImage } from './docker.mjs';
import { provideServers } from './servers.mjs';

const DOCKER = join(ROOT, 'docker');
const FILES = ['compose.yaml', 'compose.s3.yaml'];
/** Made by the check. */
const OVERRIDE = 'compose.check.yaml';
const OWN = 'image-enhancement/';
const START_SECONDS = 600;
const READY_TRIES = 60;

/**
 * Starts the Compose files of docker/ with the engine of this machine, processes an image as described in
 * docs/containers.md, and removes everything again, except for images that were pulled.
 */
export async function runCompose(say) {
  const folder = mkdtempSync(join(tmpdir(), 'ies-compose-'));
  const images = imagesOf(FILES.map((name) => join(DOCKER, name)));
  const names = [...new Set(images.values())];
  const work = async () => {
    for (const name of readdirSync(DOCKER))
      if (/^compose.*\.yaml$|^secrets\.sh$/.test(name)) copyFileSync(join(DOCKER, name), join(folder, name));
    const loaded = await provideImages(names, say);
    writeFileSync(join(folder, OVERRIDE), overrideOf(images, loaded));
    await checkCompose(folder, say);
  };
  await withCleanup(work, () => {
    for (const name of names) docker.try('image', 'rm', checkNameOf(name));
    rmSync(folder, { recursive: true, force: true });
  });
}

async function checkCompose(folder, say) {
  const { freePort } = await built('infra/database/embedded/free-port.js');
  const port = await freePort();
  const compose = composeOf(folder, port);
  const work = async () => {
    say('docker/secrets.sh');
    run(join(folder, 'secrets.sh'));
    const up = async (...options) => {
      say(['docker compose up --wait', ...options].join(' '));
      await compose('up', '--wait', '--no-build', '--wait-timeout', String(START_SECONDS), ...options);
      await untilReady(port);
    };
    await up();
    const { key } = JSON.parse(
      await compose(
        'exec',
        '-T',
        'api',
        'node',
        // The path in the image.
        join('dist', 'main.admin.js'),
        'account',
        'create',
        'ada@example.com',
        '--json',
      ),
    );
    const client = new JobClient({ api: { port }, account: { key } });
    const first = await result(client, say);
    await up('--scale', 'worker=2');
    await result(client, say);
    // An upgrade migrates while the roles run.
    say('docker compose run --rm --no-deps migrate');
    await compose('run', '--rm', '--no-deps', '-T', 'migrate');
    await up('--force-recreate');
    const again = await client.result(await client.ended(first.id));
    if (!again.equals(first.bytes)) throw new Error('the result differs after the containers were replaced');
    say('The first result is the same after all containers were replaced.');
    say(await compose('ps', '--format', 'table {{.Service}}\t{{.Status}}'));
  };
  const explained = (error) => {
    if (!isInterrupted()) say(compose.try('logs', '--tail', '20'));
    throw error;
  };
  await withCleanup(
    () => work().catch(explained),
    async () => {
      await compose.stop();
      compose.try('down', '--volumes', '--timeout', '40');
    },
  );
}

/** @returns the images that were loaded under the name that `checkNameOf` gives them */
async function provideImages(names, say) {
  const own = names.filter((name) => name.startsWith(OWN));
  const { images } = await buildImages(
    own.map((name) => name.slice(OWN.length)),
    say,
  );
  for (const { target, name } of images) loadImage(name, checkNameOf(`${OWN}${target}`));
  const others = names.filter((name) => !name.startsWith(OWN));
  return new Set([...own, ...(await provideServers(others, say))]);
}

function composeOf(folder, port) {
  const files = [...FILES, OVERRIDE].flatMap((name) => ['-f', join(folder, name)]);
  const args = ['compose', '-p', `ies-check-${process.pid}`, ...files];
  process.env.PORT = String(port);
  process.env.PUBLIC_URL = `http://127.0.0.1:${port}`;
  let running = Promise.resolve();
  const interruption = new AbortController();
  // In the background, because signals are handled between events only, and `up` may wait for minutes.
  const compose = (...more) => {
    const started = dockerInBackground([...args, ...more], interruption.signal);
    running = started.catch(() => undefined);
    return started;
  };
  compose.stop = () => {
    interruption.abort();
    return running;
  };
  compose.try = (...more) => {
    const { stdout, stderr } = spawnSync('docker', [...args, ...more], { encoding: 'utf8' });
    return `${stdout}${stderr}`;
  };
  return compose;
}

/** Also replaces kept-alive connections to the previous container. */
async function untilReady(port) {
  for (let tries = 1; ; tries += 1) {
    const isReady = await fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (tries === READY_TRIES) throw new Error('the api does not become ready');
    await sleep(1_000);
  }
}

async function result(client, say) {
  const source = await client.upload(readFileSync(join(ROOT, 'scripts', 'assets', 'astronaut.png')));
  const job = await client.enhance(source.url, { operation: 'auto_enhance' });
  const bytes = await client.result(job);
  if (bytes.length !== job.result.bytes) throw new Error('the result is not as long as the job says');
  say(`  ${job.id}: ${job.result.width} × ${job.result.height}, ${bytes.length} bytes`);
  return { id: job.id, bytes };
}

function run(program) {
  const { status, stderr } = spawnSync(program, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
}
