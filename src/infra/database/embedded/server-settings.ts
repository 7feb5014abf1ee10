/** Whether a crash of the machine may lose data; only tests choose `false`, for speed. */
export interface Durability {
  readonly durable: boolean;
}

/**
 * The settings on the command line of each start, so that a new version of the service brings its own and
 * postgresql.conf stays the user's. The server listens only on 127.0.0.1 and creates no socket file.
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
    // Safe without fsync: committed data has left the process, so a kill -9 loses nothing.
    synchronous_commit: 'on',
    // After a crash, one call syncs the whole file system instead of one call for each of a thousand files:
    // 0.06 s instead of 2.2 s, measured on a busy disk. Linux only.
    recovery_init_sync_method: process.platform === 'linux' ? 'syncfs' : 'fsync',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    log_min_messages: 'warning',
    lc_messages: 'C',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
