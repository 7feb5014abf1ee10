import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LinePeer } from './line-peer.mjs';
import { PEERS } from '../../peers/tools.mjs';
import { photo } from '../photo.mjs';
import { startIfInstalled } from './optional.mjs';
import { byClients, writeAll } from './pictures.mjs';
import { takeTurns } from './turns.mjs';

const SIZE = [4000, 3000];
const COUNT = 2;
const PILLOW = 'Pillow';

/** Options are named as in Pillow. */
const TASKS = [
  { title: 'decode a JPEG' },
  { title: 'decode, and encode a JPEG of quality 90', format: 'jpg', options: { quality: 90 } },
  { title: 'decode, and encode a PNG of level 2', format: 'png', options: { compress_level: 2 } },
  { title: 'decode, and encode a WebP of quality 80', format: 'webp', options: { quality: 80 } },
];

/** Compares Pillow with the service's image library, without the service, on 12 MP pictures one after the other. */
export async function* codecRows({ rounds, folder }) {
  const photos = await Promise.all(Array.from({ length: COUNT }, () => photo(...SIZE)));
  const files = await writeAll(join(folder, 'codecs'), photos);
  const sharp = await LinePeer.start(process.execPath, [join(import.meta.dirname, 'sharp.mjs')]);
  const missing = [];
  const pillow = await startIfInstalled(missing, PILLOW, PEERS.python, () =>
    LinePeer.start(PEERS.python, [join(import.meta.dirname, 'pillow.py')]),
  );
  try {
    for (const { title, format, options } of TASKS) {
      const sizes = {};
      const peer = (name, program) => ({
        name,
        pids: program.pids,
        work: () =>
          byClients(1, files, async (from) => {
            const to = format === undefined ? undefined : `${from}-${name}.${format}`;
            await program.ask({ from, ...(to === undefined ? {} : { to, options }) });
            if (to !== undefined) sizes[name] = (await stat(to)).size;
          }),
      });
      const peers = [
        peer('sharp, image library of the service', sharp),
        ...(pillow === undefined ? [] : [peer(PILLOW, pillow)]),
      ];
      const rows = await takeTurns(rounds, peers);
      for (const row of rows)
        if (sizes[row.name] !== undefined) row.name += `, ${(sizes[row.name] / 1e6).toFixed(2)} MB`;
      yield { title: `12 MP: ${title}`, rows, missing };
    }
  } finally {
    sharp.close();
    pillow?.close();
  }
}
