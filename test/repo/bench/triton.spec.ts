import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT } from '../../../scripts/lib/paths.mjs';
import { serveRepository } from '../../support/inference/onnx-server.js';
import { RemoteModels } from '../../support/inference/remote-models.js';

/** A CPU for which a worker would choose 8-bit integers shows whether both sides compute alike. */
it('a server and our own engine run the same graphs in the same precision', async () => {
  const models = await RemoteModels.create('upscale');
  const server = await serveRepository(models.repository);
  try {
    const options = ['--json', '--url', server.url, '--operation', 'upscale', '--levels', 'low'];
    const bench = [join(ROOT, 'scripts/bench.mjs'), 'triton', ...options, '--pixels', '20000'];
    const { stdout } = await promisify(execFile)(process.execPath, bench);
    const rows = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as { largestDifference: number }[];
    expect(rows).toHaveLength(1);
    expect(rows[0]!.largestDifference).toBeLessThanOrEqual(1);
  } finally {
    await server.stop();
    await models.remove();
  }
});
