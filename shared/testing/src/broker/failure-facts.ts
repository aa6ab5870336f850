import { NewerVersionError, NonRetryableError } from '@holdfast/messaging/broker';
import { eventually } from '../eventually/index.js';
import { anEnvelope, envelopes, gate, idsOf, recorder, testRetryDelaysMs, type Facts } from './broker-under-test.js';

/** A timer may fire slightly early compared with `performance.now()`. */
const earlyMs = 5;

const fail = (): never => {
  throw new Error('not today');
};

export const failureFacts: Facts = {
  'retries a failed message after each delay and counts the attempts': async ({ open }) => {
    const broker = await open();
    const orders = recorder((_, count) => (count <= 3 ? fail() : undefined));
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    const envelope = anEnvelope();
    await broker.publish([envelope]);
    await eventually(() => expect(orders.deliveries).toEqual([0, 1, 2, 3].map((attempts) => ({ envelope, attempts }))));
    const gaps = orders.times.slice(1).map((time, index) => time - (orders.times[index] ?? 0));
    gaps.forEach((gap, index) => expect(gap).toBeGreaterThanOrEqual((testRetryDelaysMs[index] ?? 0) - earlyMs));
    expect(await broker.listParked('orders', 10)).toEqual([]);
  },

  'parks a message after the last retry, lists it, and delivers it once after a redrive': async ({ open }) => {
    const broker = await open();
    let isMended = false;
    const orders = recorder(() => (isMended ? undefined : fail()));
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    const envelope = anEnvelope();
    await broker.publish([envelope]);
    const parked = await eventually(async () => {
      const [message] = await broker.listParked('orders', 10);
      expect(message).toBeDefined();
      return message;
    });
    expect(parked).toMatchObject({ messageId: envelope.id, type: envelope.type, attempts: 4, body: envelope });
    expect(parked?.reason).toBe('failed 4 times, at last: Error: not today');
    expect(parked?.parkedAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    isMended = true;
    expect(await broker.redriveParked('orders')).toBe(1);
    await eventually(() => expect(orders.deliveries.length).toBe(5));
    expect(orders.deliveries.at(-1)).toEqual({ envelope, attempts: 0 });
    await eventually(async () => expect(await broker.listParked('orders', 10)).toEqual([]));
    expect(await broker.redriveParked('orders')).toBe(0);
  },

  'delivers a parked message when it is published again, and removes it once it is handled': async ({ open }) => {
    const broker = await open();
    let isMended = false;
    const orders = recorder(() => (isMended ? undefined : fail()));
    const payments = recorder();
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    await broker.consume('payments', { prefetch: 10 }, payments.handler);
    const envelope = anEnvelope();
    await broker.publish([envelope]);
    await eventually(async () => expect(await broker.listParked('orders', 10)).toHaveLength(1));
    isMended = true;
    await broker.publish([envelope]);
    await eventually(() => expect(orders.deliveries.at(4)).toEqual({ envelope, attempts: 0 }));
    await eventually(async () => expect(await broker.listParked('orders', 10)).toEqual([]));
    await eventually(() => expect(payments.deliveries).toHaveLength(2));
  },

  'parks a message once that fails again after it was published again, with its new attempts': async ({ open }) => {
    const broker = await open();
    const orders = recorder((_, count) => {
      if (count > 4) throw new NonRetryableError('unknown currency');
      fail();
    });
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    const envelope = anEnvelope({ type: 'b.happened' });
    await broker.publish([envelope]);
    await eventually(async () => expect(await broker.listParked('orders', 10)).toMatchObject([{ attempts: 4 }]));
    await broker.publish([envelope]);
    await eventually(async () =>
      expect(await broker.listParked('orders', 10)).toMatchObject([
        { messageId: envelope.id, attempts: 1, reason: 'not retryable: unknown currency', redrivenAt: undefined },
      ]),
    );
  },

  'keeps a redriven message parked until it is handled': async ({ open }) => {
    const broker = await open();
    const { opened, open: release } = gate();
    const orders = recorder(async (_, count) => {
      if (count === 1) throw new NonRetryableError('bad');
      await opened;
    });
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    const envelope = anEnvelope({ type: 'b.happened' });
    await broker.publish([envelope]);
    await eventually(async () => expect(await broker.listParked('orders', 10)).toHaveLength(1));
    expect(await broker.redriveParked('orders')).toBe(1);
    await eventually(() => expect(orders.deliveries).toHaveLength(2));
    expect(await broker.listParked('orders', 10)).toMatchObject([
      { messageId: envelope.id, redrivenAt: expect.stringMatching(/Z$/) },
    ]);
    release();
    await eventually(async () => expect(await broker.listParked('orders', 10)).toEqual([]));
  },

  'parks a message at once when the handler throws NonRetryableError': async ({ open }) => {
    const broker = await open();
    const orders = recorder(() => {
      throw new NonRetryableError('unknown currency');
    });
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    await broker.publish([anEnvelope()]);
    await eventually(async () =>
      expect(await broker.listParked('orders', 10)).toMatchObject([{ attempts: 1, reason: 'not retryable: unknown currency' }]),
    );
    expect(orders.deliveries.length).toBe(1);
  },

  'keeps a message of a newer version beyond the last retry, without counting': async ({ open }) => {
    const broker = await open();
    const deliveriesBefore = testRetryDelaysMs.length + 2;
    const orders = recorder(({ envelope }, count) => {
      if (count <= deliveriesBefore) throw new NewerVersionError('version 2', envelope);
    });
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    const envelope = anEnvelope({ type: 'b.happened' });
    await broker.publish([envelope]);
    await eventually(() => expect(orders.deliveries).toHaveLength(deliveriesBefore + 1));
    expect(new Set(orders.deliveries.map(({ attempts }) => attempts))).toEqual(new Set([0]));
    expect(await broker.listParked('orders', 10)).toEqual([]);
  },

  'parks a message of a newer version that no process has known for a day': async ({ open }) => {
    const broker = await open();
    const orders = recorder(({ envelope }) => {
      throw new NewerVersionError('version 2', envelope);
    });
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    await broker.publish([anEnvelope({ type: 'b.happened', occurredAt: '2026-01-01T00:00:00.000000Z' })]);
    await eventually(async () =>
      expect(await broker.listParked('orders', 10)).toMatchObject([{ reason: 'no process knows its version: version 2' }]),
    );
    expect(orders.deliveries).toHaveLength(1);
  },

  'parks an invalid body without calling the handler, and delivers the next message': async ({ open, putRaw }) => {
    const broker = await open();
    await putRaw('orders', '{"not json');
    await putRaw('orders', '{"id":"evt_1"}');
    const orders = recorder();
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    const envelope = anEnvelope();
    await broker.publish([envelope]);
    const parked = await eventually(async () => {
      const messages = await broker.listParked('orders', 10);
      expect(messages.length).toBe(2);
      return messages;
    });
    expect(parked.map(({ body }) => body)).toEqual(expect.arrayContaining(['{"not json', { id: 'evt_1' }]));
    expect(parked.map(({ reason }) => reason.split(':')[0])).toEqual(['not retryable', 'not retryable']);
    await eventually(() => expect(orders.ids()).toEqual([envelope.id]));
  },

  'redrives only the named messages': async ({ open }) => {
    const broker = await open();
    const mended = new Set<string>();
    const orders = recorder(({ envelope }) => {
      if (!mended.has(envelope.id)) throw new NonRetryableError('bad');
    });
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    const [first, second, third] = [anEnvelope(), anEnvelope(), anEnvelope()];
    await broker.publish([first, second, third]);
    await eventually(async () => expect((await broker.listParked('orders', 10)).length).toBe(3));
    mended.add(second.id);
    expect(await broker.redriveParked('orders', [second.id, 'evt_nobody'])).toBe(1);
    await eventually(() => expect(orders.deliveries.length).toBe(4));
    const left = await eventually(async () => {
      const messages = await broker.listParked('orders', 10);
      expect(messages.length).toBe(2);
      return messages;
    });
    expect(left.map(({ messageId }) => messageId).sort()).toEqual(idsOf([first, third]));
    expect((await broker.listParked('orders', 1)).length).toBe(1);
  },

  'ends a redrive when the messages are parked again at once': async ({ open }) => {
    const broker = await open();
    const orders = recorder(() => {
      throw new NonRetryableError('still bad');
    });
    await broker.consume('orders', { prefetch: 10 }, orders.handler);
    await broker.publish(envelopes(3));
    await eventually(async () => expect((await broker.listParked('orders', 10)).length).toBe(3));
    expect(await broker.redriveParked('orders')).toBe(3);
    await eventually(async () => {
      expect(orders.deliveries.length).toBe(6);
      expect((await broker.listParked('orders', 10)).length).toBe(3);
    });
  },

  'delivers other queues and other messages while one message fails': async ({ open }) => {
    const broker = await open();
    const sent = envelopes(50);
    const [bad] = sent;
    const payments = recorder();
    const orders = recorder(({ envelope }) => (envelope.id === bad?.id ? fail() : undefined));
    await broker.consume('orders', { prefetch: 1 }, orders.handler);
    await broker.consume('payments', { prefetch: 1 }, payments.handler);
    await broker.publish(sent);
    await eventually(() => expect(payments.ids()).toEqual(idsOf(sent)));
    await eventually(() => expect(new Set(orders.ids())).toEqual(new Set(idsOf(sent))));
    await eventually(async () =>
      expect((await broker.listParked('orders', 10)).map(({ messageId }) => messageId)).toEqual([bad?.id]),
    );
    expect(await broker.listParked('payments', 10)).toEqual([]);
  },
};
