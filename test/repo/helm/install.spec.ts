import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { HELM_TOOLS, hasApiServer } from '../../../scripts/helm/tools.mjs';
import { KubernetesApiServer } from '../../support/kubernetes/api-server.js';
import { CHART, README_EXAMPLE } from '../../support/kubernetes/helm-chart.js';

const NAMESPACE = 'images';

interface Item {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly replicas?: number };
}

/** The lists of the resources that an installation creates. */
const LISTS = {
  deployments: `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`,
  services: `/api/v1/namespaces/${NAMESPACE}/services`,
  ingresses: `/apis/networking.k8s.io/v1/namespaces/${NAMESPACE}/ingresses`,
  networkPolicies: `/apis/networking.k8s.io/v1/namespaces/${NAMESPACE}/networkpolicies`,
  disruptionBudgets: `/apis/policy/v1/namespaces/${NAMESPACE}/poddisruptionbudgets`,
  scaledObjects: `/apis/keda.sh/v1alpha1/namespaces/${NAMESPACE}/scaledobjects`,
  serviceMonitors: `/apis/monitoring.coreos.com/v1/namespaces/${NAMESPACE}/servicemonitors`,
  podMonitors: `/apis/monitoring.coreos.com/v1/namespaces/${NAMESPACE}/podmonitors`,
} as const;

// The title names the command that builds the tools.
describe.skipIf(!hasApiServer())(
  'the Helm chart in an API server (npm run helm:setup -- --api-server builds it)',
  () => {
    let server: KubernetesApiServer;
    let dir: string;

    beforeAll(async () => {
      dir = mkdtempSync(join(tmpdir(), 'ies-helm-'));
      server = await KubernetesApiServer.start();
      const labels = { 'pod-security.kubernetes.io/warn': 'restricted' };
      await server.call('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE, labels } });
      for (const file of readdirSync(HELM_TOOLS.definitions)) {
        const definition = parse(readFileSync(join(HELM_TOOLS.definitions, file), 'utf8')) as object;
        const { status } = await server.call(
          'POST',
          '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
          definition,
        );
        expect(status).toBe(201);
      }
      for (const path of Object.values(LISTS))
        await vi.waitFor(async () => expect((await server.call('GET', path)).status).toBe(200), 20_000);
    });
    afterAll(async () => {
      await server?.close();
      rmSync(dir, { recursive: true, force: true });
    });

    const itemsOf = async (path: string): Promise<Item[]> =>
      ((await server.call('GET', path)).body['items'] ?? []) as Item[];
    const namesOf = async (path: string): Promise<string[]> =>
      (await itemsOf(path)).map(({ metadata }) => metadata.name).filter((name) => name !== 'kubernetes');

    /** Runs Helm. Its hook waits for a job, which this test completes as a cluster would. */
    async function helm(...args: string[]): Promise<{ code: number; stderr: string }> {
      const child = spawn(HELM_TOOLS.helm, [...args, '-n', NAMESPACE, '--kubeconfig', server.kubeconfig], {
        env: { PATH: process.env['PATH'], HOME: dir },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      await completeJobsWhile(child);
      return { code: child.exitCode!, stderr };
    }

    async function completeJobsWhile(child: ChildProcess): Promise<void> {
      const ended = once(child, 'exit');
      for (; child.exitCode === null; await Promise.race([ended, sleep(100)])) {
        const jobs = `/apis/batch/v1/namespaces/${NAMESPACE}/jobs`;
        for (const name of await namesOf(jobs)) {
          const now = new Date().toISOString().replace(/\.\d+/, '');
          const condition = (type: string) => ({ type, status: 'True', lastTransitionTime: now });
          const status = {
            startTime: now,
            completionTime: now,
            succeeded: 1,
            conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
          };
          await server.call('PATCH', `${jobs}/${name}/status`, { status });
        }
      }
    }

    const withValues = (name: string, values: object): string => {
      const path = join(dir, `${name}.yaml`);
      writeFileSync(path, stringify(values));
      return path;
    };

    it('installs without a warning, with every resource of the example', async () => {
      const result = await helm('install', 'ies', CHART, '-f', withValues('install', README_EXAMPLE));
      expect(result).toEqual({ code: 0, stderr: '' });
      const names = Object.fromEntries(
        await Promise.all(
          Object.entries(LISTS).map(async ([kind, path]) => [kind, (await namesOf(path)).toSorted()]),
        ),
      ) as Record<keyof typeof LISTS, string[]>;
      expect(names.deployments).toEqual(
        ['api', 'dispatcher', 'worker-cpu', 'worker-gpu', 'worker-slice'].map((role) =>
          expect.stringContaining(role),
        ),
      );
      expect(names.scaledObjects).toEqual([expect.stringContaining('worker-gpu')]);
      for (const kind of Object.keys(LISTS)) expect(names[kind as keyof typeof LISTS], kind).not.toEqual([]);
    });

    it('upgrades and rolls back, with its migration job', async () => {
      const replicas = async (): Promise<number> =>
        (await itemsOf(LISTS.deployments)).find(({ metadata }) => metadata.name.endsWith('api'))!.spec
          .replicas!;
      const before = await replicas();
      const values = withValues('upgrade', { ...README_EXAMPLE, api: { replicas: before + 2 } });
      expect(await helm('upgrade', 'ies', CHART, '-f', values)).toEqual({ code: 0, stderr: '' });
      expect(await replicas()).toBe(before + 2);
      expect(await helm('rollback', 'ies', '1')).toEqual({ code: 0, stderr: '' });
      expect(await replicas()).toBe(before);
    });

    it('leaves nothing behind when it is uninstalled', async () => {
      expect(await helm('uninstall', 'ies')).toEqual({ code: 0, stderr: '' });
      for (const path of Object.values(LISTS)) await expect.poll(() => namesOf(path)).toEqual([]);
    });
  },
);
