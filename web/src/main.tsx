import { loadLocale } from './i18n/load-locale.js';
import { currentLocale } from './i18n/locale.js';

const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no #root');
// Modules read their texts when they load, so the language must be loaded first.
await loadLocale(currentLocale());
const { start } = await import('./app/start.js');
start(root);
