import { eventually } from '@holdfast/testing/eventually';
import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import {
  aCreatedContract,
  aFundedContract,
  requestContract,
  requestFunding,
  requestSettlement,
  settlementReplies,
  type SettlementChoice,
  type TestOrder,
} from './testing/orders.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { contractsOf } from './testing/sandbox-state.js';

type Step = 'deploy' | 'fund' | 'complete' | 'approve' | 'release' | 'dispute' | 'resolve';

const allSteps: readonly Step[] = ['deploy', 'fund', 'complete', 'approve', 'release', 'dispute', 'resolve'];

/** What a hostile provider changes in the transaction that it builds, and at which steps it can. */
const falsifications: Readonly<Record<string, readonly Step[]>> = {
  'wrong-contract': allSteps,
  'wrong-function': allSteps,
  'extra-operation': allSteps,
  'foreign-credential': allSteps,
  'endless-bounds': allSteps,
  'huge-fee': allSteps,
  'wrong-amount': ['deploy', 'fund', 'resolve'],
  'wrong-receiver': ['deploy', 'fund', 'release', 'resolve'],
  'extra-transfer': ['fund'],
};
const ofArguments = ['wrong-amount', 'wrong-receiver', 'extra-transfer'];
const partsOf = { 'single-release': ['100.00'], 'multi-release': ['40.00', '60.00'] } as const;
type Pair = { readonly type: keyof typeof partsOf; readonly kind: string; readonly step: Step };

/** The arguments of a multi-release contract are others; everything around them is verified by the same code. */
const allPairs: readonly Pair[] = Object.entries(falsifications).flatMap(([kind, steps]) =>
  steps.flatMap((step): Pair[] => [
    { type: 'single-release', kind, step },
    ...(ofArguments.includes(kind) ? [{ type: 'multi-release' as const, kind, step }] : []),
  ]),
);
/**
 * Each kind of intent, with its first and its last step. A unit test refuses every kind at every step, and the adapter does the same
 * after each refusal.
 */
const chosen: Readonly<Partial<Record<Step, string>>> = {
  deploy: 'wrong-contract',
  fund: 'extra-transfer',
  complete: 'extra-operation',
  release: 'wrong-receiver',
  resolve: 'wrong-amount',
};
const isChosen = ({ type, kind, step }: Pair): boolean => type === 'single-release' && chosen[step] === kind;
const pairs = allPairs.filter((pair) => isFullMatrix || isChosen(pair));

const decisionWith: Readonly<Record<Exclude<Step, 'deploy' | 'fund'>, SettlementChoice>> = {
  complete: { decision: 'RELEASE' },
  approve: { decision: 'RELEASE' },
  release: { decision: 'RELEASE' },
  dispute: { decision: 'REFUND' },
  resolve: { decision: 'SPLIT', sellerAmount: '80.00' },
};

describe('a provider that falsifies transactions', () => {
  let adapter: RunningAdapter;
  beforeAll(async () => {
    adapter = await startAdapter();
  });
  afterEach(() => adapter.clearFaults());
  afterAll(() => adapter.stop());

  /** The order before the step, and the request with which the step begins, whose replies are given. */
  async function before({
    type,
    step,
  }: Pair): Promise<{ readonly order?: TestOrder; readonly request: () => Promise<TestOrder> }> {
    const parts = partsOf[type];
    if (step === 'deploy') return { request: () => requestContract(adapter, { parts }) };
    const order = await (step === 'fund' ? aCreatedContract(adapter, { parts }) : aFundedContract(adapter, { parts }));
    const publish = () =>
      step === 'fund' ? requestFunding(adapter, order) : requestSettlement(adapter, order, decisionWith[step]);
    return {
      order,
      request: async () => {
        await publish();
        return order;
      },
    };
  }

  const failures = ['escrow.creation_failed', 'escrow.funding_failed', 'escrow.settlement_failed'];
  const successes = ['escrow.created', 'escrow.funded', 'escrow.released', 'escrow.refunded'];

  const stepsSigned = async ({ escrowId }: TestOrder, step: Step): Promise<readonly unknown[]> =>
    adapter.database.asAdmin(
      `select hash from escrow_adapter.ledger_transactions join escrow_adapter.intents on intents.id = intent_id
       where subject = $1 and split_part(step, ':', 1) = $2`,
      [escrowId, step],
    );

  const auditsOf = ({ orderId }: TestOrder): readonly unknown[] =>
    adapter.published
      .filter(({ type }) => type === 'audit.recorded')
      .map(({ payload }) => payload as Readonly<Record<string, unknown>>)
      .filter(({ resourceId, action }) => resourceId === orderId && action === 'SIGNING_REFUSED');

  const held = async (order: TestOrder | undefined): Promise<readonly number[]> =>
    order === undefined ? [] : (await contractsOf(adapter, order.orderId)).map(({ balance }) => balance);

  it.each(pairs)(
    'of a $type contract with $kind at $step gets no signature, moves nothing, and the next honest attempt succeeds',
    async (given) => {
      const { order: existing, request } = await before(given);
      const heldBefore = await held(existing);
      await adapter.fault(given.step, given.kind, { times: 1 });
      const order = await request();
      await adapter.waitForReply(order.orderId, ...failures);
      expect(await stepsSigned(order, given.step)).toEqual([]);
      expect(await held(order)).toEqual(heldBefore);
      const refusal = { result: 'FAILURE', after: { step: expect.stringContaining(given.step) } };
      await eventually(() => expect(auditsOf(order)).toMatchObject([refusal]));
      const next = await request();
      const reply = await adapter.waitForReply(next.orderId, ...successesOf(given.step));
      expect(successes).toContain(reply.type);
    },
  );

  const successesOf = (step: Step): readonly string[] => {
    if (step === 'deploy') return ['escrow.created'];
    return step === 'fund' ? ['escrow.funded'] : settlementReplies.filter((type) => type !== 'escrow.settlement_failed');
  };
});
