/** Which folder may import which: the architecture, enforced. */
const entry = '^src/main\\.';

/**
 * Each room with all that it may import besides itself; whatever is not listed is forbidden. A room is a folder of
 * src, or a folder inside one that has rules of its own.
 */
const ALLOWED = {
  kernel: [],
  config: ['kernel'],
  infra: ['kernel', 'config'],
  roles: ['config', 'infra'],
  common: ['kernel'],
  audit: ['kernel', 'infra', 'common'],
  mail: ['kernel', 'config', 'infra'],
  'quotas/rate-limit': ['kernel', 'infra', 'common'],
  auth: ['kernel', 'config', 'infra', 'common', 'audit', 'mail', 'quotas/rate-limit'],
  accounts: ['kernel', 'config', 'infra', 'common', 'audit', 'mail', 'auth', 'webhooks', 'quotas'],
  idempotency: ['kernel', 'config', 'infra', 'common'],
  webhooks: ['kernel', 'config', 'infra', 'common', 'audit', 'mail', 'idempotency'],
  quotas: ['kernel', 'config', 'infra', 'common', 'mail', 'quotas/rate-limit', 'auth', 'webhooks'],
  uploads: ['kernel', 'config', 'infra', 'common', 'auth', 'quotas', 'idempotency', 'webhooks'],
  'models/manifest': ['kernel'],
  'models/files': ['kernel'],
  'models/onnx': ['kernel', 'models/files'],
  'models/compose': ['kernel', 'models/manifest', 'models/files', 'models/onnx'],
  'models/repository': ['kernel', 'models/manifest', 'models/files', 'models/onnx'],
  'models/mirror': ['kernel', 'config', 'infra', 'models/manifest', 'models/files', 'models/repository'],
  'models/serving': ['kernel', 'config', 'infra', 'models/repository'],
  inference: ['kernel', 'config', 'models/manifest', 'models/files', 'models/compose', 'models/repository'],
  'models/check': [
    'kernel',
    'config',
    'infra',
    'inference',
    'models/manifest',
    'models/files',
    'models/onnx',
    'models/compose',
    'models/repository',
  ],
  'models/swap': [
    'kernel',
    'config',
    'infra',
    'roles',
    'inference',
    'models/repository',
    'models/serving',
    'models/check',
  ],
  jobs: [
    'kernel',
    'config',
    'infra',
    'common',
    'audit',
    'auth',
    'quotas/rate-limit',
    'quotas',
    'idempotency',
    'uploads',
    'models/repository',
    'models/serving',
    'webhooks',
  ],
  compat: ['kernel', 'config', 'infra', 'common', 'quotas', 'uploads', 'jobs'],
  'models/http': [
    'kernel',
    'config',
    'infra',
    'common',
    'models/files',
    'models/repository',
    'models/serving',
    'jobs',
  ],
  worker: [
    'kernel',
    'config',
    'infra',
    'models/manifest',
    'models/repository',
    'models/serving',
    'inference',
    'jobs',
    'uploads',
  ],
  operator: [
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
    'models/repository',
    'models/serving',
    'jobs',
    'webhooks',
  ],
  dispatcher: ['kernel', 'config', 'infra', 'audit', 'accounts', 'quotas', 'idempotency', 'jobs', 'operator'],
};
/** They put the rest together: an application for each role, the command lines, the process that starts the roles. */
const TOP = { app: [], supervisor: ['app'], cli: ['app', 'supervisor'] };
const ROOMS = [...Object.keys(ALLOWED), ...Object.keys(TOP)];

/** The files of a room, less those of rooms inside it. */
const filesOf = (room) => {
  const inner = ROOMS.filter((other) => other.startsWith(`${room}/`)).map((other) =>
    other.slice(room.length + 1),
  );
  return inner.length > 0 ? `^src/${room}/(?!(${inner.join('|')})/)` : `^src/${room}/`;
};

