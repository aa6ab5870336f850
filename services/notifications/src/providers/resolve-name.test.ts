import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { nameResolver } from './resolve-name.js';

const [typeA, typeAaaa] = [1, 28];
let nameServer: Socket;
let address: string;

/** Has an IPv4 address for `four.example`, both kinds for `both.example`, no response for `silent.example`, and nothing else. */
beforeAll(async () => {
  nameServer = createSocket('udp4');
  nameServer.on('message', (query, { port }) => {
    const { name, type } = questionOf(query);
    if (name === 'silent.example') return;
    const hasFour = name === 'four.example' || name === 'both.example';
    if (type === typeA && hasFour) nameServer.send(responseTo(query, [8, 8, 8, 8]), port);
    else if (type === typeAaaa && name === 'both.example')
      nameServer.send(responseTo(query, [0x26, 6, ...Array(13).fill(0), 1]), port);
    else nameServer.send(responseTo(query, undefined), port);
  });
  nameServer.bind(0, '127.0.0.1');
  await once(nameServer, 'listening');
  address = `127.0.0.1:${nameServer.address().port}`;
});
afterAll(() => {
  nameServer.close();
});

const resolver = (timeoutMs = 60_000) => nameResolver({ timeoutMs, nameServers: [address] });

describe('a name', () => {
  it('resolves to its addresses of both kinds', async () => {
    expect(await resolver()('both.example')).toEqual(['8.8.8.8', '2606::1']);
  });

  it('needs one kind only', async () => {
    expect(await resolver()('four.example')).toEqual(['8.8.8.8']);
  });

  it('fails with DNS when it has no address', async () => {
    await expect(resolver()('unknown.example')).rejects.toMatchObject({ outcome: 'DNS' });
  });

  it('fails with DNS when the name server does not respond in time', async () => {
    await expect(resolver(100)('silent.example')).rejects.toMatchObject({ outcome: 'DNS' });
  });

  it.each(['localhost', 'LOCALHOST', 'localhost.', 'shop.localhost'])('%s is loopback, without a query', async (name) => {
    expect(await resolver()(name)).toEqual(['127.0.0.1', '::1']);
  });
});

const headerBytes = 12;

function questionOf(query: Buffer): { readonly name: string; readonly type: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1) };
}

/** A response with one address, or one that the name does not exist. */
function responseTo(query: Buffer, addressBytes: readonly number[] | undefined): Buffer {
  const questionEnd = query.indexOf(0, headerBytes) + 5;
  const head = Buffer.from(query.subarray(0, questionEnd));
  const nameError = 3;
  head.writeUInt16BE(0x8180 | (addressBytes === undefined ? nameError : 0), 2);
  head.writeUInt16BE(addressBytes === undefined ? 0 : 1, 6); // answers
  head.writeUInt16BE(0, 10); // no additional records
  if (addressBytes === undefined) return head;
  const record = Buffer.from([
    0xc0,
    headerBytes,
    0,
    addressBytes.length === 4 ? typeA : typeAaaa,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    addressBytes.length,
  ]);
  return Buffer.concat([head, record, Buffer.from(addressBytes)]);
}
