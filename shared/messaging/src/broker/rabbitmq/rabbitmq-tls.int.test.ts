import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from 'amqplib';
import { testRetryDelaysMs, testTopology } from '@holdfast/testing/broker';
import { silentLog } from '@holdfast/testing/log';
import { testRabbitmqUrl } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { selfSignedCertificate, startTlsProxy, type Certificate, type TlsProxy } from '@holdfast/testing/tls';
import type { Broker } from '../broker.js';
import { connectRabbitmq } from './connect-rabbitmq.js';
import { namesOf } from './names.js';
import { deleteEverything } from './testing/test-namespace.js';

const namespace = `test-${randomBytes(6).toString('hex')}`;
let folder: string;
let serverUrl: string;
let certificate: Certificate;
let proxy: TlsProxy;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdfast-amqps-'));
  certificate = await selfSignedCertificate(folder);
  serverUrl = await testRabbitmqUrl();
  proxy = await startTlsProxy(serverUrl, certificate);
}, serverStartTimeoutMs);

afterAll(async () => {
  await proxy.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(host: string, query: Readonly<Record<string, string>>): Promise<Broker> {
  const url = new URL(serverUrl.replace(/^amqp:/, 'amqps:'));
  url.hostname = host;
  url.port = proxy.port.toString();
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return connectRabbitmq({
    url: url.toString(),
    topology: testTopology,
    log: silentLog,
    namespace,
    retryDelaysMs: testRetryDelaysMs,
  });
}

describe('a broker with TLS', () => {
  it.each([
    ['at the name of its certificate', 'localhost', {}],
    ['at another name, with the name in its certificate', '127.0.0.1', { server_name_indication: 'localhost' }],
  ])('is used %s', async (_, host, query) => {
    const broker = await open(host, { cacertfile: certificate.certFile, ...query });
    expect(broker.isHealthy()).toBe(true);
    await broker.close();
    const admin = await connect(serverUrl);
    await deleteEverything(await admin.createChannel(), namesOf(namespace));
    await admin.close();
  });

  it('is refused at once without its authority, or at another name', async () => {
    await expect(open('localhost', {})).rejects.toThrow(/RabbitMQ at localhost:\d+ cannot be used: .*certificate/);
    await expect(open('127.0.0.1', { cacertfile: certificate.certFile })).rejects.toThrow(/does not match certificate/);
  });
});
