import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from '../common/requests/request-context.js';

/** `person`: in the dashboard. `operator`: in the console or by `npm run admin`. `system`: the service itself. */
export const AUDIT_ACTOR_KINDS = ['person', 'key', 'operator', 'system'] as const;
export type AuditActorKind = (typeof AUDIT_ACTOR_KINDS)[number];

/** Who acts, and from which address. */
export interface AuditActor {
  readonly kind: AuditActorKind;
  /** The user id, the API key id, or the login name of the person who ran `npm run admin`. */
  readonly id: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
}

const MAX_USER_AGENT = 200;

const SYSTEM: AuditActor = { kind: 'system', id: null, address: null, userAgent: null };

const current = new AsyncLocalStorage<() => AuditActor>();

/** Attributes every change in `work` to the operator. */
export function asOperator<T>(loginName: string, work: () => T): T {
  const actor: AuditActor = { kind: 'operator', id: loginName, address: null, userAgent: null };
  return current.run(() => actor, work);
}

/** Attributes every change in this request to its sender, whom the guards identify later. */
export function withRequestActor(request: FastifyRequest, next: () => void): void {
  current.run(() => actorOf(request), next);
}

/** The current actor: the service itself outside of requests and commands. */
export function currentActor(): AuditActor {
  return current.getStore()?.() ?? SYSTEM;
}

function actorOf(request: FastifyRequest): AuditActor {
  const keyId = request.principal?.keyId ?? null;
  const userId = request.session?.user.id ?? null;
  const agent = request.headers['user-agent'];
  return {
    kind: kindOf(request),
    id: keyId ?? userId,
    address: request.ip,
    userAgent: agent === undefined ? null : agent.replaceAll('\0', '').slice(0, MAX_USER_AGENT),
  };
}

function kindOf({ principal, session, isOperatorRoute }: FastifyRequest): AuditActorKind {
  if (isOperatorRoute === true || (session?.impersonation ?? null) !== null) return 'operator';
  return (principal?.keyId ?? null) === null ? 'person' : 'key';
}
