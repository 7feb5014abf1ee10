// `npm run triton:setup`: a Triton server without a GPU for tests and `npm run bench -- triton`, from PyPI.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runScript } from './lib/run-script.mjs';
import { installedTriton, TRITON_HOME } from './triton/triton-home.mjs';

const PACKAGES = ['nvidia-pytriton==0.7.0', 'onnxruntime>=1.22'];

await runScript({
  invocation: 'npm run triton:setup --',
  description: 'Installs a Triton server without a GPU, for tests and npm run bench -- triton.',
  main: () => {
    if (installedTriton() === undefined) install();
    process.stdout.write(`Triton is in ${TRITON_HOME}\n`);
  },
});

function install() {
  mkdirSync(dirname(TRITON_HOME), { recursive: true });
  const run = (program, ...args) => execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  run('python3', '-m', 'venv', TRITON_HOME);
  run(join(TRITON_HOME, 'bin', 'pip'), 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES);
  const lib = join(TRITON_HOME, 'lib');
  const python = readdirSync(lib).find((name) => name.startsWith('python3.'));
  const root = join(lib, python, 'site-packages', 'pytriton', 'tritonserver');
  // The backend's program must match this Python version.
  const stub = join(root, 'backends', 'python', 'triton_python_backend_stub');
  copyFileSync(
    join(root, 'python_backend_stubs', python.slice('python'.length), 'triton_python_backend_stub'),
    stub,
  );
  chmodSync(stub, 0o755);
  chmodSync(join(root, 'bin', 'tritonserver'), 0o755);
}
