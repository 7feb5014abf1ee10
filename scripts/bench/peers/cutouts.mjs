import { join } from 'node:path';
import { ROOT } from '../../lib/paths.mjs';
import { PEERS } from '../../peers/tools.mjs';
import { startIfInstalled } from './optional.mjs';
import { byClients } from './pictures.mjs';
import { startRembg } from './rembg.mjs';
import { startService } from './service.mjs';
import { takeTurns } from './turns.mjs';

const CLIENTS = [1, 4, 16];
const REMBG = 'rembg, HTTP server, the same network';

/** The level whose network rembg uses, too. */
const CUTOUT = { operation: 'bg_remove', level: 'medium', output: JSON.stringify({ format: 'png' }) };

/**
 * Both respond to one request with a PNG. The service also refines edges, stores the result, and creates a thumbnail.
 */
export async function* cutoutRows({ rounds, folder, pictures }) {
  const service = await startService(join(ROOT, 'models'));
  const missing = [];
  const rembg = await startIfInstalled(missing, REMBG, PEERS.rembg, () => startRembg(folder));
  try {
    for (const clients of CLIENTS) {
      const peer = (name, { pids }, send) => ({ name, pids, work: () => byClients(clients, pictures, send) });
      const peers = [
        peer('this service, bg_remove medium', service, (jpeg) =>
          service.send('/api/ai/enhance', jpeg, CUTOUT),
        ),
      ];
      if (rembg !== undefined) peers.push(peer(REMBG, rembg, (jpeg) => rembg.send(jpeg)));
      yield {
        title: `Cutouts of ${pictures.length} pictures of 550 × 830 as PNG, clients: ${clients}`,
        rows: await takeTurns(rounds, peers),
        missing,
      };
    }
  } finally {
    await rembg?.close();
    await service.close();
  }
}
