import { auditEvents } from '../../audit/audit-events.repository.js';
import { auditEventDto } from '../../audit/audit.dto.js';
import type { Session } from '../../auth/sessions/session.js';
import type { Prepared, Queryable } from '../../infra/database/database.js';
import { testAccountOf } from '../../kernel/accounts/livemode.js';
import type { UsageExport } from '../../quotas/export/usage-export.js';
import { ACCOUNT_ROWS, ENDPOINT_ROWS, EXPORT_PAGE, type ExportedRows, USER_ROWS } from './exported-rows.js';

const ACCOUNT: Prepared = {
  name: 'account_export_account',
  text: `SELECT id, email, name, owner_id AS "ownerId", plan, limits, email_verified_at AS "emailVerifiedAt",
                created_at AS "createdAt",
                (SELECT email FROM email_changes WHERE account_id = a.id AND expires_at > now()) AS "pendingEmail",
                (SELECT enabled_at FROM two_factor_secrets WHERE account_id = a.id) AS "twoFactorEnabledAt"
           FROM accounts a WHERE id = $1`,
};

const NOT_INCLUDED = [
  'Photos and results: download them on the pages Photos and Results, or with the API.',
  'Passwords, API keys, signing secrets, and links.',
];

/** What is exported, and where it is read from. */
export interface ExportSource {
  readonly on: Queryable;
  readonly usage: UsageExport;
}

/**
 * What is stored about an account, as the text of one JSON object, page by page. What changes meanwhile may be left out.
 * @throws database errors; the text so far is then no JSON
 */
export async function* accountExport(
  { on, usage }: ExportSource,
  { account, user, permissions }: Session,
): AsyncGenerator<string> {
  const now = new Date();
  const [row] = await on.query(ACCOUNT, [account.id]);
  yield `{\n${member('exportedAt', now)},\n${member('notIncluded', NOT_INCLUDED)},\n${member('account', row)}`;
  const mayReadEndpoints = permissions.includes('webhooks:read');
  const lists = [
    ...(account.id === user.id ? USER_ROWS : []),
    ...(mayReadEndpoints ? [ENDPOINT_ROWS] : []),
    ...ACCOUNT_ROWS,
  ];
  for (const list of lists) yield* listOf(list.name, rowsOf(on, list, account.id));
  const range = { from: '0001-01-01', to: now.toISOString().slice(0, 10) };
  yield* listOf(
    'usage',
    ofBothModes(account.id, (id) => usage.pages(id, range, true)),
  );
  yield* listOf('auditEvents', eventsOf(on, account.id));
  yield '\n}\n';
}

interface Row {
  /** Its place in the order of the list. */
  cursor?: string;
}

type Pages = AsyncGenerator<readonly object[], void>;

const member = (name: string, value: unknown): string => `${JSON.stringify(name)}: ${JSON.stringify(value)}`;

async function* listOf(name: string, pages: Pages): AsyncGenerator<string> {
  yield `,\n${JSON.stringify(name)}: [`;
  let separator = '\n';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield separator + page.map((row) => JSON.stringify(row)).join(',\n');
    separator = ',\n';
  }
  yield ']';
}

async function* rowsOf(on: Queryable, { page }: ExportedRows, accountId: string): Pages {
  yield* ofBothModes(accountId, async function* (id): Pages {
    for (let after = ''; ;) {
      const found = await on.query<Row>(page, [id, after]);
      yield found.map(withoutCursor);
      if (found.length < EXPORT_PAGE) return;
      after = found.at(-1)!.cursor!;
    }
  });
}

function withoutCursor(row: Row): object {
  const exported = { ...row };
  delete exported.cursor;
  return exported;
}

/** Test mode is a second account; its rows are marked. */
async function* ofBothModes(accountId: string, pagesOf: (id: string) => Pages): Pages {
  yield* pagesOf(accountId);
  for await (const page of pagesOf(testAccountOf(accountId)))
    yield page.map((row) => Object.assign(row, { livemode: false }));
}

async function* eventsOf(on: Queryable, accountId: string): Pages {
  for (let before: string | undefined; ;) {
    const events = await auditEvents.list(on, { accountId, before, limit: EXPORT_PAGE });
    const emails = await auditEvents.memberEmails(on, accountId, events);
    yield events.map((event) => auditEventDto(event, emails));
    if (events.length < EXPORT_PAGE) return;
    before = events.at(-1)!.id;
  }
}
