import { idFactory } from '@holdfast/kernel/ids';
import { envelopeSchema, type Envelope } from '@holdfast/contracts/messages';
import { activeTraceparent, inCausedSpan, startTracing, type Tracing } from '@holdfast/observability';
import { manualClock } from '@holdfast/testing/clock';
import { silentLog } from '@holdfast/testing/log';
import { openTraceReceiver, type TraceReceiver } from '@holdfast/testing/traces';
import { toEnvelope } from '../broker/index.js';
import { deliverTo } from '../inbox/index.js';
import { aNotice, noticePosted } from './testing/notices.js';

const clock = manualClock();
const id = idFactory(clock.epochMs)('evt');
const sender = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

let receiver: TraceReceiver;
let tracing: Tracing;

beforeAll(async () => {
  receiver = await openTraceReceiver();
});
afterAll(() => receiver.close());

function aMessage(): Envelope {
  return toEnvelope({ clock, newId: idFactory(clock.epochMs) }, noticePosted, { ...aNotice('one'), id });
}

/** The active span while the message is handled. */
async function handledIn(envelope: Envelope): Promise<string | undefined> {
  let active: string | undefined;
  const run = async (): Promise<void> => void (active = activeTraceparent());
  await deliverTo([{ declaration: noticePosted, run }], { service: 'orders', clock, log: silentLog })({ envelope, attempts: 0 });
  return active;
}

describe('while tracing is off', () => {
  it('a message has no traceparent', () => {
    expect(aMessage()).not.toHaveProperty('traceparent');
  });

  it('a message that has one is still handled', async () => {
    expect(await handledIn({ ...aMessage(), traceparent: sender })).toBeUndefined();
  });
});

describe('while tracing is on', () => {
  beforeEach(async () => {
    tracing = await startTracing({ service: 'orders', endpoint: receiver.url, sampleRatio: 1, log: silentLog });
  });
  afterEach(() => tracing.stop());

  const publish = (): Promise<Envelope> =>
    inCausedSpan({ kind: 'internal', name: 'test', attributes: {}, traceparent: sender }, async () => aMessage());

  it('a message carries the span that published it, through its stored form', async () => {
    const { traceparent } = envelopeSchema.parse(JSON.parse(JSON.stringify(await publish())));
    expect(traceparent).toMatch(new RegExp(`^${sender.slice(0, 36)}[0-9a-f]{16}-01$`));
    expect(traceparent).not.toBe(sender);
  });

  it('a message that is published again in another span is the same message', async () => {
    const [first, again] = [await publish(), await publish()];
    expect(first.traceparent).not.toBe(again.traceparent);
    expect({ ...first, traceparent: '' }).toEqual({ ...again, traceparent: '' });
  });

  it('a message is handled in the trace that it carries, and outside of traces has no traceparent', async () => {
    expect(await handledIn(await publish())).toContain(sender.slice(3, 35));
    expect(aMessage()).not.toHaveProperty('traceparent');
  });

  it('a traceparent that is not valid is ignored', async () => {
    const handled = await handledIn(envelopeSchema.parse({ ...aMessage(), traceparent: 'nonsense' }));
    expect(handled).toMatch(/^00-[0-9a-f]{32}-/);
  });
});
