// The last step of `npm run build`: the programs import what was just compiled, not what was packed before.
import { packModules } from './packed-modules.mjs';

await packModules((text) => process.stderr.write(`${text}\n`), '');
