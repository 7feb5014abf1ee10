import { AUDIT_EXPORT_FORMATS } from '../../audit/audit-export.js';
import type { Choose } from '../administered.js';
import { type CommandLine, choiceOption, numberOption } from '../command-line.mjs';
import {
  actionOption,
  eventIdOption,
  exportAudit,
  instantOption,
  MAX_EVENTS,
  showAudit,
} from './audit-command.js';

/** The commands that read the audit log. */
export function addAuditCommands(program: CommandLine, choose: Choose): void {
  const filtered = (name: string, description: string): CommandLine =>
    program
      .command(name)
      .description(description)
      .option('--account <account>', 'id or email address')
      .option('--action <name>', 'an action such as key.created, or a group such as key', actionOption)
      .option(
        '--since <time>',
        'a date such as 2030-01-31, or a duration such as 7d',
        instantOption('--since'),
      )
      .option('--until <time>', 'only events before this time', instantOption('--until'));
  filtered('audit', 'show the audit log, newest first')
    .option('--before <event id>', 'id of the last event of the previous page', eventIdOption)
    .option(
      '--limit <n>',
      'number of events',
      numberOption('--limit', { from: 1, to: MAX_EVENTS, whole: true }),
      100,
    )
    .action((options) => choose(showAudit(options)));
  filtered('audit-export', 'write the whole audit log to standard output')
    .addOption(
      choiceOption(
        '--format <name>',
        'file format; default: csv, or ndjson with --json',
        AUDIT_EXPORT_FORMATS,
      ),
    )
    .action(({ format, ...filter }) =>
      choose(exportAudit(format ?? (program.opts()['json'] === true ? 'ndjson' : 'csv'), filter)),
    );
}
