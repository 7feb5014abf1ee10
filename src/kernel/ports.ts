/** Ports from `first` to `last`, both included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export const HIGHEST_PORT = 65_535;

/**
 * Ports from 1024 of well-known services that are not webhook receivers: databases, caches, message brokers,
 * mail, remote access, chat and cluster control. A webhook to one of them would send it text that a customer
 * controls.
 */
export const WELL_KNOWN_PORTS: Readonly<Record<string, readonly number[]>> = {
  'SOCKS, HTTP proxies': [1080, 3128],
  'SQL Server': [1433, 1434],
  Oracle: [1521, 2483, 2484],
  MQTT: [1883, 8883],
  NFS: [2049],
  ZooKeeper: [2181],
  Docker: [2375, 2376, 2377],
  etcd: [2379, 2380],
  SMTP: [2525],
  Firebird: [3050],
  iSCSI: [3260],
  'MySQL, MariaDB': [3306],
  'Remote Desktop': [3389],
  'Erlang port mapper': [4369],
  SIP: [5060, 5061],
  XMPP: [5222, 5269],
  'PostgreSQL, PgBouncer': [5432, 5433, 6432],
  AMQP: [5671, 5672],
  VNC: [5900, 5901, 5902, 5903],
  CouchDB: [5984],
  'Windows Remote Management': [5985, 5986],
  X11: [6000, 6001, 6002, 6003, 6004, 6005, 6006, 6007],
  Redis: [6379, 6380],
  'Kubernetes, kubelet': [6443, 10_250, 10_255],
  IRC: [6660, 6661, 6662, 6663, 6664, 6665, 6666, 6667, 6668, 6669, 6697],
  Cassandra: [7000, 7001, 7199, 9042, 9160],
  Neo4j: [7474, 7687],
  Kafka: [9092, 9093],
  Elasticsearch: [9200, 9300],
  Git: [9418],
  Memcached: [11_211],
  MongoDB: [27_017, 27_018, 27_019],
  RethinkDB: [28_015],
};

/** 80, 443, and all other ports from 1024. */
export const DEFAULT_WEBHOOK_PORTS: readonly PortRange[] = [
  { first: 80, last: 80 },
  { first: 443, last: 443 },
  ...without(Object.values(WELL_KNOWN_PORTS).flat(), 1024),
];

function without(ports: readonly number[], lowest: number): PortRange[] {
  const taken = [...new Set(ports)].toSorted((a, b) => a - b);
  const edges = [lowest - 1, ...taken, HIGHEST_PORT + 1];
  return edges
    .slice(1)
    .map((edge, index) => ({ first: edges[index]! + 1, last: edge - 1 }))
    .filter(({ first, last }) => first <= last);
}

export function isPortIn(ranges: readonly PortRange[], port: number): boolean {
  return ranges.some(({ first, last }) => first <= port && port <= last);
}
