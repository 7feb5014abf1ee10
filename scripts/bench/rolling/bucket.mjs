import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { built } from '../../lib/built.mjs';
import { ROOT } from '../../lib/paths.mjs';

const START_MS = 60_000;
const KEY = 'S3RVER';
const BUCKET = 'images';
const VERSITYGW = join(homedir(), '.cache/versitygw/bin/versitygw');

/** An S3 server that holds models of the repository below `models/`. */
export class Bucket {
  /**
   * @param {string} dir created for its files
   * @param {readonly string[]} operations whose models it holds
   */
  static async start(dir, operations) {
    const { freePort } = await built('infra/database/embedded/free-port.js');
    const bucket = new Bucket();
    bucket.port = await freePort();
    const [program, ...args] = serverCommand(dir, bucket.port);
    const env = { ...process.env, ROOT_ACCESS_KEY: KEY, ROOT_SECRET_KEY: KEY, VGW_QUIET: 'true' };
    bucket.child = spawn(program, args, { stdio: 'ignore', env });
    await bucket.#fill(operations);
    return bucket;
  }

  /** Environment variables for the service. */
  get environment() {
    return {
      AWS_ACCESS_KEY_ID: KEY,
      AWS_SECRET_ACCESS_KEY: KEY,
      OBJECT_STORE_URL: `s3://${BUCKET}/objects`,
      MODELS_URL: `s3://${BUCKET}/models`,
      S3_ENDPOINT: `http://127.0.0.1:${this.port}`,
      S3_FORCE_PATH_STYLE: 'true',
    };
  }

  stop() {
    this.child.kill('SIGKILL');
  }

  async #fill(operations) {
    const client = new S3Client({
      endpoint: `http://127.0.0.1:${this.port}`,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: KEY, secretAccessKey: KEY },
    });
    const endMs = performance.now() + START_MS;
    while (!(await isMade(client))) {
      if (performance.now() > endMs) throw new Error('the S3 server does not answer');
      await sleep(200);
    }
    const models = join(ROOT, 'models');
    for (const path of operations.flatMap((operation) => filesBelow(join(models, operation)))) {
      const Key = `models/${relative(models, path)}`;
      // Not a stream, because this server stores the chunk framing of a chunked body as data.
      await client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: readFileSync(path) }));
    }
    client.destroy();
  }
}

/** VersityGW if it is installed, because s3rver keeps a whole processor busy under load. */
function serverCommand(dir, port) {
  if (existsSync(VERSITYGW)) return [VERSITYGW, '--port', `127.0.0.1:${port}`, 'posix', dir];
  const s3rver = join(ROOT, 'node_modules', 's3rver', 'bin', 's3rver.js');
  return [process.execPath, s3rver, '-s', '-d', dir, '-a', '127.0.0.1', '-p', String(port)];
}

function isMade(client) {
  return client.send(new CreateBucketCommand({ Bucket: BUCKET })).then(
    () => true,
    () => false,
  );
}

function filesBelow(dir) {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
