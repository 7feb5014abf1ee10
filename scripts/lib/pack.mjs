// The last step of `npm run build`, so that the programs import the new build instead of an older packed one.
import { packModules } from './packed-modules.mjs';

await packModules((text) => process.stderr.write(`${text}\n`), '');
