import { existsSync } from 'node:fs';
import { type Finding, note, ok } from './finding.js';

const LIBRARY_FOLDERS = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/lib'];

const NEEDS = [
  {
    name: 'Chromium (browser tests)',
    paths: ['/usr/bin/chromium-headless-shell'],
    package: 'chromium-headless-shell',
  },
  {
    name: 'SwiftShader, a Vulkan driver without a GPU (WebGPU tests)',
    paths: ['/usr/lib/chromium/vk_swiftshader_icd.json'],
    package: 'chromium-common',
  },
  {
    name: 'the Vulkan loader (WebGPU tests)',
    paths: LIBRARY_FOLDERS.map((folder) => `${folder}/libvulkan.so.1`),
    package: 'libvulkan1',
  },
  {
    name: 'Redis (queue tests)',
    paths: ['/usr/bin/redis-server', '/usr/local/bin/redis-server'],
    package: 'redis-server',
  },
] as const;

/** Programs that only the tests need. As root on Debian, `npm test` installs them. */
export async function examineTests(): Promise<readonly Finding[]> {
  return NEEDS.map((need) => {
    const found = need.paths.some((path) => existsSync(path));
    if (found) return ok('tests', `${need.name} is there`);
    return note(
      'tests',
      `${need.name} is not there`,
      `Only for "npm test". On Debian: apt-get install ${need.package}`,
    );
  });
}
