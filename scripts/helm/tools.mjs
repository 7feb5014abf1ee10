import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'image-enhancement', 'helm');

/** Where `npm run helm:setup` installs its tools, and the specs of the chart look for them. */
export const HELM_TOOLS = {
  folder,
  helm: join(folder, 'bin', 'helm'),
  validator: join(folder, 'venv', 'bin', 'kubernetes-validate'),
  /** Only with `--api-server`. */
  apiServer: join(folder, 'bin', 'kube-apiserver'),
  etcd: join(folder, 'bin', 'etcd'),
  /** Definitions of the resources that the chart takes from other operators, as YAML files. */
  definitions: join(folder, 'crds'),
};

/** Whether a chart can be installed in a real API server here. */
export function hasApiServer() {
  const { helm, apiServer, etcd, definitions } = HELM_TOOLS;
  return [helm, apiServer, etcd, definitions].every((path) => existsSync(path));
}
