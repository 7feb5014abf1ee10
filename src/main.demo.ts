import { runDemo } from './cli/demo/run-demo.js';

process.exit(await runDemo(process.argv.slice(2)));
