/** What a role runs with, told to the supervisor when it is ready and by that to its successor. */
export interface ServingState {
  /** For example `cpu`, or `cuda:0,cuda:1`. */
  readonly device: string;
  readonly serves: readonly ServedVersion[];
}

/** A version of an operation's model, told apart from what it was before its manifest was changed. */
export interface ServedVersion {
  readonly operation: string;
  readonly version: number;
  /** Of its manifest, which holds the hashes of its files. */
  readonly fingerprint: string;
}

/** Argument of a role that is started before the database is: it loads itself, then waits for `begin`. */
export const HELD = '--held';

/** What a role tells its supervisor. */
export type RoleMessage =
  | {
      readonly type: 'ready';
      readonly standing?: ServingState | undefined;
      /** It understands `retire`. */
      readonly canRetire?: boolean | undefined;
    }
  /** First part of the tokens of all leases that it will hold. Said before it takes a job. */
  | { readonly type: 'leases'; readonly owner: string }
  /** Another process should take its place. */
  | { readonly type: 'replace' }
  /** Whom it is to take over from; answered with `predecessor`. */
  | { readonly type: 'whose-successor' }
  /** It will not take over, and waits to be ended. */
  | { readonly type: 'declined'; readonly reason: string };

/** What a supervisor tells a role. */
export type SupervisorMessage =
  /** What a role that was started early waits for: the database is there now. */
  | { readonly type: 'begin'; readonly databaseUrl: string }
  /** Null: it replaces nobody who lives. */
  | { readonly type: 'predecessor'; readonly standing: ServingState | null }
  /** Its successor has taken over. It ends by itself, after the jobs that only it can run. */
  | { readonly type: 'retire' }
  /** Its successor has not taken over, and no other is started. */
  | { readonly type: 'stays'; readonly reason: string };
