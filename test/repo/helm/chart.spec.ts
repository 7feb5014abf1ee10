import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { HELM_TOOLS } from '../../../scripts/helm/tools.mjs';
import { ROOT } from '../../../scripts/lib/paths.mjs';
import { VERSION } from '../../../src/kernel/version.js';
import {
  CHART,
  find,
  hasHelm,
  helm,
  MINIMAL,
  NEEDS_HELM,
  README_EXAMPLE,
  render,
  type Values,
} from '../../support/kubernetes/helm-chart.js';

/** Kinds that operators define, whose schemas the validator lacks. */
const FOREIGN_KINDS = new Set(['PodMonitor', 'ScaledObject', 'ServiceMonitor']);

type Manifest = ReturnType<typeof render<Spec>>[number];

/** The fields of a Deployment, Job or ScaledObject that the tests read. */
interface Spec {
  readonly replicas?: number;
  readonly template: { readonly spec: PodSpec };
  readonly triggers: readonly { readonly metadata: { readonly query: string } }[];
}

interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly containers: readonly [
    {
      readonly image: string;
      readonly command?: readonly string[];
      readonly securityContext: object;
      readonly resources: { readonly limits: object };
      readonly startupProbe: {
        readonly httpGet: { readonly path: string };
        readonly periodSeconds: number;
        readonly timeoutSeconds: number;
        readonly failureThreshold: number;
      };
      readonly readinessProbe: {
        readonly httpGet: { readonly path: string };
        readonly timeoutSeconds: number;
        readonly failureThreshold: number;
      };
      readonly env: readonly { readonly name: string; readonly value?: string }[];
    },
  ];
}

