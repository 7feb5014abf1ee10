// `npm run texts`: extracts the texts of the dashboard to web/src/locales/*.po; see docs/dashboard.md.
import { join } from 'node:path';
import { runNode } from './lib/check.mjs';
import { NODE_MODULES } from './lib/paths.mjs';
import { runScript } from './lib/run-script.mjs';

await runScript({
  invocation: 'npm run texts --',
  description:
    'Extracts the texts of the dashboard to web/src/locales/*.po. New texts are added without a translation; unused texts are removed.',
  main: async () => {
    const cli = join(NODE_MODULES, '@lingui', 'cli', 'dist', 'lingui.js');
    const args = ['extract', '--clean', '--config', join('web', 'lingui.config.ts')];
    const { code, output } = await runNode([cli, ...args], 'collect');
    process.stdout.write(output);
    process.exitCode = code;
  },
});
