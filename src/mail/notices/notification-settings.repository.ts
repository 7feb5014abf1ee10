import type { Prepared, Queryable } from '../../infra/database/database.js';
import type { Language } from '../language.js';

/** Topics that a user can turn off. Emails about the security of the user's account are always sent. */
export const NOTICE_TOPICS = ['quota', 'webhooks'] as const;
export type NoticeTopic = (typeof NOTICE_TOPICS)[number];

/** A user's notification settings. */
export interface NotificationSettings extends Readonly<Record<NoticeTopic, boolean>> {
  readonly language: Language;
}

const COLUMNS = 'language, quota, webhooks';

const READ: Prepared = {
  name: 'notification_settings_read',
  text: `SELECT ${COLUMNS} FROM notification_settings WHERE user_id = $1`,
};

/** Null keeps a value. $5: the language for a user without a row. */
const CHANGE: Prepared = {
  name: 'notification_settings_change',
  text: `INSERT INTO notification_settings AS s (user_id, language, quota, webhooks)
         VALUES ($1, coalesce($2, $5), coalesce($3::boolean, true), coalesce($4::boolean, true))
         ON CONFLICT (user_id) DO UPDATE SET language = coalesce($2, s.language),
           quota = coalesce($3::boolean, s.quota), webhooks = coalesce($4::boolean, s.webhooks)
         RETURNING ${COLUMNS}`,
};

/** Keeps a language that the user has already chosen. */
const LANGUAGE: Prepared = {
  name: 'notification_settings_language',
  text: `WITH made AS (
           INSERT INTO notification_settings (user_id, language) SELECT id, $2 FROM accounts WHERE id = $1
           ON CONFLICT DO NOTHING RETURNING language)
         SELECT language FROM made UNION ALL SELECT language FROM notification_settings WHERE user_id = $1 LIMIT 1`,
};

/** Settings of users. A user without a row gets every notice. */
export const notificationSettingsRepository = {
  async read(on: Queryable, userId: string): Promise<NotificationSettings | undefined> {
    return (await on.query<NotificationSettings>(READ, [userId]))[0];
  },

  /** @param language for a user who has not chosen one */
  async change(
    on: Queryable,
    userId: string,
    { language: chosen, quota, webhooks }: Partial<Pick<NotificationSettings, 'language' | NoticeTopic>>,
    language: Language,
  ): Promise<NotificationSettings> {
    const values = [userId, chosen ?? null, quota ?? null, webhooks ?? null, language];
    return (await on.query<NotificationSettings>(CHANGE, values))[0]!;
  },

  /** The language of a user. @param wanted for a user without one, and for a null user, which takes the same work */
  async knownLanguage(on: Queryable, userId: string | null, wanted: Language): Promise<Language> {
    return (await on.query<NotificationSettings>(READ, [userId]))[0]?.language ?? wanted;
  },

  /** The language of a user. If none is stored, stores and returns that of the request. */
  async languageOf(tx: Queryable, userId: string, language: Language): Promise<Language> {
    return (await tx.query<{ language: Language }>(LANGUAGE, [userId, language]))[0]?.language ?? language;
  },
};
