import { rmSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@holdfast/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { freePort, serverStartTimeoutMs } from '@holdfast/testing/servers';
import { newDataDir, startAllInOne, type RunningInstallation } from './testing/installation.js';
import { killLeftPrograms, runProgram } from './testing/program.js';
import { startPrometheus, type FiringAlert, type RunningPrometheus } from './testing/prometheus.js';

jest.setTimeout(180_000);

const deploy = fileURLToPath(new URL('../../deploy', import.meta.url));
/** For a machine that is busy; gauges of the database are measured every ten seconds. */
const alertTimeoutMs = 90_000;
const planted = ['HoldfastMessagesParked', 'HoldfastEmergencyStopped', 'HoldfastProcessDown'];

describe('a Prometheus with our rules at a running platform', () => {
  const dataDir = newDataDir();
  let database: TestDatabase;
  let installation: RunningInstallation;
  let metricsUrl: string;
  let prometheus: RunningPrometheus;

  beforeAll(async () => {
    database = await testDatabase();
    const port = await freePort();
    const settings = { DATABASE_URL: database.adminUrl, INTERNAL_SECRET: database.internalSecret, METRICS_PORT: port.toString() };
    metricsUrl = `http://127.0.0.1:${port}/metrics`;
    installation = await startAllInOne(dataDir, settings);
    prometheus = await startPrometheus(`127.0.0.1:${port}`);
  }, serverStartTimeoutMs);

  afterAll(async () => {
    await killLeftPrograms();
    await prometheus.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** A message that cannot be parsed is parked at once. */
  async function park(messageId: string): Promise<void> {
    const insert = `insert into broker.deliveries (queue, message_id, type, body) values ('orders', $1, 'order.closed', 'no envelope')`;
    await database.asAdmin(insert, [messageId]);
    await eventually(() => expect(installation.output()).toContain(messageId));
    const isParked = 'select from orders.parked_messages where message_id = $1';
    await eventually(async () => expect(await database.asAdmin(isParked, [messageId])).toHaveLength(1));
  }

  async function firing(name: string): Promise<FiringAlert> {
    const found = (await prometheus.firing()).find(({ labels }) => labels['alertname'] === name);
    if (found === undefined) throw new Error(`${name} does not fire`);
    return found;
  }

  it('evaluates every rule, and the alerts of this test are silent', async () => {
    await eventually(async () => expect(await prometheus.failedRules()).toEqual([]), { timeoutMs: alertTimeoutMs });
    await eventually(async () => expect(await prometheus.query('max(up)')).toEqual([1]), { timeoutMs: alertTimeoutMs });
    expect(await prometheus.query('max(holdfast_parked_messages)')).toEqual([0]);
    expect(await prometheus.query('max(holdfast_emergency_stopped)')).toEqual([0]);
    const names = (await prometheus.firing()).map(({ labels }) => labels['alertname'] ?? '');
    expect(names.filter((name) => planted.includes(name))).toEqual([]);
  });

  it('finds every metric that a rule, a dashboard or a runbook names', async () => {
    const exported = await (await fetch(metricsUrl)).text();
    const named = new Set(
      (await Promise.all(['prometheus/rules', 'grafana/dashboards', '../docs/operations/runbooks'].map(metricsNamedIn))).flat(),
    );
    expect([...named].filter((name) => !exported.includes(`# TYPE ${name} `))).toEqual([]);
    expect(named.size).toBeGreaterThan(60);
  });

  it('fires for a parked message', async () => {
    await park('msg_taken');
    const alert = await eventually(() => firing('HoldfastMessagesParked'), { timeoutMs: alertTimeoutMs });
    expect(alert.labels).toMatchObject({ service: 'orders', severity: 'page' });
    expect(alert.annotations['description']).toBe('1 messages of orders could not be handled and wait for an operator.');
    expect(installation.takeParked()).toEqual([expect.stringContaining('msg_taken')]);
    expect(await database.takeParked()).toMatchObject([{ queue: 'orders', messageId: 'msg_taken' }]);
  });

  it('fires for an emergency stop', async () => {
    const environment = { HOLDFAST_DATA_DIR: dataDir, INTERNAL_SECRET: database.internalSecret };
    const stopped = await runProgram('emergency', environment, 'stop', '--by', 'Ada', '--reason', 'a drill');
    expect(stopped).toMatchObject({ code: 0 });
    const alert = await eventually(() => firing('HoldfastEmergencyStopped'), { timeoutMs: alertTimeoutMs });
    expect(alert.labels['severity']).toBe('info');
  });

  it('fires for a process that was killed', async () => {
    await park('msg_left');
    installation.signal('SIGKILL');
    await installation.ended;
    const alert = await eventually(() => firing('HoldfastProcessDown'), { timeoutMs: alertTimeoutMs });
    const runbook = alert.annotations['runbook_url'] ?? '';
    expect(runbook).toBe(`${prometheus.docsUrl}/operations/runbooks/process-down.md`);
    expect(await (await fetch(runbook)).text()).toContain('`HoldfastProcessDown`');
    await eventually(() => firing('HoldfastServiceAbsent'), { timeoutMs: alertTimeoutMs });
  });

  it('has left a parked message, which fails the suite that ends the platform without having taken it', async () => {
    const complaint = await killLeftPrograms().catch(String);
    expect(complaint).toMatch(/messages were parked.*msg_left/s);
    expect(complaint).not.toContain('msg_taken');
  });

  it('has left a parked message, which fails the suite that drops the database without having taken it', async () => {
    const complaint = await database.drop().catch(String);
    expect(complaint).toMatch(/messages were parked.*orders: order.closed \(msg_left\) after 1 attempts: not retryable/s);
    expect(complaint).not.toContain('msg_taken');
  });
});

/** Names of metrics in the files of a folder, without the suffixes that Prometheus adds to histograms. */
async function metricsNamedIn(folder: string): Promise<readonly string[]> {
  const files = await readdir(path.join(deploy, folder));
  const texts = await Promise.all(files.map((name) => readFile(path.join(deploy, folder, name), 'utf8')));
  const names = texts.flatMap((text) => text.match(/\b(?:holdfast|nodejs|process)_\w+/g) ?? []);
  return names.map((name) => name.replace(/_(bucket|sum|count)$/, ''));
}
