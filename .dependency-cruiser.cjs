/**
 * Which folder may import which: the architecture, enforced. A rule names the folder and every folder
 * that it must not see.
 */
const folder = (...names) => `^src/(${names.join('|')})/`;
const entry = '^src/main\\.';

/** Each folder with all that it may import besides itself; whatever is not listed is forbidden. */
const ALLOWED = {
  kernel: [],
  config: ['kernel'],
  infra: ['kernel', 'config'],
  catalog: ['kernel', 'config'],
  serving: ['kernel', 'config', 'infra', 'catalog'],
  common: ['kernel'],
  audit: ['kernel', 'infra', 'common'],
  webhooks: ['kernel', 'config', 'infra', 'common', 'audit', 'idempotency'],
  auth: ['kernel', 'config', 'infra', 'common', 'audit'],
  idempotency: ['kernel', 'config', 'infra', 'common'],
  quotas: ['kernel', 'config', 'infra', 'common', 'auth', 'webhooks'],
  uploads: ['kernel', 'config', 'infra', 'common', 'auth', 'quotas', 'idempotency', 'webhooks'],
  jobs: [
    'kernel',
    'config',
    'infra',
    'common',
    'auth',
    'quotas',
    'idempotency',
    'uploads',
    'catalog',
    'serving',
    'webhooks',
  ],
  inference: ['kernel', 'config', 'catalog'],
  accounts: ['kernel', 'config', 'infra', 'common', 'audit', 'auth'],
  dashboard: [
    'kernel',
    'config',
    'infra',
    'common',
    'audit',
    'auth',
    'accounts',
    'quotas',
    'idempotency',
    'uploads',
    'jobs',
    'catalog',
    'serving',
    'webhooks',
  ],
  worker: ['kernel', 'config', 'infra', 'catalog', 'serving', 'inference', 'jobs', 'uploads'],
};
const ALL = [...Object.keys(ALLOWED), 'app'];

const layers = Object.entries(ALLOWED).map(([name, allowed]) => ({
  name: `${name}-sees-only-its-own-floor`,
  comment: `src/${name} may import ${allowed.length > 0 ? allowed.map((other) => `src/${other}`).join(', ') : 'nothing of ours'}.`,
  severity: 'error',
  from: { path: folder(name) },
  to: { path: [folder(...ALL.filter((other) => other !== name && !allowed.includes(other))), entry] },
}));

/** A vendor's library is used in one place only. */
const vendor = (name, packages, home) => ({
  name: `${name}-stays-at-home`,
  comment: `Only ${home} may use it.`,
  severity: 'error',
  from: { path: '^src/', pathNot: [home, '\\.spec\\.ts$', '/testing/'] },
  to: { path: `^node_modules/(${packages})/` },
});

const unreachable = (from, to, what = 'inference') => ({
  name: `no-${what}-in-${from}`,
  comment:
    'A process that serves requests or sweeps never loads a GPU library and decodes no pixels of strangers.',
  severity: 'error',
  from: { path: `^src/main\\.${from}\\.ts$` },
  to: { path: to, reachable: true },
});

module.exports = {
  forbidden: [
    ...layers,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'nobody-imports-main', severity: 'error', from: {}, to: { path: entry } },
    vendor('sharp', 'sharp', '^src/infra/image/'),
    vendor('onnxruntime', 'onnxruntime-node', '^src/inference/engines/'),
    vendor('tensorflow', '@tensorflow/[^/]+', '^src/inference/engines/'),
    vendor('ipaddr', 'ipaddr.js', '^src/(infra/net|config)/'),
    vendor('protobufjs', 'protobufjs', '^src/catalog/onnx/'),
    vendor('argon2', '@node-rs/argon2', '^src/infra/passwords/'),
    vendor('zxcvbn', '@zxcvbn-ts/[^/]+', '^src/infra/passwords/'),
    vendor('prom-client', 'prom-client', '^src/infra/telemetry/'),
    vendor('bullmq', 'bullmq|@nestjs/bullmq', '^src/(infra/queue|worker)/'),
    unreachable('api', '^(src/inference/|node_modules/(onnxruntime-node|@tensorflow)/)'),
    unreachable('dispatcher', '^(src/inference/|node_modules/(onnxruntime-node|@tensorflow)/)'),
    unreachable('api', '^(src/infra/image/libvips\\.ts|node_modules/sharp/)', 'image-library'),
    unreachable('dispatcher', '^(src/infra/image/libvips\\.ts|node_modules/sharp/)', 'image-library'),
    {
      name: 'no-dev-dependencies',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev'] },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
