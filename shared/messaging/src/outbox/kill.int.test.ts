import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { builtFile } from '@holdfast/testing/built-file';
import { eventually } from '@holdfast/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { testRabbitmqUrl } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { openNode, type CrashPoint, type MessagingNode, type NodeOptions } from './testing/messaging-node.js';

const killTimeoutMs = 120_000;
const drivers: readonly NodeOptions['driver']['kind'][] = ['rabbitmq', 'in-process'];

describe.each(drivers)('a process killed with SIGKILL, on %s', (kind) => {
  let server: TestDatabase;
  let options: NodeOptions;
  let survivor: MessagingNode | undefined;
  const handled: string[] = [];

  beforeAll(async () => {
    server = await testDatabase();
    const namespace = `kill-${randomBytes(4).toString('hex')}`;
    options = {
      adminUrl: server.adminUrl,
      internalSecret: server.internalSecret,
      effectMigrations: server.migrations({ '0001-effects.sql': 'create table effects (text text not null);' }),
      driver: kind === 'rabbitmq' ? { kind, url: await testRabbitmqUrl(), namespace } : { kind },
    };
  }, serverStartTimeoutMs);

  afterEach(async () => {
    handled.length = 0;
    await survivor?.stop();
    survivor = undefined;
  });

  afterAll(async () => {
    await server.drop();
  });

  /** Resolves once the process has been killed at the crash point. */
  async function crash(crashPoint: CrashPoint, text: string): Promise<void> {
    const instruction = JSON.stringify({ ...options, crashPoint, text });
    const crashProgram = builtFile(new URL('testing/crash-node.ts', import.meta.url));
    const child = spawn(process.execPath, [crashProgram, instruction], {
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');
  }

  /** Another replica, or the same one after a restart. */
  async function recover(): Promise<MessagingNode> {
    survivor = await openNode(options);
    await survivor.consume(({ envelope }) => handled.push((envelope.payload as { text: string }).text));
    survivor.sweep();
    return survivor;
  }

  async function count(table: 'effects' | 'outbox', text: string): Promise<number> {
    const column = table === 'effects' ? 'text' : 'messages';
    const sql = `select count(*)::int as count from kill_test.${table} where ${column} like $1`;
    const [row] = await server.asAdmin<{ count: number }>(sql, [`%${text}%`]);
    return row?.count ?? 0;
  }

  it(
    'after commit and before publish: the sweeper publishes the message, one effect',
    async () => {
      await crash('after commit, before publish', 'unpublished');
      expect([await count('outbox', 'unpublished'), await count('effects', 'unpublished')]).toEqual([1, 0]);

      await recover();

      await eventually(async () => expect(await count('outbox', 'unpublished')).toBe(0));
      await eventually(() => expect(handled).toEqual(['unpublished']));
      expect(await count('effects', 'unpublished')).toBe(1);
    },
    killTimeoutMs,
  );

  it(
    'after publish and before delete: the message is published twice, one effect',
    async () => {
      await crash('after publish, before delete', 'undeleted');
      expect([await count('outbox', 'undeleted'), await count('effects', 'undeleted')]).toEqual([1, 0]);

      const node = await recover();
      await eventually(async () => expect(await count('outbox', 'undeleted')).toBe(0));
      expect(node.relay.counters().swept).toBe(1);

      // The in-process driver delivers it again only if it was being handled meanwhile; RabbitMQ delivers both copies.
      await eventually(() => expect(handled.length).toBeGreaterThanOrEqual(kind === 'rabbitmq' ? 2 : 1));
      expect(await count('effects', 'undeleted')).toBe(1);
    },
    killTimeoutMs,
  );

  it(
    'after handling and before ack: the message is delivered again, one effect',
    async () => {
      await crash('after handling, before ack', 'unacknowledged');
      expect(await count('effects', 'unacknowledged')).toBe(1);

      const node = await recover();

      await eventually(() => expect(handled).toContain('unacknowledged'));
      await eventually(async () => expect(await count('outbox', 'unacknowledged')).toBe(0));
      expect(await count('effects', 'unacknowledged')).toBe(1);
      expect(await node.parked.list(10)).toEqual([]);
    },
    killTimeoutMs,
  );
});
