import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Asset, Claimant, Keypair, Operation, rpc, type xdr } from '@stellar/stellar-sdk';
import { changesOf, type Changed } from '../testing/entry-changes.js';
import { feeBumpOf } from '../testing/fee-bumps.js';
import { fund, fundedEscrow, createParties, singleRelease } from '../testing/parties.js';
import { runSandbox, type RunningSandbox } from '../testing/running-sandbox.js';

let sandbox: RunningSandbox;
let server: rpc.Server;
let [alice, bob]: readonly [Keypair, Keypair] = [Keypair.random(), Keypair.random()];
beforeAll(async () => {
  sandbox = await runSandbox();
  server = rpcOf(sandbox);
});
beforeEach(async () => {
  [alice, bob] = [await sandbox.wallet(50), await sandbox.wallet(50)];
});
afterAll(() => sandbox.close());

const rpcOf = ({ rpcUrl }: RunningSandbox): rpc.Server => new rpc.Server(rpcUrl, { allowHttp: true });
const usdc = (): Asset => new Asset('USDC', sandbox.usdcIssuer);
const token = (asset = usdc()): string => asset.contractId(sandbox.networkPassphrase);

async function landed(operations: readonly xdr.Operation[], ...others: readonly Keypair[]) {
  const transaction = await sandbox.transaction(alice, operations);
  for (const key of others) transaction.sign(key);
  const { hash } = await sandbox.horizon.submitTransaction(transaction, { skipMemoRequiredCheck: true });
  return changesOf(server, hash);
}

const account = (key: Keypair, units: bigint, change: Changed['change'] = 'updated'): Changed => ({
  change,
  entry: 'account',
  owner: key.publicKey(),
  asset: 'XLM',
  units,
});
const line = (owner: string, units: bigint, change: Changed['change'] = 'updated'): Changed => ({
  change,
  entry: 'trustline',
  owner,
  asset: usdc().toString(),
  units,
});
const held = (owner: string, units: bigint, change: Changed['change'] = 'updated', asset = token()): Changed => ({
  change,
  entry: 'contractData',
  owner,
  asset,
  units,
});

const pay = (asset: Asset, amount: string) => Operation.payment({ destination: bob.publicKey(), asset, amount });

describe('the entry changes of an operation, through the SDK', () => {
  it('a payment of XLM lowers one account and raises the other, without the fee', async () => {
    expect(await landed([pay(Asset.native(), '2.5')])).toEqual([[account(alice, -25_000_000n), account(bob, 25_000_000n)]]);
  });

  it('a payment of a token changes two trustlines; the issuer has none', async () => {
    const [changes] = await landed([pay(usdc(), '7')]);
    expect(changes).toEqual([line(alice.publicKey(), -70_000_000n), line(bob.publicKey(), 70_000_000n)]);
    const back = Operation.payment({ destination: sandbox.usdcIssuer, asset: usdc(), amount: '1' });
    expect(await landed([back])).toEqual([[line(alice.publicKey(), -10_000_000n)]]);
  });

  it('each operation has its own changes, from the state that the one before left', async () => {
    expect(await landed([pay(Asset.native(), '1'), pay(usdc(), '2'), pay(Asset.native(), '3')])).toEqual([
      [account(alice, -10_000_000n), account(bob, 10_000_000n)],
      [line(alice.publicKey(), -20_000_000n), line(bob.publicKey(), 20_000_000n)],
      [account(alice, -30_000_000n), account(bob, 30_000_000n)],
    ]);
  });

  it('a payment to oneself changes nothing', async () => {
    const own = Operation.payment({ destination: alice.publicKey(), asset: usdc(), amount: '7' });
    expect(await landed([own])).toEqual([[]]);
  });

  it('a path payment lowers the sent asset of the sender, and raises the received one of the receiver', async () => {
    const exchange = { destination: bob.publicKey(), sendAsset: Asset.native(), destAsset: usdc() };
    const sent = await landed([Operation.pathPaymentStrictSend({ ...exchange, sendAmount: '4', destMin: '4' })]);
    const received = await landed([Operation.pathPaymentStrictReceive({ ...exchange, sendMax: '5', destAmount: '5' })]);
    for (const [[changes = []], units] of [[sent, 40_000_000n] as const, [received, 50_000_000n] as const]) {
      expect(changes).toContainEqual(account(alice, -units));
      expect(changes).toContainEqual(line(bob.publicKey(), units));
      // The issuer exchanges its own asset for the XLM.
      expect(changes).toContainEqual({ ...account(alice, units), owner: sandbox.usdcIssuer });
      expect(changes).toHaveLength(3);
    }
  });

  it('create_account creates the account with its balance, and account_merge removes it', async () => {
    const fresh = Keypair.random();
    const create = Operation.createAccount({ destination: fresh.publicKey(), startingBalance: '5' });
    const merge = Operation.accountMerge({ destination: bob.publicKey(), source: fresh.publicKey() });
    expect(await landed([create, merge], fresh)).toEqual([
      [account(alice, -50_000_000n), account(fresh, 50_000_000n, 'created')],
      [account(fresh, -50_000_000n, 'removed'), account(bob, 50_000_000n)],
    ]);
  });

  it('change_trust creates, changes and removes a trustline, which its account counts', async () => {
    const asset = new Asset('EURC', sandbox.usdcIssuer);
    const trust = (limit: string) => Operation.changeTrust({ asset, limit });
    const opened = { ...line(alice.publicKey(), 0n), asset: asset.toString() };
    expect(await landed([trust('5'), trust('6'), trust('0')])).toEqual([
      [account(alice, 0n), { ...opened, change: 'created' }],
      [opened],
      [account(alice, 0n), { ...opened, change: 'removed' }],
    ]);
  });

  it('create_claimable_balance creates the balance with its claimants', async () => {
    const claimants = [alice, bob].map((key) => new Claimant(key.publicKey()));
    const [changes] = await landed([Operation.createClaimableBalance({ asset: usdc(), amount: '3', claimants })]);
    const owner = [alice, bob].map((key) => key.publicKey()).join();
    // The sender pays the reserve of the balance, which its account counts.
    expect(changes).toEqual([
      account(alice, 0n),
      line(alice.publicKey(), -30_000_000n),
      { ...line(owner, 30_000_000n, 'created'), entry: 'claimableBalance' },
    ]);
  });

  it('a fee bump has the changes of the transaction inside of it, under both hashes', async () => {
    const inner = await sandbox.transaction(alice, [pay(Asset.native(), '1')]);
    const bumped = feeBumpOf(sandbox, bob, inner);
    await server.sendTransaction(bumped);
    for (const { hash } of [inner, bumped].map((each) => ({ hash: each.hash().toString('hex') }))) {
      expect(await changesOf(server, hash)).toEqual([[account(alice, -10_000_000n), account(bob, 10_000_000n)]]);
    }
  });
});

