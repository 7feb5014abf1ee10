import { runDemo } from './app/demo/run-demo.js';

process.exit(await runDemo(process.argv.slice(2)));
