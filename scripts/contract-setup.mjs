// `npm run contract:setup`: installs Spectral (npm) and Schemathesis (PyPI) for the specs of the API contract.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTRACT_TOOLS } from './contract/tools.mjs';
import { runScript } from './lib/run-script.mjs';
import { SetupError } from './lib/setup-error.mjs';

const SPECTRAL = '@stoplight/spectral-cli@6.16.3';
const SCHEMATHESIS = 'schemathesis==4.32.5';

await runScript({
  invocation: 'npm run contract:setup --',
  description: 'Installs what checks the API contract: Spectral, from npm, and Schemathesis, from PyPI.',
  main: install,
});

function install() {
  const { folder } = CONTRACT_TOOLS;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  // A dependency of Spectral reports installations to its maker in a script.
  run('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', SPECTRAL]);
  const venv = join(folder, 'venv');
  run('python3', ['-m', 'venv', venv]);
  run(join(venv, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', SCHEMATHESIS]);
  process.stdout.write(`Installed in ${folder}\n`);
}

function run(program, args) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (error?.code === 'ENOENT') throw new SetupError(`${program} is not installed.`);
  if (status !== 0) throw new SetupError(`"${program} ${args.join(' ')}" failed.`);
}
