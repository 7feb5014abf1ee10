import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'image-enhancement', 'helm');

/** Where `npm run helm:setup` installs its tools, and where the chart's specs look for them. */
export const HELM_TOOLS = {
  folder,
  helm: join(folder, 'bin', 'helm'),
  validator: join(folder, 'venv', 'bin', 'kubernetes-validate'),
  /** Installed only with `--api-server`. */
  apiServer: join(folder, 'bin', 'kube-apiserver'),
  etcd: join(folder, 'bin', 'etcd'),
  /** Definitions of the resources from other operators that the chart creates, as YAML files. */
  definitions: join(folder, 'crds'),
};

/** Whether a chart can be installed in a real API server on this machine. */
export function hasApiServer() {
  const { helm, apiServer, etcd, definitions } = HELM_TOOLS;
  return [helm, apiServer, etcd, definitions].every((path) => existsSync(path));
}
