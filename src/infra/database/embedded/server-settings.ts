/** Whether a crash of the machine may lose data; only tests choose `false`, for speed. */
export interface Durability {
  readonly durable: boolean;
}

/**
 * The settings given on the command line at each start, so that a new version of the service brings its own
 * and postgresql.conf stays the user's. Only 127.0.0.1 is listened on, and no socket file is made.
 */
export function serverSettings(port: number, { durable }: Durability): readonly string[] {
  const settings: Readonly<Record<string, string>> = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '128MB',
    fsync: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    // Also without fsync: what was committed has left the process, so a kill -9 of it loses nothing.
    synchronous_commit: 'on',
    // After a crash: one call for the whole file system instead of one for each of a thousand files, seen
    // to take 0.06 s instead of 2.2 s on a busy disk. Linux only.
    recovery_init_sync_method: process.platform === 'linux' ? 'syncfs' : 'fsync',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    log_min_messages: 'warning',
    lc_messages: 'C',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
