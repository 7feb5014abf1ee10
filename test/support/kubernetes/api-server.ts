import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HELM_TOOLS } from '../../../scripts/helm/tools.mjs';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';

const TOKEN = 'token-of-the-administrator';
const START_MS = 60_000;

export interface ApiAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** A real Kubernetes API server with its own etcd, without controllers or nodes: it stores and validates objects. */
export class KubernetesApiServer {
  private constructor(
    private readonly dir: string,
    private readonly port: number,
    private readonly processes: readonly ChildProcess[],
  ) {}

  static async start(): Promise<KubernetesApiServer> {
    const dir = await mkdtemp(join(tmpdir(), 'ies-kubernetes-'));
    const [port, clients, peers] = await Promise.all([freePort(), freePort(), freePort()]);
    await writeFile(join(dir, 'tokens.csv'), `${TOKEN},admin,admin,system:masters\n`);
    const key = join(dir, 'accounts.key');
    execFileSync('openssl', ['genrsa', '-out', key, '2048'], { stdio: 'ignore' });
    const etcd = `http://127.0.0.1:${clients}`;
    const peer = `http://127.0.0.1:${peers}`;
    const processes = [
      run(HELM_TOOLS.etcd, {
        'data-dir': join(dir, 'etcd'),
        'listen-client-urls': etcd,
        'advertise-client-urls': etcd,
        'listen-peer-urls': peer,
        'initial-advertise-peer-urls': peer,
        'initial-cluster': `default=${peer}`,
        'log-level': 'error',
      }),
      run(HELM_TOOLS.apiServer, {
        'etcd-servers': etcd,
        'bind-address': '127.0.0.1',
        'secure-port': String(port),
        'cert-dir': join(dir, 'certificates'),
        'token-auth-file': join(dir, 'tokens.csv'),
        'authorization-mode': 'RBAC',
        'service-cluster-ip-range': '10.0.0.0/24',
        'service-account-issuer': `https://127.0.0.1:${port}`,
        'service-account-key-file': key,
        'service-account-signing-key-file': key,
        v: '0',
      }),
    ];
    const server = new KubernetesApiServer(dir, port, processes);
    await writeFile(server.kubeconfig, JSON.stringify(kubeconfigOf(port)));
    try {
      await server.ready();
    } catch (error) {
      await server.close();
      throw error;
    }
    return server;
  }

  /** The path of a kubeconfig file for clients. */
  get kubeconfig(): string {
    return join(this.dir, 'kubeconfig');
  }

  /** Calls the API as an administrator. `path` starts with `/api` or `/apis`. */
  async call(method: string, path: string, body?: object): Promise<ApiAnswer> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const call = request({
      host: '127.0.0.1',
      port: this.port,
      path,
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': type },
      // Its certificate is self-signed.
      rejectUnauthorized: false,
    });
    call.end(body === undefined ? undefined : JSON.stringify(body));
    const [answer] = (await once(call, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
    let text = '';
    for await (const part of answer) text += part.toString();
    return {
      status: answer.statusCode,
      body: (text.startsWith('{') ? JSON.parse(text) : {}) as ApiAnswer['body'],
    };
  }

  async close(): Promise<void> {
    for (const child of this.processes.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(this.dir, { recursive: true, force: true });
  }

  private async ready(): Promise<void> {
    for (const end = Date.now() + START_MS; Date.now() < end; await sleep(200)) {
      if (this.processes.some(({ exitCode }) => exitCode !== null))
        throw new Error('etcd or kube-apiserver exited at its start');
      const answer = await this.call('GET', '/readyz').catch(() => null);
      if (answer?.status === 200) return;
    }
    throw new Error(`kube-apiserver was not ready after ${START_MS / 1_000} s`);
  }
}

function run(program: string, options: Readonly<Record<string, string>>): ChildProcess {
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  return spawn(program, args, { stdio: 'ignore' });
}

function kubeconfigOf(port: number): object {
  const cluster = { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'admin', user: { token: TOKEN } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
    'current-context': 'test',
  };
}
