import { homedir } from 'node:os';
import { join } from 'node:path';

const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'image-enhancement', 'peers');

/** Where `npm run peers:setup` installs the programs of `npm run bench -- peers`. */
export const PEERS = {
  folder,
  /** A Python with rembg, Pillow, ONNX and Real-ESRGAN. */
  python: join(folder, 'venv', 'bin', 'python'),
  rembg: join(folder, 'venv', 'bin', 'rembg'),
  /** A package with UpscalerJS and TensorFlow.js below its `node_modules`. */
  node: join(folder, 'node'),
};
