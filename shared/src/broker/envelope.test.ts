import type { Envelope } from '../contracts/messages/index.js';
import { PoisonMessage } from './broker.js';
import { envelopeBytesMax, parseEnvelope, serializeEnvelope } from './envelope.js';

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

function parse(value: unknown): Envelope {
  return parseEnvelope(Buffer.from(JSON.stringify(value)));
}

describe('an envelope', () => {
  it('arrives as it was sent', () => {
    const full: Envelope = { ...envelope, aggregatePart: 'USD', causationId: 'evt_0', afterEventId: 'evt_9', sagaRunId: 'run_1' };
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

  it('is not sent when it is too large', () => {
    expect(() => serializeEnvelope({ ...envelope, payload: 'x'.repeat(envelopeBytesMax) })).toThrow('the limit is');
  });
});
