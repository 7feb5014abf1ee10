/** One route of the dashboard's own part, and what it makes of a session. */
export interface DashboardRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly need: 'required' | 'optional' | 'none' | 'operator';
  /** The roles that may use it, by their first letters: owner, admin, developer, viewer, billing. */
  readonly roles: string;
}

/** Unless a route says otherwise: those who work with images read, those who change images write. */
const READERS = 'oadv';
const WRITERS = 'oad';
const EVERYONE = 'oadvb';

const route = (
  text: string,
  need: DashboardRoute['need'] = 'required',
  roles = text.startsWith('GET') ? READERS : WRITERS,
): DashboardRoute => {
  const [method, path] = text.split(' ') as [DashboardRoute['method'], string];
  return { method, path: `/dashboard/api${path}`, need, roles: need === 'required' ? roles : EVERYONE };
};
const allowing = (roles: string, text: string): DashboardRoute => route(text, 'required', roles);

/** Every route below /dashboard/api. They are no contract with others, so they stay out of the OpenAPI document. */
export const DASHBOARD_ROUTES: readonly DashboardRoute[] = [
  route('GET /session', 'optional'),
  route('POST /sign-up', 'none'),
  route('POST /sign-in', 'none'),
  route('POST /sign-in/two-factor', 'none'),
  route('POST /sign-out', 'optional'),
  route('POST /password-resets', 'none'),
  route('POST /password-resets/complete', 'none'),
  allowing(EVERYONE, 'POST /email-verifications'),
  route('POST /email-verifications/complete', 'none'),
  allowing(EVERYONE, 'GET /two-factor'),
  allowing(EVERYONE, 'POST /two-factor/setup'),
  allowing(EVERYONE, 'POST /two-factor/enable'),
  allowing(EVERYONE, 'POST /two-factor/recovery-codes'),
  allowing(EVERYONE, 'POST /two-factor/disable'),
  allowing(EVERYONE, 'POST /account/password'),
  allowing('o', 'POST /account/delete'),
  allowing(EVERYONE, 'GET /sessions'),
  allowing(EVERYONE, 'POST /sessions/end-others'),
  allowing(EVERYONE, 'DELETE /sessions/{id}'),
  allowing(EVERYONE, 'GET /organizations'),
  allowing(EVERYONE, 'POST /organizations'),
  allowing(EVERYONE, 'POST /organizations/{id}/switch'),
  allowing('oa', 'GET /invitations'),
  allowing('oa', 'POST /invitations'),
  allowing('oa', 'POST /invitations/{id}/renew'),
  allowing('oa', 'DELETE /invitations/{id}'),
  route('POST /invitation/preview', 'none'),
  allowing(EVERYONE, 'POST /invitation/accept'),
  allowing(EVERYONE, 'GET /members'),
  allowing(EVERYONE, 'POST /members/leave'),
  allowing('oa', 'PATCH /members/{id}'),
  allowing('oa', 'DELETE /members/{id}'),
  route('POST /ai/upload'),
  route('GET /ai/sources'),
  route('GET /ai/sources/{id}'),
  route('GET /ai/sources/{id}/thumbnail'),
  route('DELETE /ai/sources/{id}'),
  route('POST /ai/enhance'),
  route('GET /ai/enhance'),
  route('GET /ai/enhance/{id}'),
  route('GET /ai/enhance/{id}/events'),
  route('GET /ai/enhance/{id}/result'),
  route('POST /ai/enhance/{id}/cancel'),
  route('POST /ai/enhance/{id}/run-again'),
  route('DELETE /ai/enhance/{id}'),
  route('POST /ai/batches'),
  route('GET /ai/batches'),
  route('GET /ai/batches/{id}'),
  route('GET /ai/batches/{id}/jobs'),
  route('GET /ai/batches/{id}/results.zip'),
  route('GET /ai/results.zip'),
  route('POST /ai/batches/{id}/cancel'),
  route('POST /ai/batches/{id}/retry'),
  route('GET /ai/presets'),
  route('PUT /ai/presets/{name}'),
  route('DELETE /ai/presets/{name}'),
  route('POST /ai/share-links'),
  route('GET /ai/share-links'),
  route('DELETE /ai/share-links/{id}'),
  route('GET /events'),
  allowing('oa', 'GET /audit'),
  allowing(WRITERS, 'GET /keys'),
  route('POST /keys'),
  route('PATCH /keys/{id}'),
  route('POST /keys/{id}/rotate'),
  route('DELETE /keys/{id}'),
  allowing(EVERYONE, 'GET /usage'),
  allowing(EVERYONE, 'GET /usage/history'),
  allowing(EVERYONE, 'GET /usage/export'),
  allowing(EVERYONE, 'GET /usage/rate'),
  allowing(WRITERS, 'GET /webhooks/events'),
  route('POST /webhooks/endpoints'),
  allowing(WRITERS, 'GET /webhooks/endpoints'),
  allowing(WRITERS, 'GET /webhooks/endpoints/{id}'),
  route('PATCH /webhooks/endpoints/{id}'),
  route('DELETE /webhooks/endpoints/{id}'),
  route('POST /webhooks/endpoints/{id}/ping'),
  route('POST /webhooks/endpoints/{id}/rotate-secret'),
  route('POST /webhooks/endpoints/{id}/recover'),
  allowing(WRITERS, 'GET /webhooks/deliveries'),
  allowing(WRITERS, 'GET /webhooks/deliveries/{id}'),
  route('POST /webhooks/deliveries/{id}/redeliver'),
  route('GET /ai/operations'),
  route('GET /models'),
];

