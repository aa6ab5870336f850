import type { Envelope } from '@holdfast/contracts/messages';
import { NewerVersionError, NonRetryableError } from './broker.js';
import { envelopeBytesMax, parseEnvelope, readBatch, readEnvelope, serializeEnvelope } from './envelope.js';

const envelope: Envelope = {
  id: 'evt_1',
  type: 'order.created',
  version: 1,
  occurredAt: '2026-01-31T12:00:00.123456Z',
  aggregateType: 'Order',
  aggregateId: 'ord_1',
  aggregateVersion: 1,
  marketplaceId: 'mkt_default',
  correlationId: 'req-1',
  payload: { amount: '1.00', note: '\u0000 ü' },
};

const full: Envelope = {
  ...envelope,
  aggregatePart: 'USD',
  causationId: 'evt_0',
  afterEventId: 'evt_9',
  saga: 'create-escrow',
  sagaRunId: 'run_1',
};

function failureOf(value: unknown): unknown {
  try {
    return parseEnvelope(value);
  } catch (error) {
    return error;
  }
}

describe('an envelope', () => {
  it('is unchanged after serializing and parsing', () => {
    expect(readEnvelope(serializeEnvelope(envelope))).toEqual(envelope);
    expect(readEnvelope(Buffer.from(serializeEnvelope(full)))).toEqual(full);
  });

  it.each([
    ['invalid JSON', Buffer.from('{"id":')],
    ['invalid UTF-8', Buffer.from([0xff, 0xfe])],
    ['an empty body', Buffer.alloc(0)],
    ['an array', Buffer.from('[]')],
    ['null', Buffer.from('null')],
    ['more than the maximum size', Buffer.alloc(envelopeBytesMax + 1, 0x20)],
  ])('is not retryable when the body is %s', (_, bytes) => {
    expect(() => readEnvelope(bytes)).toThrow(NonRetryableError);
  });

  it.each([
    ['id', 'ord_1'],
    ['id', 'evt_1\n'],
    ['id', `evt_${'x'.repeat(65)}`],
    ['type', undefined],
    ['type', ''],
    ['type', 'x'.repeat(201)],
    ['version', 0],
    ['version', '1'],
    ['occurredAt', 'yesterday'],
    ['aggregateType', 'order'],
    ['aggregateType', 'constructor'],
    ['aggregateId', null],
    ['aggregateVersion', -1],
    ['aggregateVersion', 1.5],
    ['aggregateVersion', 2 ** 53],
    ['aggregatePart', ''],
    ['marketplaceId', 'ord_1'],
    ['correlationId', 7],
    ['causationId', null],
    ['afterEventId', 'ord_1'],
    ['saga', 'Create Escrow'],
    ['sagaRunId', 'evt_1'],
  ])('is not retryable with the %s %j, and the reason names the field', (field, value) => {
    const failure = failureOf(JSON.parse(JSON.stringify({ ...full, [field]: value })));
    expect(failure).toBeInstanceOf(NonRetryableError);
    expect(String(failure)).toContain(field);
  });

  it('is of a newer version when it has an unknown field and no other fault', () => {
    const failure = failureOf({ ...envelope, later: 1 });
    expect(failure).toBeInstanceOf(NewerVersionError);
    expect(failure).toMatchObject({ occurredAt: envelope.occurredAt });
    expect(failureOf({ ...envelope, later: 1, id: 'ord_1' })).toBeInstanceOf(NonRetryableError);
  });

  it('is refused by serializeEnvelope when it is too large', () => {
    expect(() => serializeEnvelope({ ...envelope, payload: 'x'.repeat(envelopeBytesMax) })).toThrow('the limit is');
  });
});

describe('a batch', () => {
  it('is split into its members without parsing them', () => {
    expect(readBatch(Buffer.from('[{"id":1},null]'))).toEqual([{ id: 1 }, null]);
  });

  it.each([
    ['an object', Buffer.from('{}')],
    ['invalid JSON', Buffer.from('[')],
    ['more than the maximum size', Buffer.alloc(2 * envelopeBytesMax + 1, 0x20)],
  ])('is not retryable when the body is %s', (_, bytes) => {
    expect(() => readBatch(bytes)).toThrow(NonRetryableError);
  });
});
