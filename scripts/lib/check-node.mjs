import { isSupportedNode, SUPPORTED_NODE } from '../../src/cli/supported-node.mjs';
import { SetupError } from './setup-error.mjs';

/** @throws SetupError when the service's dependencies do not run on this Node.js */
export function checkNode() {
  const version = process.versions.node;
  if (isSupportedNode(version)) return;
  throw new SetupError(
    `Node.js ${SUPPORTED_NODE} is needed, and this is ${version}. Install a current one from https://nodejs.org and try again.`,
  );
}
