import { rmSync } from 'node:fs';
import { z } from 'zod';
import { eventually } from '@holdfast/testing/eventually';
import { openTraceReceiver, type ReceivedSpan, type TraceReceiver } from '@holdfast/testing/traces';
import { anOrder, bringTo } from './faults/order-life.js';
import { apiOf } from './testing/api.js';
import { newDataDir, startAllInOne, type RunningInstallation } from './testing/installation.js';
import { killLeftPrograms } from './testing/program.js';

jest.setTimeout(240_000);

const outsideTrace = '0af7651916cd43dd8448eb211c80319c';

let receiver: TraceReceiver;
let dataDir: string;
let installation: RunningInstallation;

beforeAll(async () => {
  receiver = await openTraceReceiver();
  dataDir = newDataDir();
  installation = await startAllInOne(dataDir, { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
});
afterAll(async () => {
  await killLeftPrograms();
  await receiver.close();
  await eventually(() => rmSync(dataDir, { recursive: true, force: true }));
});

/** Funds an order as a client that traces its own requests would. */
async function fundOrder(): Promise<void> {
  const { baseUrl, masterKey } = installation;
  const api = apiOf(baseUrl, masterKey);
  const order = await anOrder(api);
  await bringTo(api, order, 'fund');
  const response = await fetch(`${baseUrl}/orders/${order.id}/escrow/fund`, {
    method: 'POST',
    headers: { authorization: `Bearer ${masterKey}`, traceparent: `00-${outsideTrace}-b7ad6b7169203331-01` },
  });
  expect(response.status).toBe(201);
}

function spansOfFunding(): readonly ReceivedSpan[] {
  const root = receiver
    .spans()
    .find(({ name, kind, links }) => kind === serverKind && links.length > 0 && name.includes('/fund'));
  return receiver.spans().filter(({ traceId }) => traceId === root?.traceId);
}

const serverKind = 2;

/** A span as `name (service or called system)`. */
function labelOf({ name, attributes }: ReceivedSpan): string {
  const part = attributes['holdfast.service'] ?? attributes['peer.service'];
  return typeof part === 'string' ? `${name} (${part})` : name;
}

const expected = [
  'POST /orders/{id}/escrow/fund (gateway)',
  'POST orders (orders)',
  'POST /orders/{id}/escrow/fund (orders)',
  'process order.fund_requested (ledger-balance)',
  'process balance.reserved_deducted (escrow-adapter)',
  'run intent fund',
  'submit ledger-rpc (ledger-rpc)',
  'process escrow.funded (orders)',
  'process escrow.funded (notifications)',
];

function rootsOf(spans: readonly ReceivedSpan[]): readonly ReceivedSpan[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans.filter(({ parentSpanId = '' }) => !ids.has(parentSpanId));
}

const logLine = z.object({ service: z.string(), msg: z.string(), trace_id: z.string() });

function logLinesOf(traceId: string): readonly string[] {
  return installation
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => logLine.safeParse(JSON.parse(line)))
    .flatMap(({ data }) => (data?.trace_id === traceId ? [`${data.service}: ${data.msg}`] : []));
}

describe('the trace of a funded order', () => {
  beforeAll(async () => {
    await fundOrder();
    await eventually(() => expect(spansOfFunding().map(labelOf)).toEqual(expect.arrayContaining(expected)), {
      timeoutMs: 60_000,
    });
  });

  it('reaches from the gateway to the provider call and the last consumer', async () => {
    const called = (): readonly unknown[] => spansOfFunding().map(({ attributes }) => attributes['peer.service']);
    await eventually(() => expect(called()).toContain('escrow-provider'));
  });

  it('is one tree with the gateway as its root, linked to the trace of the client', async () => {
    // A parent may be exported after its children.
    await eventually(() => expect(rootsOf(spansOfFunding()).map(labelOf)).toEqual(['POST /orders/{id}/escrow/fund (gateway)']));
    expect(rootsOf(spansOfFunding())[0]?.links).toMatchObject([{ traceId: outsideTrace }]);
    expect(receiver.spans().filter(({ traceId }) => traceId === outsideTrace)).toEqual([]);
  });

  it('is named by the log lines of the services', async () => {
    const traceId = spansOfFunding()[0]?.traceId ?? '';
    const facts = ['gateway: request completed', 'escrow-adapter: intent closed'];
    await eventually(() => expect(logLinesOf(traceId)).toEqual(expect.arrayContaining(facts)));
  });
});

describe('a process that stops', () => {
  it('exports its last spans', async () => {
    const { baseUrl } = installation;
    const requestId = crypto.randomUUID();
    expect((await fetch(`${baseUrl}/config`, { headers: { 'x-request-id': requestId } })).status).toBe(200);
    installation.signal('SIGTERM');
    expect(await installation.ended).toBe(0);
    expect(receiver.spans().map(({ attributes }) => attributes['holdfast.request_id'])).toContain(requestId);
  });
});
