import { runNode } from './lib/check.mjs';
import { NODE_MODULES } from './lib/paths.mjs';
import { join } from 'node:path';

// Brings the texts of the dashboard into web/src/locales/*.po; those that are new wait there for a translation.
const cli = join(NODE_MODULES, '@lingui', 'cli', 'dist', 'lingui.js');
const args = ['extract', '--clean', '--config', join('web', 'lingui.config.ts')];
const { code, output } = await runNode([cli, ...args], 'collect');
process.stdout.write(output);
process.exitCode = code;
