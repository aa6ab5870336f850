import { z } from 'zod';
import { eventually } from '@holdfast/testing/eventually';
import type { ReceivedSpan, TraceReceiver } from '@holdfast/testing/traces';
import { anOrder, bringTo } from '../faults/order-life.js';
import { apiOf } from '../testing/api.js';
import type { RunningInstallation } from '../testing/installation.js';

const outsideTrace = '0af7651916cd43dd8448eb211c80319c';
const serverKind = 2;

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

/** The spans of an installation that exports to the receiver. Its other requests have traces of their own. */
export function describeTraces(installation: () => RunningInstallation, receiver: () => TraceReceiver): void {
  /** Funds an order as a client that traces its own requests would. */
  async function fundOrder(): Promise<void> {
    const { baseUrl, masterKey } = installation();
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
    const spans = receiver().spans();
    const root = spans.find(({ name, kind, links }) => kind === serverKind && links.length > 0 && name.includes('/fund'));
    return spans.filter(({ traceId }) => traceId === root?.traceId);
  }

  describe('the trace of a funded order', () => {
    beforeAll(async () => {
      await fundOrder();
      await eventually(() => expect(spansOfFunding().map(labelOf)).toEqual(expect.arrayContaining(expected)));
    });

    it('reaches from the gateway to the provider call and the last consumer', async () => {
      const called = (): readonly unknown[] => spansOfFunding().map(({ attributes }) => attributes['peer.service']);
      await eventually(() => expect(called()).toContain('escrow-provider'));
    });

    it('is one tree with the gateway as its root, linked to the trace of the client', async () => {
      // A parent may be exported after its children.
      await eventually(() => expect(rootsOf(spansOfFunding()).map(labelOf)).toEqual(['POST /orders/{id}/escrow/fund (gateway)']));
      expect(rootsOf(spansOfFunding())[0]?.links).toMatchObject([{ traceId: outsideTrace }]);
      const ofOutside = receiver()
        .spans()
        .filter(({ traceId }) => traceId === outsideTrace);
      expect(ofOutside).toEqual([]);
    });

    it('is named by the log lines of the services', async () => {
      const traceId = spansOfFunding()[0]?.traceId ?? '';
      const facts = ['gateway: request completed', 'escrow-adapter: intent closed'];
      await eventually(() => expect(logLinesOf(installation(), traceId)).toEqual(expect.arrayContaining(facts)));
    });
  });
}

/** Makes a request whose span is the last one of the process. Its id finds the span. */
export async function lastRequest({ baseUrl }: RunningInstallation): Promise<string> {
  const requestId = crypto.randomUUID();
  expect((await fetch(`${baseUrl}/config`, { headers: { 'x-request-id': requestId } })).status).toBe(200);
  return requestId;
}

/** A span as `name (service or called system)`. */
function labelOf({ name, attributes }: ReceivedSpan): string {
  const service = attributes['holdfast.service'] ?? attributes['peer.service'];
  return typeof service === 'string' ? `${name} (${service})` : name;
}

function rootsOf(spans: readonly ReceivedSpan[]): readonly ReceivedSpan[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans.filter(({ parentSpanId = '' }) => !ids.has(parentSpanId));
}

const logLine = z.object({ service: z.string(), msg: z.string(), trace_id: z.string() });

function logLinesOf({ output }: RunningInstallation, traceId: string): readonly string[] {
  return output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => logLine.safeParse(JSON.parse(line)))
    .flatMap(({ data }) => (data?.trace_id === traceId ? [`${data.service}: ${data.msg}`] : []));
}
