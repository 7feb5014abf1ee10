// Prints the GPU, its driver and the libraries that the providers need, as JSON.
import { spawnSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';

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

process.stdout.write(
  `${JSON.stringify({
    gpus: said('nvidia-smi', [`--query-gpu=${FIELDS.join(',')}`, '--format=csv,noheader']).split('\n'),
    libraries: [
      ...new Set(`${said('ldconfig', ['-p'])}\n${inPath.join('\n')}`.match(LIBRARIES) ?? []),
    ].toSorted(),
    node: process.version,
    processor: `${cpus().length} × ${cpus()[0].model.trim()}`,
    memoryGb: Number((totalmem() / 1e9).toFixed(0)),
  })}\n`,
);
