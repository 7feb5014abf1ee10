// `npm run docs:pictures`: the pictures of README.md, from the results of `npm run demo` and from the dashboard.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { built } from './lib/built.mjs';
import { ROOT } from './lib/paths.mjs';
import { runScript } from './lib/run-script.mjs';
import { SetupError } from './lib/setup-error.mjs';
import { setup } from './lib/setup.mjs';

const RESULTS = join(ROOT, 'out');
const PICTURES = join(ROOT, 'docs', 'pictures');
const DASHBOARD_QUALITY = 80;

/** `region`: the square of the photo that is shown, in pixels of the photo. */
const SHOWN = [
  { operation: 'smooth_skin', file: 'smooth_skin-high.jpg', region: { left: 166, top: 50, size: 120 } },
  { operation: 'upscale', file: 'upscale-high.jpg', region: { left: 118, top: 332, size: 100 } },
  { operation: 'auto_enhance', file: 'auto_enhance-medium.jpg', region: { left: 0, top: 0, size: 512 } },
  { operation: 'bg_remove', file: 'bg_remove-high.png', region: { left: 0, top: 0, size: 512 } },
];

await runScript({
  invocation: 'npm run docs:pictures --',
  description: 'Writes the pictures of README.md to docs/pictures. Run "npm run demo" first.',
  main: async () => {
    await setup();
    const { default: sharp } = await import('sharp');
    const { splitPicture } = await import('./docs-pictures/split-picture.mjs');
    const { demoPhotos } = await built('cli/demo/demo-photos.js');
    const photos = await demoPhotos(
      undefined,
      SHOWN.map(({ operation }) => operation),
    );
    await mkdir(PICTURES, { recursive: true });
    const { dashboardPicture } = await import('./docs-pictures/dashboard-picture.mjs');
    const dashboard = await dashboardPicture(photos.of('auto_enhance'), 'Auto enhance');
    await sharp(dashboard).webp({ quality: DASHBOARD_QUALITY }).toFile(join(PICTURES, 'dashboard.webp'));
    for (const { operation, file, region } of SHOWN) {
      const before = photos.of(operation).bytes;
      const picture = await splitPicture(before, await resultIn(file), region);
      await picture.toFile(join(PICTURES, `${operation}.jpg`));
    }
  },
});

async function resultIn(file) {
  return readFile(join(RESULTS, file)).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    throw new SetupError(`There is no result ${join('out', file)}. Run "npm run demo" first.`);
  });
}
