import { eventually } from '@holdfast/testing/eventually';
import { landedHashes } from '../testing/landed-transactions.js';
import { aCreatedContract, aFundedContract, requestContract, type TestOrder } from '../testing/orders.js';
import { startAdapter, type RunningAdapter } from '../testing/running-adapter.js';
import type { EventSubjects } from '../use-cases/ports.js';

let adapter: RunningAdapter;
let find: EventSubjects['find'];
let mayBuild = Promise.resolve();

beforeAll(async () => {
  adapter = await startAdapter({
    wrapProvider: (provider) => ({
      ...provider,
      buildDeployment: async (...args) => {
        await mayBuild;
        return provider.buildDeployment(...args);
      },
    }),
  });
  ({ find } = adapter.first.adapter.deps.eventSubjects);
});
afterAll(() => adapter.stop());

async function contractIdOf({ escrowId }: TestOrder): Promise<string> {
  return (await adapter.first.adapter.deps.contracts.find(escrowId))?.contractId ?? 'CUNKNOWN';
}

const unknownContract = { result: 'ignored', note: 'unknown contract' };
const nothing = { escrowId: undefined, intentId: undefined, known: unknownContract };

describe('an event is about', () => {
  it('the contract with its contract id, and about our transaction with its hash', async () => {
    const [funded, created] = [await aFundedContract(adapter), await aCreatedContract(adapter)];
    const [contract_id, transaction_hash] = [await contractIdOf(funded), (await landedHashes(adapter, funded.orderId)).at(-1)];
    expect(await find({ contract_id, transaction_hash })).toEqual({
      escrowId: funded.escrowId,
      intentId: undefined,
      known: { result: 'applied', note: 'own transaction' },
    });
    const others = { contract_id: await contractIdOf(created), transaction_hash: 'b'.repeat(64) };
    expect(await find(others)).toEqual({ escrowId: created.escrowId, intentId: undefined, known: undefined });
  });

  it('no contract if its contract id is unknown, or belongs to another order', async () => {
    const { orderId } = await aFundedContract(adapter);
    expect(await find({ contract_id: 'CNOBODY' })).toEqual(nothing);
    expect(await find({ contract_id: 'CNOBODY', order_id: orderId })).toEqual(nothing);
    expect(await find({ contract_id: 'CNOBODY', order_id: adapter.newId('ord') })).toEqual(nothing);
  });

  it('the open intent of a contract, even if the contract has no contract id yet', async () => {
    let build = (): void => undefined;
    mayBuild = new Promise((resolve) => {
      build = resolve;
    });
    const { orderId, escrowId, command } = await requestContract(adapter);
    await eventually(async () => expect(await adapter.first.adapter.deps.intents.findOpen(escrowId)).toBe(command.id));
    const found = await find({ contract_id: 'CNEW', order_id: orderId });
    expect(found).toEqual({ escrowId, intentId: command.id, known: { result: 'applied', note: 'intent woken' } });
    build();
    await adapter.waitForReply(orderId, 'escrow.created');
  });
});
