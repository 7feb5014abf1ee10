import { loadLocale } from './i18n/load-locale.js';
import { currentLocale } from './i18n/locale.js';

const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no #root');
// Texts of modules are read as they load: the language comes first.
await loadLocale(currentLocale());
const { start } = await import('./app/start.js');
start(root);