const rule = (name, forbidden, comment) => ({
  name: `${name.replace('/', '-')}-imports-only-lower-rooms`,
  comment,
  severity: 'error',
  from: { path: filesOf(name) },
  to: { path: [...forbidden.map(filesOf), entry] },
});
const layers = [
  ...Object.entries(ALLOWED).map(([name, allowed]) =>
    rule(
      name,
      ROOMS.filter((other) => other !== name && !allowed.includes(other)),
      `src/${name} may import ${allowed.length > 0 ? allowed.map((other) => `src/${other}`).join(', ') : 'nothing of ours'}.`,
    ),
  ),
  ...Object.entries(TOP).map(([name, allowed]) =>
    rule(
      name,
      Object.keys(TOP).filter((other) => other !== name && !allowed.includes(other)),
      `src/${name} may import everything below it${allowed.length > 0 ? ` and src/${allowed.join(', src/')}` : ''}.`,
    ),
  ),
  {
    name: 'every-folder-is-a-room',
    comment: 'A new folder of src needs a line in ALLOWED.',
    severity: 'error',
    from: { path: '^src/[^/]+/', pathNot: [...ROOMS.map(filesOf), '/testing/'] },
    to: {},
  },
];

/** A vendor's library is used in one place only. */
const vendor = (name, packages, home) => ({
  name: `${name}-stays-at-home`,
  comment: `Only ${home} may use it.`,
  severity: 'error',
  from: { path: '^(src|tools)/', pathNot: [home, '\\.spec\\.ts$', '/testing/'] },
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
    {
      name: 'nobody-imports-tools',
      comment: 'Tools are for people who work on the service. The service does without them.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^tools/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'nobody-imports-main', severity: 'error', from: {}, to: { path: entry } },
    vendor('sharp', 'sharp', '^src/infra/image/'),
    vendor('onnxruntime', 'onnxruntime-node', '^src/inference/engines/'),
    vendor('tensorflow', '@tensorflow/[^/]+', '^src/inference/engines/'),
    vendor('aws-sdk', '@aws-sdk/[^/]+|@smithy/[^/]+', '^src/infra/storage/s3/'),
    vendor('ipaddr', 'ipaddr.js', '^src/(infra/net|config)/'),
    vendor('protobufjs', 'protobufjs', '^src/models/onnx/'),
    vendor('pg-copy-streams', 'pg-copy-streams', '^src/cli/backup/'),
    vendor('argon2', '@node-rs/argon2', '^src/infra/passwords/'),
    vendor('simplewebauthn', '@simplewebauthn/[^/]+', '^src/infra/passkeys/'),
    vendor('openid-client', 'openid-client', '^src/infra/openid/'),
    vendor('otpauth', 'otpauth', '^src/infra/totp/'),
    vendor('zxcvbn', '@zxcvbn-ts/[^/]+', '^src/infra/passwords/'),
    vendor('nodemailer', 'nodemailer', '^src/infra/mail/'),
    vendor('prom-client', 'prom-client', '^src/infra/telemetry/'),
    vendor('commander', 'commander', '^src/cli/command-line\\.mjs$'),
    vendor('opentelemetry', '@opentelemetry/[^/]+', '^src/infra/telemetry/tracing/'),
    vendor('bullmq', 'bullmq|@nestjs/bullmq', '^src/(infra/queue|worker)/'),
    unreachable('api', '^(src/inference/|node_modules/(onnxruntime-node|@tensorflow)/)'),
    unreachable('dispatcher', '^(src/inference/|node_modules/(onnxruntime-node|@tensorflow)/)'),
    unreachable('api', '^(src/infra/image/libvips\\.ts|node_modules/sharp/)', 'image-library'),
    unreachable('dispatcher', '^(src/infra/image/libvips\\.ts|node_modules/sharp/)', 'image-library'),
    {
      name: 'no-dev-dependencies',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      // Optional peers are development dependencies, too, so that a checkout has them.
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm-peer'] },
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
