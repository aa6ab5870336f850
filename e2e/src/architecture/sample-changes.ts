import { readdirSync } from 'node:fs';
import path from 'node:path';
import { repository } from './planted-tree.js';
import type { SampleChange } from './sample-change.js';

const contracts = 'shared/contracts/src';
const orders = 'services/orders/src';
const inHttpTest = { [`${orders}/http/orders.int.test.ts`]: '<service>/http/<area>.int.test.ts' };
const inChangelog = { 'CHANGELOG.md': 'CHANGELOG.md' };
const changelog = { file: 'CHANGELOG.md', after: '## Unreleased\n\n### Added\n\n' };

/** `GET /orders/{id}/payout`, which only reads. */
export const aRoute: SampleChange = {
  name: 'a route',
  filesMax: 6,
  recipe: 'A route',
  recipeNames: {
    [`${contracts}/http/orders.ts`]: `${contracts}/http/<area>.ts`,
    [`${orders}/use-cases/get-order-payout.ts`]: '<service>/use-cases/<verb>.ts',
    [`${orders}/http/routes.ts`]: '<service>/http/routes.ts',
    ...inHttpTest,
    ...inChangelog,
  },
  edits: [
    { file: `${contracts}/http/orders.ts`, after: '  amountIn,\n', add: '  amountOut,\n' },
    {
      file: `${contracts}/http/orders.ts`,
      before: 'export const reserveOrder = ',
      add: `export const getOrderPayout = route({
  ...onOrder,
  name: 'orders.getPayout',
  method: 'get',
  path: \`\${path}/{id}/payout\`,
  summary: 'Get what a release would pay',
  description: 'The amount of the order, the fee, and what the seller gets.',
  auth: 'read',
  body: noBody,
  success: {
    status: 200,
    data: z.strictObject({ orderId: id('ord'), currency, amount: amountOut, platformFee: amountOut, netAmount: amountOut }),
  },
  errors: ['ORDER_NOT_FOUND'],
});

`,
    },
    { file: `${contracts}/http/orders.ts`, before: '  reserveOrder,\n', add: '  getOrderPayout,\n' },
    {
      file: `${orders}/use-cases/get-order-payout.ts`,
      create: `import type { Context } from '@holdfast/kernel/context';
import type { OrderId } from '@holdfast/kernel/ids';
import { feeOf, formatMoney, subtract, type Currency } from '@holdfast/kernel/money';
import { getOrder } from './get-order.js';
import type { Deps } from './ports.js';

export type OrderPayout = {
  readonly orderId: OrderId;
  readonly currency: Currency;
  readonly amount: string;
  readonly platformFee: string;
  readonly netAmount: string;
};

/** What a release would pay now. */
export async function getOrderPayout(deps: Deps, { id }: { readonly id: OrderId }, ctx: Context): Promise<OrderPayout> {
  const { amount, feeBasisPoints } = await getOrder(deps, { id }, ctx);
  const fee = feeOf(amount, feeBasisPoints);
  return {
    orderId: id,
    currency: amount.currency,
    amount: formatMoney(amount),
    platformFee: formatMoney(fee),
    netAmount: formatMoney(subtract(amount, fee)),
  };
}
`,
    },
    {
      file: `${orders}/http/routes.ts`,
      before: 'import { listDisputeComments }',
      add: "import { getOrderPayout } from '../use-cases/get-order-payout.js';\n",
    },
    {
      file: `${orders}/http/routes.ts`,
      before: '    reserveOrder: (',
      add: '    getOrderPayout: ({ params }, ctx) => getOrderPayout(deps, params, ctx),\n',
    },
    {
      file: `${orders}/http/orders.int.test.ts`,
      before: "describe('GET /orders/{id}/milestones'",
      add: `describe('GET /orders/{id}/payout', () => {
  it('200 takes the fee from the amount', async () => {
    const { id } = await orders.anOrder();
    const amounts = { amount: '100.00', platformFee: '5.00', netAmount: '95.00' };
    expect((await orders.get(\`/orders/\${id}/payout\`)).data.data).toMatchObject({ orderId: id, ...amounts });
    expect(seen(await orders.get(\`/orders/\${id}/payout\`, another))).toEqual([404, 'ORDER_NOT_FOUND']);
  });
});

`,
    },
    { ...changelog, add: '- `GET /orders/{id}/payout` shows what a release would pay.\n' },
  ],
};

