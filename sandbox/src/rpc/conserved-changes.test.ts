import { randomInt } from 'node:crypto';
import { Asset, rpc } from '@stellar/stellar-sdk';
import { parseUnits } from '../domain/units.js';
import { changesOf, type Changed } from '../testing/entry-changes.js';
import { approve, complete, createParties, fund, singleRelease, type Parties } from '../testing/parties.js';
import { runSandbox, type RunningSandbox } from '../testing/running-sandbox.js';

let sandbox: RunningSandbox;
let server: rpc.Server;
beforeAll(async () => {
  sandbox = await runSandbox();
  server = new rpc.Server(sandbox.rpcUrl, { allowHttp: true });
});
afterAll(() => sandbox.close());

type Sums = ReadonlyMap<string, bigint>;
type Holder = { readonly address: string; readonly balances: Readonly<Record<string, string>> };
type Contract = { readonly contractId: string; readonly balance: string; readonly trustline: { readonly name: string } };
type Operation = { readonly paging_token: string; readonly transaction_hash: string; readonly transaction: FeeFacts };
type FeeFacts = { readonly fee_account: string; readonly fee_charged: string };

function summed(items: readonly (readonly [key: string, units: bigint])[]): Sums {
  const sums = new Map<string, bigint>();
  for (const [key, units] of items) sums.set(key, (sums.get(key) ?? 0n) + units);
  return new Map([...sums].filter(([, units]) => units !== 0n));
}

/** The units of every account and contract, by owner and asset. */
async function balances(): Promise<readonly (readonly [string, bigint])[]> {
  const { accounts, contracts } = (await sandbox.control('GET', '/state')).body;
  const ofAccounts = accounts.flatMap(({ address, balances: held }: Holder) =>
    Object.entries(held).map(([asset, amount]) => [`${address} ${asset}`, parseUnits(amount) ?? 0n] as const),
  );
  const ofContracts = contracts.map(
    ({ contractId, balance, trustline }: Contract) => [`${contractId} ${trustline.name}`, parseUnits(balance) ?? 0n] as const,
  );
  return [...ofAccounts, ...ofContracts];
}

async function operationsAfter(cursor: string): Promise<readonly Operation[]> {
  const { body } = await sandbox.request('GET', `${sandbox.url}/operations?cursor=${cursor}&limit=200&join=transactions`);
  return body._embedded.records;
}

const lastCursor = async (): Promise<string> => {
  const { body } = await sandbox.request('GET', `${sandbox.url}/operations?order=desc&limit=1`);
  return body._embedded.records[0].paging_token;
};

/** Every asset by the name that the state has for it. */
function assetName(asset: string): string {
  const native = Asset.native().contractId(sandbox.networkPassphrase);
  return asset === 'XLM' || asset === native ? 'XLM' : 'USDC';
}

/** What the changes of the transactions add up to, less their fees. */
async function changed(operations: readonly Operation[]): Promise<Sums> {
  const transactions = new Map(operations.map((each) => [each.transaction_hash, each.transaction]));
  const perTransaction = await Promise.all([...transactions.keys()].map((hash) => changesOf(server, hash)));
  const moved = perTransaction.flat(2).map((each: Changed) => [`${each.owner} ${assetName(each.asset)}`, each.units] as const);
  const fees = [...transactions.values()].map(
    ({ fee_account, fee_charged }) => [`${fee_account} XLM`, -BigInt(fee_charged)] as const,
  );
  return summed([...moved, ...fees]);
}

type Settle = (parties: Parties, contractId: string, amount: number) => Promise<readonly { readonly status: number }[]>;

const release: Settle = async (parties, contractId) => [
  await complete(sandbox, parties, contractId),
  await approve(sandbox, parties, contractId),
  await sandbox.write(
    '/escrow/single-release/release-funds',
    { contractId, releaseSigner: parties.buyer.publicKey() },
    parties.buyer,
  ),
];

const split: Settle = async (parties, contractId, amount) => {
  const [buyer, seller, disputeResolver] = [parties.buyer, parties.seller, parties.arbiter].map((key) => key.publicKey());
  const distributions = [
    { address: buyer, amount: 1.0000001 },
    { address: seller, amount: Number((amount - 1.0000001).toFixed(7)) },
  ];
  return [
    await sandbox.write('/escrow/single-release/dispute-escrow', { contractId, signer: buyer }, parties.buyer),
    await sandbox.write(
      '/escrow/single-release/resolve-dispute',
      { contractId, disputeResolver, distributions },
      parties.arbiter,
    ),
  ];
};

describe('the changes of a whole order and its fees', () => {
  const seed = randomInt(10_000_000);

  it.each([
    ['USDC', 'released', release],
    ['USDC', 'split by a resolution', split],
    ['XLM', 'released', release],
    ['XLM', 'split by a resolution', split],
  ])(`add up to what the balances changed by: %s, %s (seed ${seed})`, async (symbol, _end, settle) => {
    const parties = await createParties(sandbox);
    const trustline = { address: symbol === 'XLM' ? 'native' : sandbox.usdcIssuer, symbol };
    const amount = Number((20 + seed / 10_000_000).toFixed(7));
    const [before, cursor] = [await balances(), await lastCursor()];

    const order = singleRelease(sandbox, parties, { trustline, amount });
    const { body } = await sandbox.write('/deployer/single-release', order, parties.buyer);
    const funded = await fund(sandbox, parties, body.contractId, amount);
    const settled = await settle(parties, body.contractId, amount);

    expect([funded, ...settled].every(({ status }) => status === 200)).toBe(true);
    const operations = await operationsAfter(cursor);
    expect(operations.length).toBe(2 + settled.length);
    const difference = summed([...(await balances()), ...before.map(([key, units]) => [key, -units] as const)]);
    expect(await changed(operations)).toEqual(difference);
    expect(difference.size).toBeGreaterThan(3);
  });
});
