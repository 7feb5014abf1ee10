import { settingsInForce } from '../../config/settings-in-force.js';
import { type AdminCommand, answerOf } from '../administered.js';

/** `settings`: the settings of this process, which a process with the same environment uses. */
export const showSettings: AdminCommand = () => Promise.resolve(settingsInForce().map(answerOf));
