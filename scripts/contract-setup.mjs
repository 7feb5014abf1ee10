// `npm run contract:setup`: installs Spectral, Schemathesis and clients of remove.bg for the specs of the API contract.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTRACT_TOOLS, SCHEMATHESIS } from './contract/tools.mjs';
import { runScript } from './lib/run-script.mjs';
import { SetupError } from './lib/setup-error.mjs';

const SPECTRAL = '@stoplight/spectral-cli@6.16.3';
const REMOVEBG_NPM = 'remove.bg@1.3.0';
const REMOVEBG_PYTHON = ['removebg==0.4', 'requests==2.34.2'];

await runScript({
  invocation: 'npm run contract:setup --',
  description:
    'Installs the tools that check the API contract from npm and PyPI: Spectral, Schemathesis, and two clients of remove.bg.',
  main: install,
});

function install() {
  const { folder } = CONTRACT_TOOLS;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  // An install script of a Spectral dependency reports installations to its vendor.
  run('npm', [
    'install',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    SPECTRAL,
    REMOVEBG_NPM,
  ]);
  installPython(join(folder, 'venv'), [SCHEMATHESIS]);
  installPython(join(folder, 'removebg'), REMOVEBG_PYTHON);
  process.stdout.write(`Installed in ${folder}\n`);
}

function installPython(venv, packages) {
  run('python3', ['-m', 'venv', venv]);
  run(join(venv, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages]);
}

function run(program, args) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (error?.code === 'ENOENT') throw new SetupError(`${program} is not installed.`);
  if (status !== 0) throw new SetupError(`"${program} ${args.join(' ')}" failed.`);
}
