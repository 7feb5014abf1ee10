import { homedir } from 'node:os';
import { join } from 'node:path';

const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'image-enhancement', 'helm');

/** Where `npm run helm:setup` installs its tools, and `test/repo/helm.spec.ts` looks for them. */
export const HELM_TOOLS = {
  folder,
  helm: join(folder, 'bin', 'helm'),
  validator: join(folder, 'venv', 'bin', 'kubernetes-validate'),
};
