import { createSocket, type RemoteInfo } from 'node:dgram';
import { isIPv6 } from 'node:net';

/**
 * A real name server on this machine whose answers a test controls (RFC 1035, the minimum that resolvers need).
 */
export interface NameServer {
  /** `address:port`. */
  readonly address: string;
  /** Each `answer` is sent once; the last one is repeated. */
  readonly set: (name: string, ...answers: string[][]) => void;
  /** Leaves questions for this name unanswered. */
  readonly silence: (name: string) => void;
  /** Leaves questions for the addresses of one family of this name unanswered, all or a number of them. */
  readonly drop: (name: string, family: 4 | 6, count?: number) => void;
  /** How many times the IPv4 addresses of a name were requested. */
  readonly questions: (name: string) => number;
  readonly close: () => Promise<void>;
}

const TYPE_A = 1;
const TYPE_AAAA = 28;
const NAME_ERROR = 3;

interface Zone {
  readonly answers: string[][];
  questions: number;
  isSilent: boolean;
  dropped?: { readonly family: 4 | 6; count: number };
}

export async function serveNames(): Promise<NameServer> {
  const zones = new Map<string, Zone>();
  const socket = createSocket('udp4');
  socket.on('message', (query: Buffer, from: RemoteInfo) => {
    const { name, type, end } = readQuestion(query);
    const zone = zones.get(name);
    if (zone?.isSilent === true || isDropped(zone, type)) return;
    const current = zone?.answers[Math.min(zone.questions, zone.answers.length - 1)] ?? [];
    // Resolvers request both kinds at once, IPv4 first; the IPv6 question belongs to the same lookup.
    if (zone !== undefined && type === TYPE_AAAA) zone.questions += 1;
    const found = current.filter((address) => isIPv6(address) === (type === TYPE_AAAA));
    const answer = writeAnswer(query.subarray(0, end), type, found, zone === undefined);
    socket.send(answer, from.port, from.address);
  });
  await new Promise<void>((done) => void socket.bind(0, '127.0.0.1', done));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    set: (name, ...answers) => void zones.set(name, { answers, questions: 0, isSilent: false }),
    silence: (name) => void zones.set(name, { answers: [], questions: 0, isSilent: true }),
    drop: (name, family, count = Infinity) => void (zones.get(name)!.dropped = { family, count }),
    questions: (name) => zones.get(name)?.questions ?? 0,
    close: () => new Promise((done) => void socket.close(() => done())),
  };
}

function isDropped(zone: Zone | undefined, type: number): boolean {
  const dropped = zone?.dropped;
  if (dropped?.family !== (type === TYPE_AAAA ? 6 : 4) || dropped.count === 0) return false;
  dropped.count -= 1;
  return true;
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  while (query[at] !== 0) {
    const length = query[at]!;
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function writeAnswer(
  question: Buffer,
  type: number,
  addresses: readonly string[],
  isUnknown: boolean,
): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | (isUnknown ? NAME_ERROR : 0), 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    const data = type === TYPE_A ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
    // A pointer to the question's name, the type, class IN, a TTL of 0, and the length.
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, ...records]);
}

/** @param address with at most one `::` and no dotted part */
function ipv6Bytes(address: string): Buffer {
  const [before = '', after = ''] = address.split('::');
  const groups = (part: string) => part.split(':').filter((group) => group !== '');
  const zeros = 8 - groups(before).length - groups(after).length;
  const all = [...groups(before), ...Array.from({ length: zeros }, () => '0'), ...groups(after)];
  const bytes = Buffer.alloc(16);
  all.forEach((group, index) => bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2));
  return bytes;
}
