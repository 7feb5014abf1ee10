/** One page of the documentation site. */
export interface SitePage {
  /** The path below `/docs/`. */
  readonly name: string;
  /** The text of the link in the sidebar. */
  readonly label: string;
  /** One sentence for the start page, the meta description and `/llms.txt`. */
  readonly summary: string;
  /** Markdown file, relative to the root of the repository. Pages without one are generated from tables in the code. */
  readonly file?: string;
}

export interface SiteGroup {
  readonly title: string;
  readonly pages: readonly SitePage[];
}

const page = (name: string, label: string, summary: string, file = `docs/${name}.md`): SitePage => ({
  name,
  label,
  summary,
  file,
});

/** The page that is rendered for each request. */
export const MODEL_STATUS = 'model-status';

const OPERATIONS = 'Operations';

/** Every public page, in the order of the sidebar. Decision records are for people who work on the code. */
export const SITE_GROUPS: readonly SiteGroup[] = [
  {
    title: 'Get started',
    pages: [
      page('quickstart', 'Quickstart', 'Enhance a first image with curl, JavaScript or Python.'),
      page('javascript', 'JavaScript client', 'Use the service from JavaScript.', 'clients/js/README.md'),
      page('python', 'Python client', 'Use the service from Python.', 'clients/python/README.md'),
    ],
  },
  {
    title: 'Guides',
    pages: [
      page('api', 'API basics', 'Keys, scopes, rate limits, pagination, file URLs and compatibility.'),
      page(
        'uploads',
        'Uploads',
        'Upload a file, upload from a URL, or upload and create a job in one request.',
      ),
      page('jobs', 'Jobs', 'Dry runs, cached results, callbacks and deadlines.'),
      page('idempotency', 'Idempotency', 'Repeat a request without paying twice.'),
      page('chains', 'Chains', 'Run several operations in one job.'),
      page('presets', 'Presets', 'Save a chain under a name.'),
      page('outputs', 'Outputs', 'Choose format, size, background, crop and shadow.'),
      page('batches', 'Batches', 'Enhance many images with one request.'),
      page('webhooks', 'Webhooks', 'Receive and verify signed events.'),
      page('mcp', 'Agents (MCP)', 'Use the service from agents.'),
      page('dashboard', 'Dashboard', 'Work with photos, jobs and keys in a browser.'),
      page('sign-in', 'Sign-in', 'Protect sign-ins with a second factor or passkeys.'),
      page('openid-connect', 'OpenID Connect', 'Sign in with Keycloak, Okta, Entra ID, Google and others.'),
      page('test-keys', 'Test keys', 'Test a client without models and quota.'),
      page('compatibility', 'Compatible APIs', 'Use clients of remove.bg and rembg.'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      {
        name: 'reference',
        label: 'API reference',
        summary: 'Every operation, with examples in three languages.',
      },
      page('errors', 'Errors', 'Every error code, and what to do about it.'),
      { name: 'plans', label: 'Plans and limits', summary: 'What each plan allows.' },
      page(
        'javascript-reference',
        'JavaScript',
        'Every call of the JavaScript client.',
        'clients/js/docs/reference.md',
      ),
      page(
        'python-reference',
        'Python',
        'Every call of the Python client.',
        'clients/python/docs/reference.md',
      ),
      page(
        'command-line',
        'Command line',
        'The output of the command line.',
        'clients/js/docs/command-line.md',
      ),
      { name: MODEL_STATUS, label: 'Model status', summary: 'See which models are in service.' },
      page('changelog', 'Changelog', 'What changed in each version.', 'CHANGELOG.md'),
    ],
  },
  {
    title: OPERATIONS,
    pages: [
      page('operations', 'Operations', 'Run, upgrade and maintain an installation.'),
      page('containers', 'Containers', 'Run the images with Docker Compose.'),
      page('operator', 'Operator console', 'See the load of the whole service.'),
      page('configuration', 'Configuration', 'Every environment variable.'),
      page('models', 'Models', 'Add, replace and check models.', 'models/README.md'),
      page('accounts', 'Accounts', 'Passwords, sessions, keys and the audit log.'),
      page('architecture', 'Architecture', 'What happens during an upload, a job and a webhook.'),
      page('reliability', 'Reliability', 'What the service promises when things fail.'),
      page('security', 'Security', 'Report a vulnerability, and see what is protected.', 'SECURITY.md'),
      page('backup', 'Backup', 'Back up and restore an installation.'),
      page('postgresql', 'PostgreSQL', 'PgBouncer, TLS, replicas and failover.'),
      page('mail', 'Mail', 'Send mail through your mail server.'),
      page('secrets', 'Secrets', 'Rotate the keys of the service.'),
      page('metrics', 'Metrics', 'What to monitor, and how to scale workers.'),
      page('alerts', 'Alerts', 'What each alert means and what to do.'),
      page('tracing', 'Tracing', 'See where the time of a request goes.'),
      page('gpu', 'GPUs', 'Run on a GPU.'),
      page(
        'gpu-measurements',
        'GPU measurements',
        'All numbers that were measured on an NVIDIA H200.',
        'docs/measurements/gpu-h200.md',
      ),
      page('triton', 'Inference servers', 'Run the models on an inference server.'),
      page('memory', 'Memory', 'How much memory a worker takes.'),
      page('performance', 'Performance', 'See where the time of a job goes.'),
      page('decoding', 'Hostile images', 'How hostile images are contained.'),
    ],
  },
];

const OPERATOR_PAGES = new Set(SITE_GROUPS.find(({ title }) => title === OPERATIONS)!.pages);

/** Whether a page is for people who run an installation. */
export const isForOperators = (given: SitePage): boolean => OPERATOR_PAGES.has(given);

export const SITE_PAGES: readonly SitePage[] = SITE_GROUPS.flatMap(({ pages }) => pages);

const BY_NAME = new Map(SITE_PAGES.map((each) => [each.name, each]));
const BY_FILE = new Map(SITE_PAGES.flatMap((each) => (each.file === undefined ? [] : [[each.file, each]])));

/** Copies of a document in the packages of the clients, and the one that the site shows. */
const SAME_TEXT: Readonly<Record<string, string>> = {
  'clients/python/docs/command-line.md': 'clients/js/docs/command-line.md',
};

export function sitePage(name: string): SitePage | undefined {
  return BY_NAME.get(name);
}

/** The page that is generated from this file of the repository. */
export function sitePageOf(file: string): SitePage | undefined {
  return BY_FILE.get(SAME_TEXT[file] ?? file);
}

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Files of the site that are sent unchanged, by their name below `/docs/`. */
export const SITE_FILES: Readonly<Record<string, { readonly file: string; readonly type: string }>> = {
  'site.css': { file: 'docs/site/site.css', type: 'text/css; charset=utf-8' },
  'site.js': { file: 'docs/site/site.js', type: 'text/javascript; charset=utf-8' },
  'favicon.svg': { file: 'docs/site/favicon.svg', type: 'image/svg+xml' },
  'trace.svg': { file: 'docs/trace.svg', type: 'image/svg+xml' },
  'dashboard.webp': { file: 'docs/pictures/dashboard.webp', type: 'image/webp' },
  'webhook-vectors.json': { file: 'clients/vectors/webhooks.json', type: JSON_TYPE },
  'express-webhook.mjs': { file: 'clients/js/examples/express-webhook.mjs', type: TEXT_TYPE },
  'fastapi-receiver.py': { file: 'clients/python/examples/fastapi_receiver.py', type: TEXT_TYPE },
  'batch-folder.mjs': { file: 'clients/js/examples/batch-folder.mjs', type: TEXT_TYPE },
  'batch-folder.py': { file: 'clients/python/examples/batch_folder.py', type: TEXT_TYPE },
  'manifest-schema.json': { file: 'models/manifest.schema.json', type: JSON_TYPE },
  'upstream.json': { file: 'models/upstream.json', type: JSON_TYPE },
  'postman.json': { file: 'docs/postman.json', type: JSON_TYPE },
};
