import { escrowSettlementContradicted } from '@holdfast/contracts/messages';
import type { Tx } from '@holdfast/postgres';
import type { Contract } from '../domain/contract.js';
import { closeIntent, publishReply, type IntentRun } from './close-intent.js';
import { creationFailed, fundingFailed, settlementFailed } from './intent-completions.js';

const contract: Contract = {
  escrowId: 'esc_1',
  orderId: 'ord_1',
  marketplaceId: 'mkt_default',
  type: 'single-release',
  releaseMode: 'order',
  amount: { units: 10_000_000n, currency: 'USDC' },
  buyerId: 'usr_buyer',
  sellerId: 'usr_seller',
  title: 'A bicycle',
  description: 'A bicycle',
  platformFeeBasisPoints: 0,
  milestones: [],
  status: 'CREATED',
  isDisputeKnown: false,
  disputesKnown: [],
  milestonesKnown: [],
  milestonesSettled: [],
  version: 1,
  lastLedger: 0,
  createdAt: '2026-01-31T12:00:00.000000Z',
};

type Deps = Parameters<typeof closeIntent>[0];
const deployment = { contract } as IntentRun<'deploy'>;
const funding = { contract } as IntentRun<'fund'>;
const settlement = { contract } as IntentRun<'settle'>;

describe('an intent', () => {
  it('is closed only with a reply that its saga step declares: anything else does not compile', async () => {
    const failed = new Error('no transaction here');
    const deps = { inTransaction: () => Promise.reject(failed) } as unknown as Deps;
    const right = [
      closeIntent(deps, deployment, creationFailed(contract, 'refused')),
      closeIntent(deps, funding, fundingFailed(contract, 'refused')),
      closeIntent(deps, settlement, settlementFailed(contract, [], 'refused')),
    ];
    const wrong = [
      // @ts-expect-error -- the step of a funding does not declare escrow.creation_failed
      closeIntent(deps, funding, creationFailed(contract, 'refused')),
      // @ts-expect-error -- the step of a deployment does not declare escrow.settlement_failed
      closeIntent(deps, deployment, settlementFailed(contract, [], 'refused')),
    ];
    for (const closing of [...right, ...wrong]) await expect(closing).rejects.toBe(failed);
  });

  it('publishes only what its step declares also while it stays open, with the payload of the declaration', () => {
    const publish = () => Promise.reject(new Error('nothing is published here'));
    const deps = { publish } as unknown as Deps;
    const ofEscrow = { escrowId: 'esc_1', orderId: 'ord_1' } as const;
    const reason = 'it was resolved outside';
    const contradicted = { declaration: escrowSettlementContradicted, payload: { ...ofEscrow, reason }, contract };
    const publishing = [
      () => publishReply(deps, {} as Tx, settlement.intent, contradicted),
      // @ts-expect-error -- the step of a deployment does not declare escrow.settlement_contradicted
      () => publishReply(deps, {} as Tx, deployment.intent, contradicted),
      // @ts-expect-error -- the reason is missing
      () => publishReply(deps, {} as Tx, settlement.intent, { ...contradicted, payload: ofEscrow }),
    ];
    expect(publishing).toHaveLength(3);
  });
});