/** Every route of the operator console. */
export const OPERATOR_ROUTES: readonly DashboardRoute[] = [
  'GET /overview',
  'GET /history',
  'GET /accounts',
  'GET /accounts/{id}',
  'PUT /accounts/{id}/plan',
  'POST /accounts/{id}/suspend',
  'POST /accounts/{id}/resume',
  'POST /accounts/{id}/reset-password',
  'POST /accounts/{id}/sign-out',
  'POST /accounts/{id}/delete',
  'POST /accounts/{id}/sign-in-as',
  'POST /sign-in-as/end',
  'GET /failed-jobs',
  'GET /failed-jobs/counts',
  'POST /failed-jobs/{id}/run-again',
  'GET /failing-endpoints',
  'POST /failing-endpoints/{id}/disable',
  'POST /failing-endpoints/{id}/enable',
  'GET /audit',
  'GET /audit/export',
  'GET /settings',
  'GET /workers',
  'POST /workers/{id}/drain',
  'POST /workers/{id}/resume',
  'POST /workers/{id}/restart',
  'GET /workers/{id}/log',
  'GET /models',
  'POST /models/reload',
].map((text) => {
  const [method, path] = text.split(' ') as [DashboardRoute['method'], string];
  return { method, path: `/operator/api${path}`, need: 'operator', roles: EVERYONE };
});

/** Their folders below test/http. */
export const DASHBOARD_FOLDERS = [
  'dashboard-account',
  'dashboard-batches',
  'dashboard-email-verifications',
  'dashboard-every-route',
  'dashboard-invitations',
  'dashboard-jobs',
  'dashboard-keys',
  'dashboard-members',
  'dashboard-models',
  'dashboard-pages',
  'dashboard-password-resets',
  'dashboard-session',
  'dashboard-sessions',
  'dashboard-presets',
  'dashboard-results',
  'dashboard-share-links',
  'dashboard-sources',
  'dashboard-thumbnails',
  'dashboard-two-factor',
  'dashboard-usage',
  'dashboard-webhooks',
  'operator',
  'operator-accounts',
  'operator-failed-jobs',
  'operator-failing-endpoints',
  'operator-impersonation',
] as const;