/** `order.milestones_completed`, a public event without a saga. notifications consumes it without a change. */
export const anEvent: SampleChange = {
  name: 'an event',
  filesMax: 5,
  recipe: 'A message or public event',
  recipeNames: {
    [`${contracts}/messages/order.ts`]: `${contracts}/messages/<aggregate>.ts`,
    [`${orders}/use-cases/milestone-change.ts`]: '<service>/use-cases/<verb>.ts',
    'e2e/src/events/expected.ts': 'e2e/src/events/expected.ts',
    ...inHttpTest,
    ...inChangelog,
  },
  edits: [
    {
      file: `${contracts}/messages/order.ts`,
      before: 'export const orderMessages = [\n',
      add: `export const orderMilestonesCompleted = message({
  ...publicMessage,
  type: 'order.milestones_completed',
  summary: 'The last milestone of an order was completed.',
  payload: z.strictObject({ orderId, completedAt: instant }),
});

`,
    },
    { file: `${contracts}/messages/order.ts`, after: 'export const orderMessages = [\n', add: '  orderMilestonesCompleted,\n' },
    {
      file: `${orders}/use-cases/milestone-change.ts`,
      before: 'escrowMilestoneCompleted }',
      add: 'orderMilestonesCompleted, ',
    },
    {
      file: `${orders}/use-cases/milestone-change.ts`,
      after: "from '../domain/focus.js';\n",
      add: "import { openMilestoneRefs } from '../domain/milestones.js';\n",
    },
    {
      file: `${orders}/use-cases/milestone-change.ts`,
      before: '  return { after, events: [event(',
      add: `  const completed = { orderId: after.id, completedAt: milestone.completedAt };
  const last = openMilestoneRefs(after).length === 0 ? [event(orderMilestonesCompleted, completed)] : [];
`,
    },
    {
      file: `${orders}/use-cases/milestone-change.ts`,
      after: 'event(escrowMilestoneCompleted, payload)',
      add: ', ...last',
    },
    {
      file: `${orders}/http/orders.int.test.ts`,
      before: "    expect((await orders.do(id, 'release')).data.data.status).toBe('CLOSED');\n    const published",
      add: `    const last = (await orders.eventsOf(id)).filter(({ type }) => type === 'order.milestones_completed');
    expect(last.map(({ payload }) => payload)).toMatchObject([{ orderId: id }]);
`,
    },
    {
      file: 'e2e/src/events/expected.ts',
      after: "ofMilestones = ['escrow.milestone_completed', 'escrow.milestone_completed'",
      add: ", 'order.milestones_completed'",
    },
    { ...changelog, add: '- The event `order.milestones_completed`.\n' },
  ],
};

const migration = nextMigration('services/orders/migrations', 'orders-expire');

/** `expires_at` of orders, which the API does not show yet. */
export const aColumn: SampleChange = {
  name: 'a column',
  filesMax: 6,
  recipe: 'A column',
  recipeNames: {
    [`${orders}/domain/order.ts`]: '<service>/domain/<aggregate>.ts',
    [`${orders}/store/schema.ts`]: '<service>/store/schema.ts',
    [`${orders}/store/rows.ts`]: '<service>/store/rows.ts',
    [migration]: 'migrations/NNNN-<what>.sql',
    [`${orders}/testing/read-facts.ts`]: '<service>/testing/read-facts.ts',
    ...inChangelog,
  },
  edits: [
    {
      file: `${orders}/domain/order.ts`,
      before: 'import type { DisputeId',
      add: "import { toEpochMs, toInstant } from '@holdfast/kernel/instants';\n",
    },
    {
      file: `${orders}/domain/order.ts`,
      after: '  readonly lastEventId: MessageId | null;\n',
      add: `  /** An order that is not funded by then is to be canceled. Null for older orders, which do not expire. */
  readonly expiresAt: Instant | null;
`,
    },
    { file: `${orders}/domain/order.ts`, before: 'export type NewOrder =', add: 'const lifetimeMs = 30 * 86_400_000;\n\n' },
    {
      file: `${orders}/domain/order.ts`,
      after: '    lastEventId: null,\n',
      add: '    expiresAt: toInstant(toEpochMs(at) + lifetimeMs),\n',
    },
    {
      file: `${orders}/store/schema.ts`,
      after: "  lastEventId: { column: 'last_event_id', type: 'text' },\n",
      add: "  expiresAt: { column: 'expires_at', type: 'timestamptz' },\n",
    },
    { file: `${orders}/store/rows.ts`, after: '    lastEventId: row.lastEventId,\n', add: '    expiresAt: row.expiresAt,\n' },
    {
      file: migration,
      create: `-- compatible since 0001
-- When an unfunded order expires. Null for orders from before this column.
alter table orders add column expires_at timestamptz;
`,
    },
    {
      file: `${orders}/testing/read-facts.ts`,
      before: "  'a save keeps what was fixed when the order was created'",
      add: `  'an order keeps when it expires': async (ports) => {
    const { id, expiresAt } = await insertOrder(ports);
    expect(expiresAt).toBe('2026-03-02T12:00:00.000000Z');
    expect((await ports.orders.find(marketplaceId, id))?.expiresAt).toBe(expiresAt);
  },

`,
    },
    { ...changelog, add: '- Orders store when they expire.\n' },
  ],
};

function nextMigration(folder: string, name: string): string {
  const numbers = readdirSync(path.join(repository, folder)).map((file) => Number(file.slice(0, 4)));
  return `${folder}/${(Math.max(...numbers) + 1).toString().padStart(4, '0')}-${name}.sql`;
}
