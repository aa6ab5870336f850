import fc from 'fast-check';
import { z } from 'zod';
import { aggregateTypes, type Envelope } from '../contracts/messages/index.js';
import { id } from '../contracts/shapes/index.js';
import { PoisonMessage } from './broker.js';
import { checkEnvelope, envelopeBytesMax, parseEnvelope, readableBody, serializeEnvelope } from './envelope.js';

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
  saga: 'release',
  sagaRunId: 'run_1',
};

const name = z.string().min(1).max(200);

/** The same, as zod would check it. */
const shape = z.object({
  id: id('evt'),
  type: name,
  version: z.int().min(1),
  occurredAt: z.string().regex(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  aggregateType: z.enum(aggregateTypes),
  aggregateId: name,
  aggregateVersion: z.int().min(0),
  aggregatePart: name.exactOptional(),
  marketplaceId: id('mkt'),
  correlationId: name,
  causationId: id('evt').exactOptional(),
  afterEventId: id('evt').exactOptional(),
  saga: name.exactOptional(),
  sagaRunId: id('run').exactOptional(),
  payload: z.unknown(),
});

function parse(value: unknown): Envelope {
  return parseEnvelope(Buffer.from(JSON.stringify(value)));
}

describe('an envelope', () => {
  it('arrives as it was sent', () => {
    expect(parseEnvelope(serializeEnvelope(envelope))).toEqual(envelope);
    expect(parseEnvelope(serializeEnvelope(full))).toEqual(full);
  });

  it('may carry fields of a later version', () => {
    expect(parse({ ...envelope, later: 1 })).toEqual(envelope);
  });

  it.each([
    ['no JSON', Buffer.from('{"id":')],
    ['bytes that are no text', Buffer.from([0xff, 0xfe])],
    ['nothing', Buffer.alloc(0)],
    ['an array', Buffer.from('[]')],
    ['null', Buffer.from('null')],
    ['an envelope without a type', Buffer.from(JSON.stringify({ ...envelope, type: undefined }))],
    ['an envelope with an id of another kind', Buffer.from(JSON.stringify({ ...envelope, id: 'ord_1' }))],
    ['an envelope after something that is no event', Buffer.from(JSON.stringify({ ...envelope, afterEventId: 'ord_1' }))],
    ['an envelope with an unreadable time', Buffer.from(JSON.stringify({ ...envelope, occurredAt: 'yesterday' }))],
    ['something huge', Buffer.alloc(envelopeBytesMax + 1, 0x20)],
  ])('is not %s', (_, bytes) => {
    expect(() => parseEnvelope(bytes)).toThrow(PoisonMessage);
  });

  it('is what its shape says, whatever is in its fields', () => {
    const ids = ['evt_1', 'mkt_1', 'run_1', 'evt_', 'evt_ä', `evt_${'x'.repeat(65)}`, ' evt_1', 'evt_1\n'];
    const names = [
      '',
      'x',
      'x'.repeat(200),
      'x'.repeat(201),
      '2026-01-31T12:00:00Z',
      '2026-01-31',
      'Order',
      'order',
      'constructor',
    ];
    const numbers = [0, 1, -1, 1.5, 2 ** 53 - 1, 2 ** 53, '1'];
    const value = fc.oneof(fc.constantFrom(...ids, ...names, ...numbers, null, true, undefined), fc.json().map(readableBody));
    const field = fc.constantFrom(...Object.keys(full).filter((key) => key !== 'payload'), 'later');
    fc.assert(
      fc.property(fc.constantFrom(envelope, full), field, value, (right, key, given) => {
        const altered: unknown = JSON.parse(JSON.stringify({ ...right, [key]: given }));
        const expected = shape.safeParse(altered);
        if (expected.success) expect(checkEnvelope(altered)).toEqual(expected.data);
        else expect(() => checkEnvelope(altered)).toThrow(PoisonMessage);
      }),
      { numRuns: 1_000 },
    );
  });

  it('names the field for whose sake it is refused', () => {
    expect(() => parse({ ...envelope, marketplaceId: 'ord_1' })).toThrow('is not an envelope: marketplaceId');
  });

  it('is not sent when it is too large', () => {
    expect(() => serializeEnvelope({ ...envelope, payload: 'x'.repeat(envelopeBytesMax) })).toThrow('the limit is');
  });
});
