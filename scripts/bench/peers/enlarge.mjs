import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { built } from '../../lib/built.mjs';
import { ROOT } from '../../lib/paths.mjs';
import { PEERS } from '../../peers/tools.mjs';
import { LinePeer } from './line-peer.mjs';
import { startIfInstalled } from './optional.mjs';
import { byClients, writeAll } from './pictures.mjs';
import { startService } from './service.mjs';
import { takeTurns } from './turns.mjs';

/** The networks are large, so even a few pictures take seconds. */
const COUNT = 4;
const SMALL = { width: 320, height: 240 };
const UPSCALER = 'UpscalerJS, ESRGAN Slim, WebAssembly';
/** The program's only model for twofold enlargement. It is made for animated videos. */
const REALESRGAN = 'Real-ESRGAN ncnn on the CPU, animevideov3-x2';
const FLOOR = 'Pillow, Lanczos (no network)';

/** Twofold enlargement to JPEG: with the same weights, and with each program's own weights. */
export async function* enlargeRows(bench) {
  yield await sameWeights(bench);
  yield await ownWeights(bench);
}

async function sameWeights({ rounds, folder, pictures }) {
  const models = await modelsWithEsrganSlim(folder);
  const service = await startService(models);
  const missing = [];
  const upscaler = await startIfInstalled(missing, UPSCALER, PEERS.node, () =>
    started(process.execPath, 'upscaler-js.cjs', PEERS.node),
  );
  try {
    const photos = [await sharp(pictures[0]).resize(SMALL).jpeg({ quality: 90 }).toBuffer()];
    const files = await writeAll(join(folder, 'same'), photos);
    const peers = [ours('this service, ESRGAN Slim, WebAssembly', service, photos, 'medium')];
    if (upscaler !== undefined) peers.push(inTurn(UPSCALER, upscaler, files, {}));
    return {
      title: `The same weights, ×2, one picture of ${SMALL.width} × ${SMALL.height}`,
      rows: await takeTurns(rounds, peers),
      missing,
    };
  } finally {
    upscaler?.close();
    await service.close();
  }
}

async function ownWeights({ rounds, folder, pictures }) {
  const service = await startService(join(ROOT, 'models'));
  const missing = [];
  const realesrgan = await startIfInstalled(missing, REALESRGAN, PEERS.python, () =>
    started(PEERS.python, 'realesrgan.py'),
  );
  const pillow = await startIfInstalled(missing, FLOOR, PEERS.python, () =>
    started(PEERS.python, 'pillow.py'),
  );
  try {
    const photos = pictures.slice(0, COUNT);
    const files = await writeAll(join(folder, 'own'), photos);
    const peers = [
      ours('this service, upscale medium', service, photos, 'medium'),
      ours('this service, upscale low', service, photos, 'low'),
    ];
    if (realesrgan !== undefined) peers.push(inTurn(REALESRGAN, realesrgan, files, {}));
    if (pillow !== undefined)
      peers.push(inTurn(FLOOR, pillow, files, { scale: 2, options: { quality: 90 } }));
    return {
      title: `Own weights, ×2, ${photos.length} pictures of 550 × 830`,
      rows: await takeTurns(rounds, peers),
      missing,
    };
  } finally {
    realesrgan?.close();
    pillow?.close();
    await service.close();
  }
}

/** Processes one picture after the other, like the other programs. */
function ours(name, service, photos, level) {
  const fields = { operation: 'upscale', level, output: JSON.stringify({ format: 'jpeg', quality: 90 }) };
  return {
    name,
    pids: service.pids,
    work: () => byClients(1, photos, (jpeg) => service.send('/api/ai/enhance', jpeg, fields)),
  };
}

function inTurn(name, peer, files, task) {
  return {
    name,
    pids: peer.pids,
    work: () =>
      byClients(1, files, (from) => peer.ask({ from, to: from.replace('.jpg', '-done.jpg'), ...task })),
  };
}

function started(program, script, ...args) {
  return LinePeer.start(program, [join(import.meta.dirname, script), ...args]);
}

async function modelsWithEsrganSlim(folder) {
  const { writeEsrganSlim } = await built('cli/models/esrgan-slim.js');
  const models = join(folder, 'models');
  const version = join(models, 'upscale/1');
  await mkdir(version, { recursive: true });
  for (const operation of ['auto_enhance', 'bg_remove', 'smooth_skin'])
    await symlink(join(ROOT, 'models', operation), join(models, operation));
  await writeEsrganSlim(version);
  return models;
}
