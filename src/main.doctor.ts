import { runDoctor } from './cli/doctor/run-doctor.js';

process.exitCode = await runDoctor(process.argv.slice(2));
