import { ConfigError, readConfig } from '../../config/env.js';
import { misspelledVariables } from '../../config/misspelled-variables.js';
import { commandLine, readCommandLine, UsageError, usageFault } from '../command-line.mjs';
import { invocationOf } from '../invocation.js';
import { examineCodecs } from './examine-codecs.js';
import { examineDatabase } from './examine-database.js';
import { examineDecoding } from './examine-decoding.js';
import { examineDevices } from './examine-devices.js';
import { examineMail } from './examine-mail.js';
import { examineMachine } from './examine-machine.js';
import { examineModels } from './examine-models.js';
import { examineNetwork } from './examine-network.js';
import { examineStore } from './examine-store.js';
import { examineTests } from './examine-tests.js';
import { type Examination, type Finding, missing, note, reasonOf } from './finding.js';
import { reportText } from './report.js';

/** @returns exit code: 0 nothing is missing, 1 something is missing, 2 invalid arguments */
export async function runDoctor(argv: readonly string[]): Promise<number> {
  const program = commandLine(
    invocationOf('doctor'),
    'Shows what this machine can do for the service and what to change. Exit code 1: something required is missing.',
  ).option('--json', 'print the findings as JSON');
  try {
    if (!readCommandLine(program, argv)) return 0;
    const findings = [...examineNames(), ...(await examineAll())];
    const isWell = findings.every(({ status }) => status !== 'missing');
    const text =
      program.opts()['json'] === true
        ? JSON.stringify({ ok: isWell, findings }, null, 2)
        : reportText(findings);
    process.stdout.write(`${text}\n`);
    return isWell ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(usageFault(program, error));
    return 2;
  }
}

function examineNames(): readonly Finding[] {
  return misspelledVariables().map((text) => note('configuration', text, 'See docs/configuration.md.'));
}

async function examineAll(): Promise<readonly Finding[]> {
  try {
    const config = readConfig();
    return await inOrder([
      () => examineMachine(config),
      () => examineDevices(config),
      examineCodecs,
      examineDecoding,
      () => examineModels(config),
      () => examineDatabase(config),
      () => examineStore(config),
      () => examineMail(config),
      () => examineNetwork(config),
      examineTests,
    ]);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'Correct the configuration, and run this command again.';
    return [
      ...error.faults.map((fault) => missing('configuration', fault, 'See docs/configuration.md.')),
      note('doctor', 'nothing else was checked, because the checks use the configuration', advice),
    ];
  }
}

/** Runs the checks one at a time, so that they do not affect each other. An unexpected error is a finding, too. */
async function inOrder(examinations: readonly Examination[]): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const examine of examinations) {
    try {
      findings.push(...(await examine()));
    } catch (error) {
      findings.push(missing('doctor', `a check failed (${reasonOf(error)})`, 'Please report this.'));
    }
  }
  return findings;
}
