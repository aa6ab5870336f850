import { z } from 'zod';
import { orderTimeline, summary, type SummaryView } from '@holdfast/contracts/http';
import { orderStatuses } from '@holdfast/contracts/messages';
import { formatUnits, parseUnits } from '@holdfast/kernel/money';
import { eventually } from '@holdfast/testing/eventually';
import { anOrder, bringTo, call } from '../faults/order-life.js';
import { sandboxControl } from '../faults/sandbox-control.js';
import type { WholePlatform } from './platform.js';

/** What a console shows, on a platform on which orders have gone every way. */
export function describeReads(platform: () => WholePlatform): void {
  describeSummary(platform);
  describeTimeline(platform);
}

function describeSummary(platform: () => WholePlatform): void {
  describe('GET /summary', () => {
    it('says what a scan of all orders, disputes and balances says, at most two seconds later', async () => {
      const { api } = platform();
      const order = await anOrder(api);
      await bringTo(api, order, 'release');
      await eventually(async () => expect(withoutZeros(await countedBy(platform()))).toMatchObject(await scannedBy(platform())), {
        timeoutMs: 10_000,
      });
      const { orders, escrow, asOf, to } = await countedBy(platform());
      expect(orders.IN_PROGRESS).toBeGreaterThan(0);
      expect(escrow).not.toEqual([]);
      expect(asOf < to).toBe(true);
    });

    it('shows nothing to another marketplace', async () => {
      const { api } = platform();
      const { data: created } = await api.post('/marketplaces', { name: 'A quiet one' });
      const { orders, volume, escrow, available } = await countedBy(platform(), String(created['id']));
      expect([Object.values(orders).filter((count) => count > 0), volume, escrow, available]).toEqual([[], [], [], []]);
    });
  });
}

function describeTimeline(platform: () => WholePlatform): void {
  describe('GET /orders/{id}/timeline', () => {
    it('draws a refund that has failed on the network, and the one that has succeeded', async () => {
      const { api, sandboxUrl } = platform();
      const sandbox = sandboxControl(sandboxUrl);
      const order = await anOrder(api);
      await bringTo(api, order, 'refund');
      await sandbox.arm({ target: 'escrow-provider', operation: 'resolve', kind: 'wrong-function' });
      expect(await call(api, order, 'refund')).toMatchObject({ status: 500 });
      await sandbox.clear();
      expect(await call(api, order, 'refund')).toMatchObject({ status: 200 });
      await eventually(async () => {
        const { entries, runs, unavailable } = orderTimeline.parse((await api.get(`/orders/${order.id}/timeline`)).data);
        expect(unavailable).toEqual([]);
        expect(runs.map(({ saga, state }) => [saga, state])).toEqual([
          ['reserve', 'SUCCEEDED'],
          ['create-escrow', 'SUCCEEDED'],
          ['fund', 'SUCCEEDED'],
          ['refund', 'FAILED'],
          ['refund', 'SUCCEEDED'],
        ]);
        const failed = runs[3]?.steps.filter(({ state }) => state !== 'skipped').map(({ step, state }) => [step, state]);
        expect(failed).toEqual([
          ['start', 'compensated'],
          ['settle', 'failed'],
          ['revert', 'done'],
        ]);
        const kinds = new Set(entries.map(({ kind }) => kind));
        expect([...kinds].sort()).toEqual(['audit', 'event', 'network_transaction', 'saga_step']);
        expect(entries.filter((entry) => entry.kind === 'event').map(({ eventType }) => eventType)).toEqual(
          expect.arrayContaining(['order.created', 'escrow.funded', 'order.refunded', 'order.closed']),
        );
        const landed = entries.filter((entry) => entry.kind === 'network_transaction' && entry.state === 'LANDED');
        expect(landed.length).toBeGreaterThanOrEqual(4);
        expect(JSON.stringify(entries)).not.toContain('payload');
      });
    });
  });
}

async function countedBy({ baseUrl, masterKey }: WholePlatform, marketplaceId?: string): Promise<SummaryView> {
  const of = marketplaceId === undefined ? {} : { 'x-marketplace-id': marketplaceId };
  const response = await fetch(`${baseUrl}/summary`, { headers: { authorization: `Bearer ${masterKey}`, ...of } });
  const { data } = z.object({ data: summary }).parse(await response.json());
  return data;
}

const page = z.object({ data: z.array(z.unknown()), nextCursor: z.string().nullable() });

async function allOf<Shape extends z.ZodType>(
  { baseUrl, masterKey }: WholePlatform,
  path: string,
  shape: Shape,
): Promise<z.output<Shape>[]> {
  const records: z.output<Shape>[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = cursor === '' ? '?limit=100' : `?limit=100&cursor=${cursor}`;
    const response = await fetch(`${baseUrl}${path}${query}`, { headers: { authorization: `Bearer ${masterKey}` } });
    const { data } = z.object({ data: page }).parse(await response.json());
    records.push(...data.data.map((each) => shape.parse(each)));
    cursor = data.nextCursor;
  }
  return records;
}

const amount = z.string();
const orderShape = z.object({
  status: z.enum(orderStatuses),
  amount,
  currency: z.string(),
  createdAt: z.string(),
  amounts: z.object({ inEscrow: amount, disputed: amount }),
});
const balanceShape = z.object({ currency: z.string(), available: amount, reserved: amount });

/** The numbers of a summary, computed from the lists of the default marketplace. */
async function scannedBy(platform: WholePlatform): Promise<object> {
  const orders = await allOf(platform, '/orders', orderShape);
  const disputes = await allOf(platform, '/disputes', z.object({ status: z.string() }));
  const users = await allOf(platform, '/users', z.object({ id: z.string() }));
  const balances = await Promise.all(users.map(({ id }) => allOf(platform, `/users/${id}/balances`, balanceShape)));
  const days = [...new Set(orders.map(({ createdAt, currency }) => `${createdAt.slice(0, 10)} ${currency}`))].sort();
  return {
    orders: Object.fromEntries(orderStatuses.map((status) => [status, orders.filter((each) => each.status === status).length])),
    volume: days.map((day) => {
      const [date = '', currency = ''] = day.split(' ');
      const created = orders.filter((order) => order.createdAt.startsWith(date) && order.currency === currency);
      const [sum] = sumsBy(created.map((order) => [currency, order.amount]));
      return { date, currency, orders: created.length, amount: sum?.amount };
    }),
    escrow: sumsBy(
      orders.flatMap(({ currency, amounts }) => [
        [currency, amounts.inEscrow],
        [currency, amounts.disputed],
      ]),
    ),
    available: sumsBy(balances.flat().map(({ currency, available }) => [currency, available])),
    reserved: sumsBy(balances.flat().map(({ currency, reserved }) => [currency, reserved])),
    disputes: { open: disputes.filter(({ status }) => status !== 'RESOLVED').length },
  };
}

function sumsBy(parts: readonly (readonly [string, string])[]) {
  const sums = new Map<string, bigint>();
  for (const [currency, units] of parts) sums.set(currency, (sums.get(currency) ?? 0n) + parseUnits(units));
  return [...sums]
    .filter(([, units]) => units !== 0n)
    .sort()
    .map(([currency, units]) => ({ currency, amount: formatUnits(units) }));
}

/** A currency that is no longer used stays in a summary. */
function withoutZeros({ escrow, available, reserved, ...others }: SummaryView): SummaryView {
  const [inEscrow, free, held] = [escrow, available, reserved].map((amounts) => amounts.filter((each) => each.amount !== '0.00'));
  return { ...others, escrow: inEscrow ?? [], available: free ?? [], reserved: held ?? [] };
}