describe.skipIf(!hasHelm)(`the Helm chart ${NEEDS_HELM}`, () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'ies-helm-'));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  const podOf = (workload: Manifest): PodSpec => workload.spec.template.spec;
  const envOf = (workload: Manifest): Record<string, string | undefined> =>
    Object.fromEntries(podOf(workload).containers[0].env.map(({ name, value }) => [name, value]));

  const EXAMPLES: Record<string, Values> = {
    'the least values': MINIMAL,
    'the example of the README': README_EXAMPLE,
    'everything on': {
      ...README_EXAMPLE,
      image: { repository: 'registry.example.com/ies', tag: '1.2.3', pullSecrets: ['registry'] },
      database: {
        existingSecret: 'database',
        directUrlKey: 'DIRECT',
        readUrlKey: 'READ',
        caConfigMap: 'postgres-ca',
      },
      models: { existingClaim: 'models' },
      serviceAccount: { name: 'images', annotations: { 'example.com/role': 'images' } },
      api: {
        autoscaling: { enabled: true },
        scratchStorageClass: 'fast',
        nodeSelector: { pool: 'web' },
        tolerations: [{ operator: 'Exists' }],
      },
      objectStore: { url: 's3://images', endpoint: 'http://minio:9000', forcePathStyle: true },
      networkPolicy: { ingressFrom: [{ namespaceSelector: {} }] },
      monitoring: { enabled: true, labels: { release: 'prometheus' } },
      mail: { from: 'Images <no-reply@example.com>', existingSecret: 'mail' },
      oidc: { issuer: 'https://id.example.com', clientId: 'images', existingSecret: 'oidc' },
      tracing: { otlpEndpoint: 'http://collector:4318' },
      workers: {
        disk: { scratchStorageClass: 'fast', runtimeClassName: 'nvidia', podAnnotations: { a: 'b' } },
      },
    },
  };

  describe.each(Object.entries(EXAMPLES))('with %s', (_, values) => {
    it('passes helm lint', () => {
      const { stdout, status } = helm('lint', values);
      expect({ status, stdout }).toEqual({
        status: 0,
        stdout: expect.stringContaining('0 chart(s) failed'),
      });
    });

    it('renders only manifests that Kubernetes accepts', () => {
      const known = render<Spec>(values).filter(({ kind }) => !FOREIGN_KINDS.has(kind));
      expect(known.length).toBeGreaterThan(8);
      const file = join(dir, 'manifests.yaml');
      writeFileSync(file, known.map((manifest) => JSON.stringify(manifest)).join('\n---\n'));
      const { status, stdout, stderr } = spawnSync(HELM_TOOLS.validator, ['--strict', '--no-warn', file], {
        encoding: 'utf8',
      });
      expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
    });

    it('sets only variables that the service knows', () => {
      const documented = new Set(
        [...readFileSync(join(ROOT, 'docs', 'configuration.md'), 'utf8').matchAll(/^### `(\w+)`/gm)].map(
          (m) => m[1]!,
        ),
      );
      const foreign = /^(AWS_|OTEL_|MALLOC_ARENA_MAX$)/;
      const names = render<Spec>(values)
        .filter(({ kind }) => kind === 'Deployment')
        .flatMap((deployment) => Object.keys(envOf(deployment)));
      expect(names.length).toBeGreaterThan(20);
      expect([...new Set(names)].filter((name) => !documented.has(name) && !foreign.test(name))).toEqual([]);
    });

    it('gives every container a non-root user, a read-only root and no capabilities', () => {
      const pods = render<Spec>(values).filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
      expect(pods.length).toBeGreaterThan(3);
      for (const pod of pods) {
        expect(podOf(pod).securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
        expect(podOf(pod).containers[0].securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    });
  });

  it('gives each pod a longer grace period than its drain takes', () => {
    const manifests = render<Spec>({ ...MINIMAL, api: { shutdownDelayMs: 7000, drainTimeoutMs: 10_001 } });
    expect(
      podOf(find(manifests, 'Deployment', 'ies-image-enhancement-api')).terminationGracePeriodSeconds,
    ).toBe(23);
    const worker = find(manifests, 'Deployment', 'ies-image-enhancement-worker-cpu');
    expect(podOf(worker).terminationGracePeriodSeconds).toBe(30);
    expect(envOf(worker)['DRAIN_TIMEOUT_MS']).toBe('25000');
  });

  it('takes an api out only after several missed answers, each later than the limit of its checks', () => {
    const { readinessProbe } = podOf(find(render<Spec>(MINIMAL), 'Deployment', 'ies-image-enhancement-api'))
      .containers[0];
    expect(readinessProbe.timeoutSeconds).toBeGreaterThan(2);
    expect(readinessProbe.failureThreshold).toBeGreaterThanOrEqual(3);
  });

  it('gives each role the time to copy models before its start counts as failed', () => {
    const values = {
      api: { startupSeconds: 601 },
      dispatcher: { startupSeconds: 602 },
      workerDefaults: { startupSeconds: 603 },
    };
    const manifests = render<Spec>({ ...MINIMAL, ...values });
    for (const role of ['api', 'dispatcher', 'worker-cpu']) {
      const { startupProbe } = podOf(find(manifests, 'Deployment', `ies-image-enhancement-${role}`))
        .containers[0];
      const { periodSeconds, failureThreshold } = startupProbe;
      expect(periodSeconds * failureThreshold, role).toBeGreaterThan(600);
      expect(periodSeconds * failureThreshold, role).toBeLessThan(610);
    }
  });

  it('does not restart a role that has started and waits for its disk or its store', () => {
    const manifests = render<Spec>(MINIMAL);
    for (const role of ['api', 'dispatcher', 'worker-cpu']) {
      const { startupProbe, readinessProbe } = podOf(
        find(manifests, 'Deployment', `ies-image-enhancement-${role}`),
      ).containers[0];
      expect(startupProbe.httpGet.path, role).toBe('/health/live');
      expect(startupProbe.timeoutSeconds, role).toBeGreaterThanOrEqual(5);
      expect(readinessProbe.httpGet.path, role).toBe('/health/ready');
    }
  });

  it('gives each role only the secrets that it uses', () => {
    const manifests = render<Spec>(README_EXAMPLE);
    const names = (role: string): string[] =>
      Object.keys(envOf(find(manifests, 'Deployment', `ies-image-enhancement-${role}`)));
    expect(names('worker-gpu')).not.toContain('SEALING_KEY');
    expect(names('worker-gpu')).not.toContain('DATABASE_READ_URL');
    expect(names('dispatcher')).toContain('SEALING_KEY');
    expect(names('api')).toEqual(expect.arrayContaining(['SEALING_KEY', 'URL_SIGNING_KEY', 'METRICS_TOKEN']));
  });

  it('gives the mail server to dispatchers only, and the sender to the api, too', () => {
    const mail = { from: 'mail@example.com', existingSecret: 'mail' };
    const manifests = render<Spec>({ ...README_EXAMPLE, mail });
    const names = (role: string): string[] =>
      Object.keys(envOf(find(manifests, 'Deployment', `ies-image-enhancement-${role}`)));
    expect(names('dispatcher')).toEqual(expect.arrayContaining(['SMTP_URL', 'SMTP_FROM']));
    expect(names('api')).toContain('SMTP_FROM');
    expect(names('api')).not.toContain('SMTP_URL');
    expect(names('worker-gpu')).not.toContain('SMTP_URL');
    expect(helm('template', { ...README_EXAMPLE, mail: { from: mail.from } }).stderr).toContain(
      'mail.existingSecret is required',
    );
  });

  it('gives the OpenID provider and the client secret to the api only', () => {
    const oidc = { issuer: 'https://id.example.com', clientId: 'images', existingSecret: 'oidc' };
    const manifests = render<Spec>({ ...README_EXAMPLE, oidc });
    const env = (role: string) => envOf(find(manifests, 'Deployment', `ies-image-enhancement-${role}`));
    expect(env('api')).toMatchObject({ OIDC_ISSUER: oidc.issuer, OIDC_CLIENT_ID: 'images' });
    expect(Object.keys(env('api'))).toContain('OIDC_CLIENT_SECRET');
    for (const role of ['dispatcher', 'worker-gpu'])
      expect(Object.keys(env(role)).filter((name) => name.startsWith('OIDC_'))).toEqual([]);
    expect(helm('template', { ...README_EXAMPLE, oidc: { issuer: oidc.issuer } }).stderr).toContain(
      'oidc.clientId is required',
    );
  });

  it('requests a GPU or a slice of one, and scales by queued work down to zero', () => {
    const manifests = render<Spec>(README_EXAMPLE);
    const limitsOf = (group: string): unknown =>
      podOf(find(manifests, 'Deployment', `ies-image-enhancement-worker-${group}`)).containers[0].resources
        .limits;
    expect(limitsOf('gpu')).toEqual({ memory: '4Gi', 'nvidia.com/gpu': 1 });
    expect(limitsOf('slice')).toEqual({ memory: '4Gi', 'nvidia.com/mig-1g.10gb': 1 });
    const gpu = find(manifests, 'Deployment', 'ies-image-enhancement-worker-gpu');
    expect(gpu.spec.replicas).toBeUndefined();
    expect(podOf(gpu).containers[0].image).toBe(`image-enhancement/worker-cuda:${VERSION}`);
    const scaler = find(manifests, 'ScaledObject', 'ies-image-enhancement-worker-gpu').spec;
    expect(scaler).toMatchObject({ minReplicaCount: 0, maxReplicaCount: 2 });
    expect(scaler.triggers[0]?.metadata.query).toContain('ies_queue_work_seconds');
  });

  it('runs migrations before an install and before an upgrade', () => {
    const job = find(render<Spec>(MINIMAL), 'Job', 'ies-image-enhancement-migrate');
    expect(job.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
    expect(podOf(job).containers[0].command).toEqual(['node', 'dist/main.admin.js', 'migrate']);
  });

  it.each([
    [{ ...MINIMAL, publicUrl: '' }, 'publicUrl is required'],
    [{ ...MINIMAL, persistence: {} }, 'objectStore.url or persistence.existingClaim is required'],
    [{ ...MINIMAL, replica: 3 }, "additional properties 'replica' not allowed"],
    [{ ...MINIMAL, workers: { gpu: { image: 'api' } } }, 'must be one of'],
    [{ ...MINIMAL, workers: { GPU_1: {} } }, 'does not match pattern'],
  ])('refuses %o', (values, message) => {
    const { status, stderr } = helm('template', values);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) });
  });

  it('has the version of the product', () => {
    const { version, appVersion } = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as Record<
      string,
      string
    >;
    const product = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect({ version, appVersion }).toEqual({ version: product.version, appVersion: product.version });
    expect(execFileSync(HELM_TOOLS.helm, ['version', '--short'], { encoding: 'utf8' })).toMatch(/^v3\./);
  });
});
