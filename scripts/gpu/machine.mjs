// Prints the GPU, its driver and the libraries that the providers need, as JSON.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { NODE_MODULES } from '../lib/paths.mjs';

const FIELDS = ['name', 'driver_version', 'memory.total', 'compute_cap', 'clocks.max.sm', 'power.limit'];
const LIBRARIES = /lib(?:cudart|cublasLt|cudnn|cufft|curand|nvinfer|vulkan)\.so\S*/g;

const said = (program, args) => {
  const { status, stdout, error } = spawnSync(program, args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : (error?.code ?? `exit code ${status}`);
};
const inPath = (process.env.LD_LIBRARY_PATH ?? '')
  .split(':')
  .filter((folder) => folder !== '')
  .map((folder) => said('ls', [folder]));

/** The libraries that each provider of ONNX Runtime needs and this machine lacks. */
function missingLibraries() {
  const bin = join(NODE_MODULES, 'onnxruntime-node', 'bin');
  const providers = readdirSync(bin, { recursive: true }).filter(
    (path) => path.endsWith('.so') && path.includes('providers_') && path.includes(process.platform),
  );
  const lacks = (path) =>
    [...said('ldd', [join(bin, path)]).matchAll(/(\S+) => not found/g)].map(([, name]) => name);
  return Object.fromEntries(providers.map((path) => [path, lacks(path)]));
}

process.stdout.write(
  `${JSON.stringify({
    gpus: said('nvidia-smi', [`--query-gpu=${FIELDS.join(',')}`, '--format=csv,noheader']).split('\n'),
    libraries: [
      ...new Set(`${said('ldconfig', ['-p'])}\n${inPath.join('\n')}`.match(LIBRARIES) ?? []),
    ].toSorted(),
    missingLibraries: missingLibraries(),
    node: process.version,
    processor: `${cpus().length} × ${cpus()[0].model.trim()}`,
    memoryGb: Number((totalmem() / 1e9).toFixed(0)),
  })}\n`,
);
