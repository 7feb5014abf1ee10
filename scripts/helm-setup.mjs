// `npm run helm:setup`: installs Helm (built with Go) and kubernetes-validate (PyPI) for the chart's specs.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { installApiServer } from './helm/api-server.mjs';
import { HELM_TOOLS } from './helm/tools.mjs';
import { runScript } from './lib/run-script.mjs';
import { SetupError } from './lib/setup-error.mjs';

const HELM = 'helm.sh/helm/v3/cmd/helm@v3.22.0';
const VALIDATOR = 'kubernetes-validate==1.37.0';

await runScript({
  invocation: 'npm run helm:setup --',
  description:
    'Installs what the specs of the Helm chart need: Helm, built with Go, and kubernetes-validate, from PyPI.',
  declare: (program) =>
    program.option(
      '--api-server',
      'also build kube-apiserver and etcd, in which the chart is installed (a quarter of an hour on two cores)',
    ),
  main: install,
});

function install({ apiServer }) {
  mkdirSync(HELM_TOOLS.folder, { recursive: true });
  run('go', ['install', '-trimpath', '-ldflags', '-s -w', HELM], {
    env: { GOBIN: join(HELM_TOOLS.folder, 'bin') },
  });
  const venv = join(HELM_TOOLS.folder, 'venv');
  run('python3', ['-m', 'venv', venv]);
  run(join(venv, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', VALIDATOR]);
  if (apiServer) installApiServer(run, download);
  process.stdout.write(`Installed in ${HELM_TOOLS.folder}\n`);
}

/** Downloads a module into Go's cache. */
function download(module) {
  const { stdout, error } = spawnSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8' });
  if (error !== undefined) throw new SetupError('go is not installed.');
  const answer = JSON.parse(stdout);
  if (answer.Error !== undefined) throw new SetupError(answer.Error);
  return answer;
}

function run(program, args, { cwd, env = {} } = {}) {
  const { status, error } = spawnSync(program, args, {
    stdio: 'inherit',
    cwd,
    env: { ...process.env, ...env },
  });
  if (error?.code === 'ENOENT') throw new SetupError(`${program} is not installed.`);
  if (status !== 0) throw new SetupError(`"${program} ${args.join(' ')}" failed.`);
}
