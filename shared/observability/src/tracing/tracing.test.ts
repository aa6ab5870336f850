import { Writable } from 'node:stream';
import { AppError } from '@holdfast/kernel/errors';
import { eventually } from '@holdfast/testing/eventually';
import { collectingLog, type CollectingLog } from '@holdfast/testing/log';
import { openTraceReceiver, type ReceivedSpan, type TraceReceiver } from '@holdfast/testing/traces';
import {
  activeTraceparent,
  createLog,
  inCausedSpan,
  inClientSpan,
  inPresentSpan,
  outsideTraces,
  startRequestSpan,
  startTracing,
  traceFields,
  traceHeaders,
  type Tracing,
} from '../index.js';

const sender = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const work = { kind: 'consumer', name: 'process notice.posted', attributes: {} } as const;
const call = { name: 'POST escrow-provider', attributes: {} };

let receiver: TraceReceiver;
let tracing: Tracing | undefined;
let log: CollectingLog;

beforeEach(async () => {
  receiver = await openTraceReceiver();
  log = collectingLog();
});
afterEach(async () => {
  await tracing?.stop();
  tracing = undefined;
  await receiver.close();
});

async function trace(sampleRatio = 1): Promise<void> {
  tracing = await startTracing({ service: 'orders', endpoint: receiver.url, sampleRatio, log });
}

/** Ends tracing, which flushes, and returns the spans that have arrived. */
async function exported(): Promise<readonly ReceivedSpan[]> {
  await tracing?.stop();
  return receiver.spans();
}

async function traceparentIn(traceparent: string | undefined): Promise<string | undefined> {
  return inCausedSpan({ ...work, traceparent }, async () => activeTraceparent());
}

describe('without a receiver', () => {
  it('there are no spans, no headers and no fields', async () => {
    tracing = await startTracing({ service: 'orders', endpoint: undefined, sampleRatio: 1, log });
    expect(await traceparentIn(sender)).toBeUndefined();
    expect(await inCausedSpan({ ...work, traceparent: sender }, async () => [traceHeaders(), traceFields()])).toEqual([{}, {}]);
    expect(await inClientSpan(call, async () => 'done')).toBe('done');
  });
});

describe('caused work', () => {
  it('is in the trace of the traceparent that caused it, and its calls are below it', async () => {
    await trace();
    await inCausedSpan({ ...work, traceparent: sender }, () => inClientSpan(call, async () => undefined));
    const [client, consumer] = await exported();
    expect(consumer).toMatchObject({ name: work.name, traceId: sender.slice(3, 35), parentSpanId: sender.slice(36, 52) });
    expect(client).toMatchObject({ name: call.name, traceId: consumer?.traceId, parentSpanId: consumer?.spanId });
    expect(consumer?.resource).toMatchObject({ 'service.name': 'orders', 'service.namespace': 'holdfast' });
  });

  it.each([undefined, '', 'nonsense', `${sender}0`, '00-00000000000000000000000000000000-b7ad6b7169203331-01'])(
    'begins a new trace with the traceparent %s',
    async (traceparent) => {
      await trace();
      expect(await traceparentIn(traceparent)).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
      expect(await exported()).toEqual([expect.not.objectContaining({ parentSpanId: expect.anything() })]);
    },
  );

  it('is marked with the kind of its error, without the message', async () => {
    await trace();
    const failing = inCausedSpan({ ...work, traceparent: sender }, () =>
      Promise.reject(new AppError('ORDER_NOT_FOUND', {}, { message: 'order of jo@example.com' })),
    );
    await expect(failing).rejects.toThrow('jo@example.com');
    const [span] = await exported();
    expect(span).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'ORDER_NOT_FOUND' } });
    expect(JSON.stringify(span)).not.toContain('jo@example.com');
  });
});

describe('a call outside of a trace', () => {
  it('has no span', async () => {
    await trace();
    await inClientSpan(call, async () => undefined);
    expect(await exported()).toEqual([]);
  });
});

describe('a batch', () => {
  it('runs outside of the spans of its callers, except for what was bound to one', async () => {
    await trace();
    await inCausedSpan({ ...work, traceparent: sender }, async () => {
      const bound = inPresentSpan(activeTraceparent);
      expect(outsideTraces(() => [activeTraceparent(), bound()])).toEqual([undefined, activeTraceparent()]);
    });
  });
});

describe('a request', () => {
  const facts = { route: '/orders/{id}', status: 201, attributes: {} };

  it('from outside begins a trace that links to the trace of its sender', async () => {
    await trace();
    startRequestSpan({ method: 'POST', traceparent: sender, isFromPlatform: false })?.end(facts);
    const [span] = await exported();
    expect(span).toMatchObject({ name: 'POST /orders/{id}', links: [{ traceId: sender.slice(3, 35) }] });
    expect([span?.parentSpanId, span?.traceId === sender.slice(3, 35)]).toEqual([undefined, false]);
  });

  it('from the platform continues its trace, and has no span outside of one', async () => {
    await trace();
    startRequestSpan({ method: 'POST', traceparent: sender, isFromPlatform: true })?.end(facts);
    expect(startRequestSpan({ method: 'GET', traceparent: undefined, isFromPlatform: true })).toBeUndefined();
    expect(await exported()).toEqual([expect.objectContaining({ parentSpanId: sender.slice(36, 52) })]);
  });
});

describe('sampling', () => {
  it('is decided where the trace begins, and follows the traceparent', async () => {
    await trace(0);
    expect(await traceparentIn(undefined)).toMatch(/-00$/);
    expect(await traceparentIn(sender)).toMatch(/-01$/);
    expect(await exported()).toHaveLength(1);
  });
});

describe('a log line inside a span', () => {
  it('has the ids of the span', async () => {
    await trace();
    const lines: string[] = [];
    const destination = new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) });
    const own = createLog({ service: 'orders', level: 'info', pretty: false, destination });
    await inCausedSpan({ ...work, traceparent: sender }, async () => own.child({ requestId: 'r1' }).info({ n: 1 }, 'inside'));
    own.info({}, 'outside');
    const [span] = await exported();
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ trace_id: span?.traceId, span_id: span?.spanId, n: 1, requestId: 'r1' });
    expect(lines[1]).not.toContain('trace_id');
  });
});

describe('a receiver that refuses', () => {
  it('fails no work; the first failure is logged, and what was lost when it is back', async () => {
    await trace();
    receiver.refuse(true);
    await traceparentIn(undefined);
    await eventually(() => expect(log.lines).toHaveLength(1));
    receiver.refuse(false);
    await traceparentIn(undefined);
    expect(await exported()).toHaveLength(1);
    expect(log.lines.map(({ level, fact }) => [level, fact])).toEqual([
      ['warn', 'traces cannot be exported; their spans are dropped'],
      ['info', 'traces are exported again'],
    ]);
    expect(log.lines[1]?.fields).toEqual({ droppedSpans: 1 });
  });

  it('that is gone delays the stop by a bounded time', async () => {
    await trace();
    await receiver.close();
    await traceparentIn(undefined);
    await tracing?.stop();
    expect(log.lines.map(({ level }) => level)).toEqual(['warn']);
  });
});
