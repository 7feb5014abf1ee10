import { SetupError } from './setup-error.mjs';

const NEEDED = [20, 19];

/** @throws SetupError when the running Node.js is too old for the service's dependencies */
export function checkNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return;
  throw new SetupError(
    `Node.js ${NEEDED.join('.')} or newer is needed, and this is ${version}. Install a current one from https://nodejs.org and try again.`,
  );
}
