import { z } from 'zod';
import { formatUnits, parseUnits } from '@holdfast/kernel/money';
import { eventually } from '@holdfast/testing/eventually';
import type { Api, ApiResponse } from '../testing/api.js';

/** An order of 100.00 with its parties, as the tests follow it. */
export type Order = { readonly id: string; readonly buyerId: string; readonly sellerId: string };

/** Endings that pay one milestone after the other. */
const milestoneEndings = ['release-milestone', 'refund-milestone', 'full-release-milestone', 'split-milestone'] as const;
type MilestoneEnding = (typeof milestoneEndings)[number];

export type Ending = 'release' | 'refund' | 'full-release' | 'full-refund' | 'split' | 'cancel' | MilestoneEnding;

export type Milestone = { readonly ref: string; readonly title: string; readonly amount: string };

/** One call of an order's life. */
export type Step = 'reserve' | 'escrow' | 'fund' | Ending;

const credited = '100.00';
const amount = '100.00';

export async function aUser(api: Api, role: string): Promise<string> {
  const made = await api.post('/users', { externalUserId: `${role}-${crypto.randomUUID()}` });
  expect(made.status).toBe(201);
  return textOf(made.data, 'id');
}

function isByMilestone(ending: string): ending is MilestoneEnding {
  return milestoneEndings.some((each) => each === ending);
}

/** An order that can end in this way. One that is paid milestone by milestone has at least one. */
export function anOrderFor(api: Api, ending: Ending, milestones: readonly Milestone[] = []): Promise<Order> {
  if (!isByMilestone(ending)) return anOrder(api, milestones);
  const only = { ref: 'all', title: 'Everything', amount };
  return anOrder(api, milestones.length === 0 ? [only] : milestones, { releaseMode: 'milestone' });
}

/** How an order is paid out. */
export type PayoutTerms = { readonly releaseMode?: 'milestone'; readonly reviewPeriod?: string };

export async function anOrder(api: Api, milestones: readonly Milestone[] = [], terms: PayoutTerms = {}): Promise<Order> {
  const [buyerId, sellerId] = [await aUser(api, 'buyer'), await aUser(api, 'seller')];
  expect((await api.post(`/users/${buyerId}/balance/credit`, { amount: credited })).status).toBe(200);
  const created = await api.post('/orders', { buyerId, sellerId, amount, title: 'A vase', milestones, ...terms });
  expect(created.status).toBe(201);
  return { id: textOf(created.data, 'id'), buyerId, sellerId };
}

/** Steps that are one request: its path and body. */
const requests = {
  reserve: ['reserve'],
  escrow: ['escrow'],
  fund: ['escrow/fund'],
  refund: ['resolution/refund', { reason: 'It broke.' }],
  cancel: ['cancel', {}],
} as const;

