import { describe, expect, it } from 'vitest';
import { DESCRIPTORS } from './env.js';
import { misspelledVariables } from './misspelled-variables.js';

describe('misspelledVariables', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['PUBLIC_URI', 'PUBLIC_URL'],
    ['REDIS_ULR', 'REDIS_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['DATA_DIRR', 'DATA_DIR'],
    ['SEALNG_KEY', 'SEALING_KEY'],
    ['WEBHOOKS_ALLOW_NETWORK', 'WEBHOOK_ALLOW_NETWORKS'],
    ['SINGUP', 'SIGNUP'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['DATABSE_URL_FILE', 'DATABASE_URL_FILE'],
  ])('%s: did you mean %s?', (given, meant) => {
    expect(misspelledVariables({ [given]: 'x' })).toEqual([
      `unknown variable ${given}, did you mean ${meant}?`,
    ]);
  });

  it('accepts every variable that the service knows', () => {
    const all = Object.fromEntries(Object.values(DESCRIPTORS).map(({ name }) => [name, 'x']));
    expect(misspelledVariables(all)).toEqual([]);
    for (const name of Object.keys(all)) expect(misspelledVariables({ [name]: 'x' })).toEqual([]);
  });

  it('ignores a misspelling if the intended variable is set', () => {
    expect(misspelledVariables({ DATABSE_URL: 'x', DATABASE_URL: 'y' })).toEqual([]);
  });

  it('never reveals the value of a variable', () => {
    expect(misspelledVariables({ DATABSE_URL: 'postgres://me:secret@host/db' }).join()).not.toContain(
      'secret',
    );
  });

  it('ignores the variables that machines, shells, containers, and hosts usually set', () => {
    // oxfmt-ignore
    const others = [
      'PATH', 'HOME', 'USER', 'SHELL', 'PWD', 'OLDPWD', 'LANG', 'LC_ALL', 'TERM', 'HOSTNAME', 'HOSTS', 'PORTS', 'SHLVL',
      'LOGNAME', 'MAIL', 'EDITOR', 'DISPLAY', 'TMPDIR', 'XDG_DATA_DIRS', 'XDG_RUNTIME_DIR', 'XDG_DATA_HOME', 'DBUS_SESSION_BUS_ADDRESS',
      'NODE_ENV', 'NODE_OPTIONS', 'NODE_VERSION', 'npm_config_cache', 'npm_package_version', 'npm_lifecycle_event', 'INIT_CWD',
      'KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT', 'KUBERNETES_PORT', 'REDIS_HOST', 'REDIS_PORT', 'REDIS_SERVICE_HOST',
      'POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_DB', 'POSTGRES_HOST', 'PGHOST', 'PGPORT', 'PGUSER', 'PGDATA', 'PGPASSWORD',
      'API_HOST', 'API_PORT', 'API_URL', 'BASE_URL', 'WEB_HOST', 'SIGNING_SECRET', 'SECRET_KEY', 'AWS_REGION', 'AWS_SECRET_ACCESS_KEY',
      'CUDA_VISIBLE_DEVICES', 'CUDA_HOME', 'LD_LIBRARY_PATH', 'LD_PRELOAD', 'MALLOC_ARENA_MAX', 'OMP_NUM_THREADS', 'NVIDIA_VISIBLE_DEVICES',
      'CI', 'GITHUB_ACTIONS', 'GITHUB_TOKEN', 'RUNNER_OS', 'DEBIAN_FRONTEND', 'SSH_AUTH_SOCK', 'SSH_CLIENT', 'INVOCATION_ID', 'JOURNAL_STREAM',
      'NO_COLOR', 'FORCE_COLOR', 'COLORTERM', 'TZ', 'UV_THREADPOOL_SIZE', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'all_proxy',
    ];
    expect(misspelledVariables(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([]);
  });
});