describe('the entry changes of strangers and of the faucet', () => {
  const operate = async (body: object): Promise<readonly (readonly Changed[])[]> => {
    const response = await sandbox.control('POST', '/operations', { asset: 'USDC', amount: 6, ...body });
    expect(response.status).toBe(200);
    return changesOf(server, response.body.hash);
  };

  it.each(['contract_transfer', 'contract_mint'])("a %s of the token's contract raises the trustline", async (type) => {
    const [changes] = await operate({ type, address: alice.publicKey() });
    expect(changes).toContainEqual(line(alice.publicKey(), 60_000_000n));
    expect(changes).toHaveLength(type === 'contract_mint' ? 1 : 2);
  });

  it.each(['clawback', 'contract_clawback'])('a %s lowers the trustline', async (type) => {
    expect(await operate({ type, address: alice.publicKey() })).toEqual([[line(alice.publicKey(), -60_000_000n)]]);
  });

  it('a contract_burn lowers the trustline of its caller, and a transfer of XLM the account', async () => {
    const [burned] = await operate({ type: 'contract_burn' });
    expect(burned).toMatchObject([{ entry: 'trustline', units: -60_000_000n }]);
    const [moved] = await operate({ type: 'contract_transfer', asset: 'XLM', address: alice.publicKey() });
    expect(moved).toMatchObject([{ entry: 'account', units: -60_000_000n }, account(alice, 60_000_000n)]);
  });

  it("a transfer to a contract creates its balance in the token's contract, and raises it later", async () => {
    const parties = await createParties(sandbox);
    const { body } = await sandbox.write('/deployer/single-release', singleRelease(sandbox, parties), parties.buyer);
    const transfer = () => operate({ type: 'contract_transfer', address: body.contractId });
    expect((await transfer())[0]).toContainEqual(held(body.contractId, 60_000_000n, 'created'));
    expect((await transfer())[0]).toContainEqual(held(body.contractId, 60_000_000n));
  });

  it.each([
    ['XLM', 'account'],
    ['USDC', 'trustline'],
  ])('the faucet raises the balance of %s', async (asset, entry) => {
    const given = { address: alice.publicKey(), asset, amount: 2 };
    const { body } = await sandbox.control('POST', '/faucet', given);
    const [changes] = await changesOf(server, body.hash);
    expect(changes).toContainEqual(expect.objectContaining({ entry, owner: alice.publicKey(), units: 20_000_000n }));
  });
});

describe('stored entry changes', () => {
  let folder: string;
  let running: RunningSandbox | undefined;
  const stop = async (): Promise<void> => {
    await running?.close();
    running = undefined;
  };
  const start = async (): Promise<RunningSandbox> => {
    await stop();
    running = await runSandbox({ dataFolder: folder });
    return running;
  };
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sandbox-changes-'));
  });
  afterEach(async () => {
    await stop();
    await rm(folder, { recursive: true });
  });

  it('survive a restart', async () => {
    const first = await start();
    const parties = await createParties(first);
    const contractId = await fundedEscrow(first, parties);
    const { body } = await first.request('GET', `${first.url}/operations?order=desc&limit=20`);
    const hashes: readonly string[] = body._embedded.records.map((each: { transaction_hash: string }) => each.transaction_hash);
    const before = await Promise.all(hashes.map((hash) => changesOf(rpcOf(first), hash)));

    const second = await start();

    expect(before.flat(2)).toContainEqual(held(contractId, 1_000_000_000n, 'created'));
    expect(await Promise.all(hashes.map((hash) => changesOf(rpcOf(second), hash)))).toEqual(before);
    expect(await fund(second, parties, contractId, 1)).toMatchObject({ status: 200 });
  });
});
