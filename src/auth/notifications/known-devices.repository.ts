import type { Prepared, Queryable } from '../../infra/database/database.js';

/** Keys of a user. More are not kept: the ones that were not seen for the longest time are forgotten. */
const MAX_KEYS = 200;

/** The keys are sorted, so that two sign-ins of one user lock them in the same order. */
const SEE: Prepared = {
  name: 'known_devices_see',
  text: `WITH before AS (SELECT key FROM known_devices WHERE user_id = $1),
         seen AS (
           INSERT INTO known_devices (user_id, key) SELECT $1, key FROM unnest($2::bytea[]) AS key ORDER BY key
           ON CONFLICT (user_id, key) DO UPDATE SET seen_at = now() RETURNING xmax = 0 AS is_new)
         SELECT EXISTS (SELECT FROM before) AS "hadAny", bool_and(is_new) AS "isNew",
                (SELECT count(*)::int FROM before) AS count
           FROM seen`,
};

const FORGET: Prepared = {
  name: 'known_devices_forget',
  text: `DELETE FROM known_devices WHERE user_id = $1 AND key IN (
           SELECT key FROM known_devices WHERE user_id = $1 ORDER BY seen_at DESC OFFSET ${MAX_KEYS})`,
};

interface Seen {
  readonly hadAny: boolean;
  readonly isNew: boolean;
  readonly count: number;
}

/** Devices that users signed in from, by hashes. */
export const knownDevicesRepository = {
  /**
   * Remembers a device.
   * @param keys by any of which it would be recognized
   * @returns whether its user should be told of it: not of the first device, because that is where the user signed up
   */
  async see(tx: Queryable, userId: string, keys: readonly Buffer[]): Promise<boolean> {
    const [seen] = await tx.query<Seen>(SEE, [userId, keys]);
    const { hadAny, isNew, count } = seen!;
    if (count > MAX_KEYS) await tx.query(FORGET, [userId]);
    return hadAny && isNew;
  },
};
