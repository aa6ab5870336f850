import { aCreatedContract, aFundedContract, requestFunding, type TestOrder } from './testing/orders.js';
import { providerOutage } from './testing/provider-outage.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { tokenContracts, type SoughtTransaction } from '@holdfast/ledger-network/rpc';
import { withHistory } from '@holdfast/ledger-network/submission';

const outage = providerOutage();
let adapter: RunningAdapter;

beforeAll(async () => {
  adapter = await startAdapter({ wrapRpc: outage.wrapRpc });
});

afterEach(() => {
  outage.end();
});

afterAll(() => adapter.stop());

async function landedFunding({ escrowId }: TestOrder): Promise<SoughtTransaction> {
  const [row] = await adapter.database.asAdmin<Omit<SoughtTransaction, 'sequence'> & { readonly sequence: string }>(
    `select hash, source_account as "sourceAccount", sequence::text, first_ledger as "firstLedger", valid_until as "validUntil"
     from escrow_adapter.ledger_transactions join escrow_adapter.intents on intents.id = intent_id
     where subject = $1 and step = 'fund'`,
    [escrowId],
  );
  if (row === undefined) throw new Error('the order is not funded');
  return { ...row, sequence: BigInt(row.sequence) };
}

/** A node that has forgotten everything, beside the real history. */
function rpcWithHistory() {
  const { rpc } = adapter.first.adapter.deps;
  const { sandbox, accounts } = adapter;
  const tokens = tokenContracts(sandbox.networkPassphrase, sandbox.usdcIssuer);
  outage.now.forgetsUsed = true;
  return withHistory({ rpc, network: accounts.network, tokens });
}

describe('what no node remembers', () => {
  it('has landed if the history has it, with the transfers that a node would report', async () => {
    const sought = await landedFunding(await aFundedContract(adapter));
    const known = await adapter.first.adapter.deps.rpc.evidenceOf(sought);
    expect(known).toMatchObject({ status: 'landed', transfers: [{ units: 1_000_000_000n }] });
    expect(await rpcWithHistory().evidenceOf(sought)).toEqual(known);
  });

  it('has never landed if another transaction has used its sequence number, or a later one', async () => {
    const used = await landedFunding(await aFundedContract(adapter));
    const rpc = rpcWithHistory();
    const never = { ...used, hash: 'f'.repeat(64) };
    expect(await rpc.evidenceOf(never)).toEqual({ status: 'never' });
    expect(await rpc.evidenceOf({ ...never, sequence: used.sequence - 1n })).toEqual({ status: 'never' });
  });

  it('stays open while the history shows no use of its number', async () => {
    const used = await landedFunding(await aFundedContract(adapter));
    const later = { ...used, hash: 'f'.repeat(64), sequence: used.sequence + 1_000_000n };
    expect(await rpcWithHistory().evidenceOf(later)).toMatchObject({ status: 'pending' });
  });

  it('ends the intent that waits for it', async () => {
    const order = await aCreatedContract(adapter);
    outage.now.forgetsUsed = true;
    await requestFunding(adapter, order);
    await adapter.waitForReply(order.orderId, 'escrow.funded');
  });
});
