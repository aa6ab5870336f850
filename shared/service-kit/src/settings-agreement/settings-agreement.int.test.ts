import { createMetrics } from '@holdfast/observability';
import type { Database } from '@holdfast/postgres';
import { collectingLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { createSettingsAgreement } from './settings-agreement.js';

let server: TestDatabase;
let orders: Database;

beforeAll(async () => {
  server = await testDatabase();
}, serverStartTimeoutMs);
afterEach(() => server.asAdmin('delete from platform.running_processes'));
afterAll(() => server.drop());

const secret = 'a-secret-that-nobody-may-read';
const config = { internalSecret: secret, SAGA_ABORT_AFTER_MS: 600_000, ORDER_AMOUNT_MAX: '50000.00' };

type Options = Partial<Parameters<typeof createSettingsAgreement>[0]>;

function aProcess(options: Options = {}) {
  const log = collectingLog();
  const metrics = createMetrics({ service: 'orders', processMetrics: false });
  const { signal } = new AbortController();
  const { adminUrl, internalSecret } = server;
  const database = { adminUrl, internalSecret, service: 'orders' };
  const common = { database, config, connections: 11, waitMs: 0, log, metrics, signal };
  const agreement = createSettingsAgreement({ ...common, ...options });
  const differing = async (): Promise<string | undefined> =>
    /^holdfast_settings_differing\{.*\} (\d+)$/m.exec(await metrics.registry.metrics())?.[1];
  const warnings = (): readonly string[] => log.lines.filter(({ level }) => level === 'warn').map(({ fact }) => fact);
  return { ...agreement, differing, warnings, log };
}

describe('a process that starts', () => {
  it('compares nothing where no process has started before', async () => {
    await expect(aProcess().waitForAgreement()).resolves.toBeUndefined();
    orders = await server.open({ service: 'orders', migrations: [] });
  });

  it('is refused beside a process with another value, and admitted once that has ended', async () => {
    const running = aProcess();
    await running.join(orders);
    const changed = { ...config, internalSecret: 'another-secret', SAGA_ABORT_AFTER_MS: 1 };
    await expect(aProcess({ config: changed }).waitForAgreement()).rejects.toMatchObject({
      name: 'ConfigError',
      faults: [
        'INTERNAL_SECRET differs from that of a running process of orders',
        'SAGA_ABORT_AFTER_MS differs from that of a running process of orders: "1" here, "600000" there',
      ],
    });
    await expect(aProcess().waitForAgreement()).resolves.toBeUndefined();

    const waiting = aProcess({ config: changed, waitMs: 60_000 });
    const admitted = waiting.waitForAgreement();
    await running.leave();
    await admitted;
  });

  it('is admitted beside one that died half a minute ago', async () => {
    await aProcess().join(orders);
    await server.asAdmin(`update platform.running_processes set seen_at = now() - interval '31 seconds'`);
    await expect(aProcess({ config: { ...config, SAGA_ABORT_AFTER_MS: 1 } }).waitForAgreement()).resolves.toBeUndefined();
  });

  it('reports other differences, and too few connections for all, once', async () => {
    const running = aProcess();
    await running.join(orders);
    expect([await running.differing(), running.warnings()]).toEqual(['0', []]);

    const second = aProcess({ config: { ...config, ORDER_AMOUNT_MAX: '1.00' }, connections: 10_000 });
    await second.waitForAgreement();
    await second.join(orders);
    await running.job.run(new AbortController().signal);
    await running.job.run(new AbortController().signal);
    expect(await second.differing()).toBe('1');
    expect(await running.differing()).toBe('1');
    expect(running.warnings()).toEqual(['settings differ between running processes']);
    expect(second.warnings()).toEqual([
      'settings differ between running processes',
      expect.stringContaining('may need more database connections than the server allows'),
    ]);

    await second.leave();
    await running.job.run(new AbortController().signal);
    expect(await running.differing()).toBe('0');
    await running.leave();
  });
});

describe('the registry of processes', () => {
  it('stores no secret', async () => {
    const running = aProcess();
    await running.join(orders);
    const [row] = await server.asAdmin<{ readonly text: string }>(
      'select settings::text as text from platform.running_processes',
    );
    expect(row?.text).toContain('INTERNAL_SECRET');
    expect(row?.text).not.toContain(secret);
    await running.leave();
  });

  it('is closed to the role of a service, but for the functions', async () => {
    for (const sql of [
      'select * from platform.running_processes',
      'select salt from platform.installation',
      'delete from platform.running_processes',
      'create table platform.intruder (id int)',
    ])
      await expect(orders.pool.query(sql)).rejects.toThrow(/permission denied/);
  });

  it('lets a role write rows of its own service only', async () => {
    const payments = await server.open({ service: 'payments', migrations: [] });
    const running = aProcess();
    await running.join(orders);
    const [row] = await server.asAdmin<{ readonly instance_id: string }>('select instance_id from platform.running_processes');
    await payments.pool.query('select platform.forget_process($1)', [row?.instance_id]);
    await payments.pool.query(`select platform.report_process($1, '0', 0, '{}')`, [row?.instance_id]);
    expect(await server.asAdmin('select service, connections from platform.running_processes')).toEqual([
      { service: 'orders', connections: 11 },
    ]);
    await expect(server.asAdmin(`select platform.report_process('x', '0', 0, '{}')`)).rejects.toThrow(/only the serving role/);
    await running.leave();
  });

  it('is closed to other roles of the server', async () => {
    await server.asAdmin('create role stranger_to_platform');
    const asStranger = `do $$ begin set local session authorization stranger_to_platform; perform platform.installation_salt(); end $$`;
    await expect(server.asAdmin(asStranger)).rejects.toThrow(/only a role of the platform/);
    await server.asAdmin('drop role stranger_to_platform');
  });
});