const resolutions = {
  'full-release': { decision: 'FULL_RELEASE' },
  'full-refund': { decision: 'FULL_REFUND' },
  split: { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00' },
} as const;

/** Calls one step, whatever comes of it. */
export function call(api: Api, { id }: Order, step: Step): Promise<ApiResponse> {
  if (isByMilestone(step)) return payNextMilestone(api, id, step);
  if (step === 'release') return deliverAndRelease(api, id);
  if (step === 'full-release' || step === 'full-refund' || step === 'split') return resolveDispute(api, id, resolutions[step]);
  const [path, body] = requests[step];
  return api.post(`/orders/${id}/${path}`, body);
}

const milestoneSchema = z.object({ ref: z.string(), amount: z.string(), status: z.string(), disputeId: z.string().nullable() });
type MilestoneNow = z.infer<typeof milestoneSchema>;
const paid = new Set(['RELEASED', 'REFUNDED', 'SPLIT']);

/** Pays out the first milestone that is not paid yet. */
async function payNextMilestone(api: Api, orderId: string, ending: MilestoneEnding): Promise<ApiResponse> {
  const { data } = await api.get(`/orders/${orderId}`);
  const next = z
    .array(milestoneSchema)
    .parse(data['milestones'])
    .find(({ status }) => !paid.has(status));
  if (next === undefined) return api.get(`/orders/${orderId}`);
  const path = `/orders/${orderId}/milestones/${next.ref}`;
  if (ending === 'refund-milestone') return api.post(`${path}/refund`, { reason: 'It broke.' });
  if (ending !== 'release-milestone') return resolveMilestone(api, path, next, ending);
  if (next.status === 'OPEN') await api.post(`${path}/submit`, {});
  return api.post(`${path}/release`, {});
}

async function resolveMilestone(api: Api, path: string, next: MilestoneNow, ending: MilestoneEnding): Promise<ApiResponse> {
  if (next.status !== 'DISPUTED') await api.post(`${path}/dispute`, { openedBy: 'BUYER', reason: 'QUALITY_ISSUE' });
  const orderPath = path.split('/milestones/')[0] ?? '';
  const { data } = await api.get(orderPath);
  const { disputeId } =
    z
      .array(milestoneSchema)
      .parse(data['milestones'])
      .find(({ ref }) => ref === next.ref) ?? next;
  const dispute = `/disputes/${disputeId ?? ''}`;
  if (textOf((await api.get(dispute)).data, 'status') === 'OPEN') await api.post(`${dispute}/assign`, { assignedTo: 'agent-3' });
  if (ending === 'full-release-milestone') return api.post(`${dispute}/resolve`, { decision: 'FULL_RELEASE' });
  const units = parseUnits(next.amount);
  const toSeller = (units * 6n) / 10n;
  const amounts = { releaseAmount: formatUnits(toSeller), refundAmount: formatUnits(units - toSeller) };
  return api.post(`${dispute}/resolve`, { decision: 'SPLIT', ...amounts });
}

/** A release requires that every milestone is completed. */
async function deliverAndRelease(api: Api, orderId: string): Promise<ApiResponse> {
  const { milestones } = (await api.get(`/orders/${orderId}`)).data;
  for (const milestone of Array.isArray(milestones) ? (milestones as readonly unknown[]) : []) {
    if (textOf(milestone, 'status') === 'OPEN')
      await api.post(`/orders/${orderId}/milestones/${textOf(milestone, 'ref')}/complete`);
  }
  return api.post(`/orders/${orderId}/resolution/release`, {});
}

/** The calls that lead to where a step can be called. */
const before: Readonly<Record<Step, readonly Step[]>> = {
  reserve: [],
  cancel: ['reserve'],
  escrow: ['reserve'],
  fund: ['reserve', 'escrow'],
  release: ['reserve', 'escrow', 'fund'],
  refund: ['reserve', 'escrow', 'fund'],
  'full-release': ['reserve', 'escrow', 'fund'],
  'full-refund': ['reserve', 'escrow', 'fund'],
  split: ['reserve', 'escrow', 'fund'],
  'release-milestone': ['reserve', 'escrow', 'fund'],
  'refund-milestone': ['reserve', 'escrow', 'fund'],
  'full-release-milestone': ['reserve', 'escrow', 'fund'],
  'split-milestone': ['reserve', 'escrow', 'fund'],
};

/**
 * The calls of the matrix give up early. On a loaded machine also a step without a fault may take longer, or fail because of that. Such
 * a call is repeated, unless the order is where it leads to.
 */
export async function bringTo(api: Api, order: Order, step: Step): Promise<void> {
  for (const earlier of before[step]) {
    let isFirst = true;
    await eventually(
      async () => {
        if (!isFirst && (await isDone(api, order, earlier))) return;
        isFirst = false;
        const response = await call(api, order, earlier);
        expect([earlier, response.status, response.code]).toEqual([earlier, 201, undefined]);
      },
      { timeoutMs: bringTimeoutMs },
    );
  }
}

const bringTimeoutMs = 60_000;

const escrowSchema = z.object({ status: z.string() }).nullable();

async function isDone(api: Api, { id }: Order, step: Step): Promise<boolean> {
  const { data } = await api.get(`/orders/${id}`);
  if (step === 'escrow') return escrowSchema.parse(data['escrow'])?.status === 'CREATED';
  return data['status'] === (step === 'fund' ? 'IN_PROGRESS' : 'FUNDS_RESERVED');
}

/** Opens and assigns the dispute where that has not been done, and decides it. */
async function resolveDispute(api: Api, orderId: string, resolution: object): Promise<ApiResponse> {
  const { data } = await api.get(`/orders/${orderId}`);
  if (data['status'] === 'IN_PROGRESS') {
    const opened = { orderId, openedBy: 'BUYER', reason: 'QUALITY_ISSUE' };
    await api.post(`/orders/${orderId}/resolution/dispute`, opened);
  }
  const dispute = (await api.get(`/orders/${orderId}`)).data['dispute'];
  const disputeId = textOf(dispute, 'id');
  if (textOf(dispute, 'status') === 'OPEN') await api.post(`/disputes/${disputeId}/assign`, { assignedTo: 'agent-3' });
  return api.post(`/disputes/${disputeId}/resolve`, resolution);
}

export async function statusOf(api: Api, { id }: Order): Promise<string> {
  return textOf((await api.get(`/orders/${id}`)).data, 'status');
}

/** What each status still needs until the order ends in this way. */
function nextStep(status: string, hasEscrow: boolean, ending: Ending): Step | undefined {
  switch (status) {
    case 'ORDER_CREATED':
      return ending === 'cancel' ? 'cancel' : 'reserve';
    case 'FUNDS_RESERVED':
      if (ending === 'cancel') return 'cancel';
      return hasEscrow ? 'fund' : 'escrow';
    case 'ESCROW_FUNDING':
      return 'fund';
    case 'IN_PROGRESS':
    case 'DISPUTED':
      return ending;
    default:
      return undefined;
  }
}

/** Drives an order to its end as a patient marketplace would: it looks where the order is, and calls what comes next. */
export async function driveToEnd(api: Api, order: Order, ending: Ending, timeoutMs = 90_000): Promise<void> {
  const attempts: string[] = [];
  await eventually(
    async () => {
      const { data } = await api.get(`/orders/${order.id}`);
      const status = textOf(data, 'status');
      if (status === 'CLOSED') return;
      const step = nextStep(status, data['escrow'] !== null, ending);
      if (step !== undefined) {
        const response = await call(api, order, step);
        attempts.push(`${status} ${step} ${response.status.toString()} ${response.code ?? ''}`);
        expect([response.status, response.code]).not.toEqual([500, undefined]);
      }
      throw new Error(`the order stands at ${status}: ${attempts.slice(-6).join('; ')}`);
    },
    { timeoutMs },
  );
}

export function textOf(value: unknown, field: string): string {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const found: unknown = entries.find(([name]) => name === field)?.[1];
  if (typeof found !== 'string') throw new Error(`there is no ${field} in ${JSON.stringify(value)}`);
  return found;
}
