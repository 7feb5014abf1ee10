import { askForSession } from './api/session/early-session.js';
import { loadLocale } from './i18n/load-locale.js';
import { currentLocale } from './i18n/locale.js';

const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no #root');
// Requested while the application loads, so that the first render shows the page instead of a skeleton.
const session = askForSession();
// Modules read their texts when they load, so the language must be loaded first. There is no top-level await here: with
// one, Rolldown splits the shared modules into twice as many files.
void loadLocale(currentLocale())
  .then(() => import('./app/start.js'))
  .then(({ start }) => start(root, session));
