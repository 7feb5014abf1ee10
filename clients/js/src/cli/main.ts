#!/usr/bin/env node
import process from 'node:process';
import { ImageEnhancement } from '../node.js';
import { VERSION } from '../version.js';
import { operationsText, usageText } from './account-commands.js';
import { type CommandLine, readCommandLine, UsageError } from './arguments.js';
import { describeError } from './describe-error.js';
import { downloadCommand } from './download-command.js';
import { enhanceCommand } from './enhance-command.js';
import { EXIT, exitCodeOf } from './exit-code.js';
import { HELP } from './help.js';
import { mcpCommand } from './mcp/mcp-command.js';
import { presetsText } from './presets-command.js';

/** Aborts the work when the reader of the output has gone, as with `head`. */
const CLOSED = new Error('nobody reads the output any more');

const CANCELED = 'what had not ended was canceled';

/** Runs the command line. Sets the exit code, and returns when nothing is left to do. */
async function main(): Promise<number> {
  const interrupt = new AbortController();
  const onClosed = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    interrupt.abort(CLOSED);
  };
  process.stdout.on('error', onClosed);
  process.stderr.on('error', onClosed);
  const onSignal = () => {
    // A second signal ends the process immediately, as it would by default.
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    interrupt.abort(new Error('interrupted'));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  let isDownload = false;
  try {
    const line = readCommandLine(process.argv.slice(2));
    isDownload = line.command === 'download';
    return await run(line, interrupt.signal);
  } catch (error) {
    if (interrupt.signal.reason === CLOSED) {
      process.stderr.write(`Nobody reads the output any more${isDownload ? '' : `; ${CANCELED}`}.\n`);
      return EXIT.failed;
    }
    if (interrupt.signal.aborted) {
      const rest = isDownload
        ? 'the same command begins again'
        : `${CANCELED}, unless it says otherwise above`;
      process.stderr.write(`Interrupted; ${rest}.\n`);
      return EXIT.interrupted;
    }
    const hint = error instanceof UsageError ? '\nSee image-enhancement-client --help.' : '';
    process.stderr.write(`${describeError(error)}${hint}\n`);
    return error instanceof UsageError ? EXIT.usage : exitCodeOf(error);
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

async function run(line: CommandLine, signal: AbortSignal): Promise<number> {
  if (line.command === 'help' || line.command === 'version') {
    process.stdout.write(line.command === 'help' ? HELP : `${VERSION}\n`);
    return EXIT.done;
  }
  const client = new ImageEnhancement({ baseUrl: line.url, apiKey: line.key });
  if (line.command === 'enhance') return enhanceCommand(client, line, process, signal);
  if (line.command === 'download') return downloadCommand(client, line, process, signal);
  if (line.command === 'mcp') {
    await mcpCommand(client, line, signal);
    return EXIT.done;
  }
  if (line.command === 'presets') {
    process.stdout.write(await presetsText(client, line, signal));
    return EXIT.done;
  }
  const text = line.command === 'usage' ? usageText : operationsText;
  process.stdout.write(await text(client, line.json, signal));
  return EXIT.done;
}

process.exitCode = await main();
