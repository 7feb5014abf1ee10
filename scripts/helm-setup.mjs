// `npm run helm:setup`: installs Helm (built with Go) and kubernetes-validate (PyPI) for the chart's spec.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { HELM_TOOLS } from './helm/tools.mjs';
import { runScript } from './lib/run-script.mjs';
import { SetupError } from './lib/setup-error.mjs';

const HELM = 'helm.sh/helm/v3/cmd/helm@v3.22.0';
const VALIDATOR = 'kubernetes-validate==1.37.0';

await runScript({
  invocation: 'npm run helm:setup --',
  description:
    'Installs what the spec of the Helm chart needs: Helm, built with Go, and kubernetes-validate, from PyPI.',
  main: install,
});

function install() {
  mkdirSync(HELM_TOOLS.folder, { recursive: true });
  run('go', ['install', '-trimpath', '-ldflags', '-s -w', HELM], {
    GOBIN: join(HELM_TOOLS.folder, 'bin'),
  });
  const venv = join(HELM_TOOLS.folder, 'venv');
  run('python3', ['-m', 'venv', venv]);
  run(join(venv, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', VALIDATOR]);
  process.stdout.write(`Installed in ${HELM_TOOLS.folder}\n`);
}

function run(program, args, env = {}) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  if (error?.code === 'ENOENT') throw new SetupError(`${program} is not installed.`);
  if (status !== 0) throw new SetupError(`"${program} ${args.join(' ')}" failed.`);
}
