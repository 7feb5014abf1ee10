/** Where the routes of a session are. */
export const API_BASE = '/dashboard/api';
