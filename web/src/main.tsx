import { loadLocale } from './i18n/load-locale.js';
import { currentLocale } from './i18n/locale.js';

const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no #root');
// Modules read their texts when they load, so the language must be loaded first. There is no top-level await here: with
// one, Rolldown splits the shared modules into twice as many files.
void loadLocale(currentLocale())
  .then(() => import('./app/start.js'))
  .then(({ start }) => start(root));
