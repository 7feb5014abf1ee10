import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { lingui } from '../scripts/lib/lingui.mjs';
import { preloadStart } from '../scripts/lib/preload-start.mjs';

/** Where a service runs that `vite` (the development server) passes requests on to. */
const SERVICE = 'http://localhost:3000';
const PASSED_ON = ['/api', '/dashboard', '/operator/api', '/files', '/docs', '/openapi.json', '/health'];

/** The client library, built along from its sources. */
export const CLIENT_ALIAS = [
  {
    find: /^image-enhancement-client$/,
    replacement: join(import.meta.dirname, '../clients/js/src/index.ts'),
  },
  { find: /^image-enhancement-client\//, replacement: join(import.meta.dirname, '../clients/js/src/') },
];

/**
 * What many pages share is one file. By default, Rolldown makes a file for each set of pages that share a module. A page
 * would load about a hundred of them: each costs the browser a request, and together they compress worse.
 */
const CHUNK_GROUPS = [
  // What the entry needs to load the texts and to request the session, and nothing else.
  {
    name: 'entry',
    test: /@lingui\/(core|message-utils)|web\/src\/(i18n\/|api\/api-base|api\/session\/early-)|preload-helper/,
    priority: 2,
  },
  { name: 'common', minShareCount: 6, priority: 1 },
  { name: 'api', test: /web\/src\/(api|lib)\//, minShareCount: 2, priority: 0 },
];

// eslint-disable-next-line import/no-default-export -- vite reads the default export
export default defineConfig({
  root: import.meta.dirname,
  plugins: [lingui(), react(), preloadStart()],
  resolve: { alias: CLIENT_ALIAS },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // The list of the entry's imports is what scripts/lib/web-size.mjs sums up.
    manifest: true,
    // Modules load in modern browsers as they are; the polyfill would be one more script.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // An image or font inside a style sheet as data: would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNK_GROUPS } } },
  },
  server: {
    proxy: Object.fromEntries(PASSED_ON.map((path) => [path, { target: SERVICE, changeOrigin: false }])),
  },
});
