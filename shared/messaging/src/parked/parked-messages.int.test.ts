import { randomBytes } from 'node:crypto';
import type { Envelope } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { testRabbitmqUrl } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { NonRetryableError } from '../broker/index.js';
import { openNode, type MessagingNode, type NodeOptions } from '../outbox/testing/messaging-node.js';

const drivers: readonly NodeOptions['driver']['kind'][] = ['rabbitmq', 'in-process'];

describe.each(drivers)('a parked message, on %s', (kind) => {
  let server: TestDatabase;
  let node: MessagingNode;
  const broken = new Set<string>();
  const handled: Envelope[] = [];

  beforeAll(async () => {
    server = await testDatabase();
    const namespace = `parked-${randomBytes(4).toString('hex')}`;
    node = await openNode({
      adminUrl: server.adminUrl,
      internalSecret: server.internalSecret,
      effectMigrations: server.migrations({ '0001-effects.sql': 'create table effects (text text not null);' }),
      driver: kind === 'rabbitmq' ? { kind, url: await testRabbitmqUrl(), namespace } : { kind },
    });
    await node.consume(
      ({ envelope }) => handled.push(envelope),
      ({ envelope }) => {
        if (broken.has(envelope.id)) throw new NonRetryableError('broken');
      },
    );
  }, serverStartTimeoutMs);

  afterAll(async () => {
    await node.stop();
    await server.drop();
  });

  async function effects(text: string): Promise<number> {
    const [row] = await server.asAdmin<{ count: number }>(
      'select count(*)::int as count from kill_test.effects where text = $1',
      [text],
    );
    return row?.count ?? 0;
  }

  const parkedIds = async () => (await node.parked.list(10)).map(({ messageId }) => messageId);

  /** Publishes a message that is parked, and repairs its handler. */
  async function park(text: string): Promise<void> {
    const id = `evt_${text}` as const;
    broken.add(id);
    await node.publish(text, { id });
    await eventually(async () => expect(await parkedIds()).toEqual([id]));
    broken.delete(id);
    expect(await effects(text)).toBe(0);
  }

  it('is handled when its sender sends it again, and none is left', async () => {
    await park('resent');
    await node.publish('resent', { id: 'evt_resent', isRepeated: true });
    await eventually(async () => expect(await parkedIds()).toEqual([]));
    expect(await effects('resent')).toBe(1);
  });

  it('is handled when an operator redrives it, and none is left', async () => {
    await park('redriven');
    expect(await node.redriveParked()).toBe(1);
    await eventually(async () => expect(await parkedIds()).toEqual([]));
    expect(await effects('redriven')).toBe(1);
  });

  it('that was handled after it was parked is deleted by a redrive, without a second effect', async () => {
    const id = 'evt_both';
    await node.publish('both', { id });
    const envelope = await eventually(() => {
      const found = handled.find((each) => each.id === id);
      expect(found).toBeDefined();
      return found;
    });
    const body = Buffer.from(JSON.stringify(envelope));
    await node.parked.park({ messageId: id, type: 'notice.posted', body, attempts: 5, reason: 'a copy of it failed' });

    expect(await node.redriveParked()).toBe(1);

    await eventually(async () => expect(await parkedIds()).toEqual([]));
    expect(await effects('both')).toBe(1);
  });

  it('is handled when a sweeper publishes the row of a dead process again, and none is left', async () => {
    await park('swept');
    const [parked] = await node.parked.list(1);
    await node.database.pool.query('insert into outbox (messages, available_at) values ($1, now())', [
      JSON.stringify([parked?.body]),
    ]);
    node.sweep();
    await eventually(async () => expect(await parkedIds()).toEqual([]));
    expect(await effects('swept')).toBe(1);
  });
});
