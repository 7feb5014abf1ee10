// `npm run docs:sync [-- --check]`: writes the documents that are generated from the code, or checks them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gpuReport } from './gpu/gpu-report.mjs';
import { withServiceModules } from './lib/build.mjs';
import { ROOT } from './lib/paths.mjs';
import { runScript } from './lib/run-script.mjs';

/** The folder of the compiled service. */
let modules;

/** Each generated document: its file, and the function that generates its text from the compiled code. */
const DOCUMENTS = [
  {
    path: 'docs/errors.md',
    make: async () => (await built('app/docs/errors-page.js')).errorsMarkdown(),
  },
  {
    path: 'docs/configuration.md',
    make: async () => (await built('app/docs/configuration-page.js')).configurationMarkdown(),
  },
  {
    path: 'docs/webhooks.md',
    make: async () => {
      const { withEventTypes } = await built('app/docs/event-types-table.js');
      return withEventTypes(readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8'));
    },
  },
  {
    path: 'docs/measurements/gpu-h200.md',
    make: async () => {
      const source = 'docs/measurements/gpu-h200.json';
      return gpuReport(JSON.parse(readFileSync(join(ROOT, source), 'utf8')), source);
    },
  },
  {
    path: 'docs/openapi.json',
    make: async () => {
      const { offlineOpenApiDocument } = await built('app/docs/openapi-offline.js');
      return JSON.stringify(await offlineOpenApiDocument());
    },
  },
  {
    path: 'docs/postman.json',
    make: async () => {
      const { offlineOpenApiDocument } = await built('app/docs/openapi-offline.js');
      const { postmanCollection } = await built('app/docs/postman-collection.js');
      return JSON.stringify(postmanCollection(await offlineOpenApiDocument()));
    },
  },
  {
    path: 'web/openapi.json',
    make: async () => {
      const { offlineSessionApiDocument } = await built('app/docs/openapi-offline.js');
      return JSON.stringify(await offlineSessionApiDocument());
    },
  },
  {
    path: 'web/src/api/schema.ts',
    make: async () => {
      const { offlineOpenApiDocument, offlineSessionApiDocument } = await built(
        'app/docs/openapi-offline.js',
      );
      const { sessionTypes } = await built('app/docs/client-types.js');
      return sessionTypes(await offlineSessionApiDocument(), await offlineOpenApiDocument());
    },
  },
  {
    path: 'web/operator-openapi.json',
    make: async () => {
      const { offlineOperatorApiDocument } = await built('app/docs/openapi-offline.js');
      return JSON.stringify(await offlineOperatorApiDocument());
    },
  },
  {
    path: 'web/src/api/operator/schema.ts',
    make: async () => {
      const { offlineOperatorApiDocument } = await built('app/docs/openapi-offline.js');
      return (await built('app/docs/client-types.js')).operatorTypes(await offlineOperatorApiDocument());
    },
  },
  {
    path: 'models/manifest.schema.json',
    make: async () => JSON.stringify((await built('models/manifest/manifest-shape.js')).manifestSchema()),
  },
  {
    path: 'clients/js/src/generated/schema.ts',
    make: async () => {
      const { offlineOpenApiDocument } = await built('app/docs/openapi-offline.js');
      return (await built('app/docs/client-types.js')).clientTypes(await offlineOpenApiDocument());
    },
  },
  {
    path: 'clients/python/src/image_enhancement/_models/generated.py',
    make: async () => {
      const { offlineOpenApiDocument } = await built('app/docs/openapi-offline.js');
      return (await built('app/docs/python-models.js')).pythonModels(await offlineOpenApiDocument());
    },
  },
  {
    path: 'clients/vectors/webhooks.json',
    make: async () => JSON.stringify((await built('app/docs/webhook-vectors.js')).webhookVectors()),
  },
  {
    path: 'docker/helm/README.md',
    make: async () => (await import('./helm/chart-readme.mjs')).chartReadme(),
  },
  {
    path: 'docker/helm/values.schema.json',
    make: async () => JSON.stringify((await import('./helm/values-schema.mjs')).valuesSchema()),
  },
];

await runScript({
  invocation: 'npm run docs:sync --',
  description: 'Writes the documents, types and models that are generated from the code.',
  declare: (program) => program.option('--check', 'write nothing; exit 1 if one of them is stale'),
  main: sync,
});

async function sync({ check: isCheck }) {
  await withServiceModules(
    (text) => process.stderr.write(`${text}\n`),
    (folder) => syncWith(folder, isCheck),
  );
}

async function syncWith(folder, isCheck) {
  modules = folder;
  // Nest's decorators need it before any other module is loaded.
  await import('reflect-metadata');
  const stale = [];
  for (const { path, make } of DOCUMENTS) {
    const file = join(ROOT, path);
    const text = await formatted(file, await make());
    if (readOrNothing(file) === text) continue;
    stale.push(path);
    if (isCheck) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  report(stale, isCheck);
}

function report(stale, isCheck) {
  if (stale.length === 0) process.stdout.write('The generated documents are up to date.\n');
  else if (!isCheck) process.stdout.write(`Written: ${stale.join(', ')}\n`);
  else {
    process.stdout.write(
      `Out of date: ${stale.join(', ')}. Run "npm run docs:sync" and commit the result.\n`,
    );
    process.exitCode = 1;
  }
}

function built(path) {
  return import(pathToFileURL(join(modules, path)).href);
}

/**
 * Formats a document like the repository, so that it does not become stale because of white space. oxfmt does not
 * support Python.
 */
async function formatted(file, text) {
  if (file.endsWith('.py')) return text;
  const { format } = await import('oxfmt');
  const { code, errors } = await format(file, text, formatOptions(file));
  if (errors.length > 0) throw new Error(`${file} cannot be formatted: ${errors[0].message}`);
  return code;
}

/** What `.oxfmtrc.json` says of this file: `format` does not read it. */
function formatOptions(file) {
  const { overrides, singleQuote, printWidth, trailingComma } = JSON.parse(
    readFileSync(join(ROOT, '.oxfmtrc.json'), 'utf8'),
  );
  const own = overrides.filter(({ files }) => files.includes(`*${extname(file)}`));
  const styles = own.map(({ options }) => options);
  return Object.assign({ singleQuote, printWidth, trailingComma }, ...styles);
}

function readOrNothing(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
