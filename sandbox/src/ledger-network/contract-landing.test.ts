import { Address, Asset, type Keypair, StrKey, hash, xdr } from '@stellar/stellar-sdk';
import {
  authorized,
  calledIn,
  invoke,
  sourceAuthorization,
  type Called,
  type InvocationOptions,
} from '../testing/invocations.js';
import { approve, createParties, fund, fundedEscrow, multiRelease, singleRelease, type Parties } from '../testing/parties.js';
import { runSandbox, type RunningSandbox } from '../testing/running-sandbox.js';
import { scv } from '../testing/scvals.js';

let sandbox: RunningSandbox;
let parties: Parties;
beforeAll(async () => {
  sandbox = await runSandbox();
  parties = await createParties(sandbox, 5_000);
});
afterAll(() => sandbox.close());

/** The message of a landed but failed call, or of an invalid one. */
async function refusalOf(called: Called, options: InvocationOptions = {}, key: Keypair = parties.buyer): Promise<string> {
  const { status, body } = await invoke(sandbox, key, called, options);
  expect(status).toBe(400);
  return String(body.message);
}

async function built(path: string, body: object): Promise<Called> {
  const { contractId, functionName, args } = calledIn(
    String((await sandbox.escrow(path, body)).body.unsignedTransaction),
    sandbox.networkPassphrase,
  );
  return { contractId, functionName, args };
}

async function fundCall(): Promise<Called> {
  const contractId = await fundedEscrow(sandbox, parties);
  return built('/escrow/single-release/fund-escrow', { contractId, signer: parties.buyer.publicKey(), amount: 1 });
}

const token = (): string => new Asset('USDC', sandbox.usdcIssuer).contractId(sandbox.networkPassphrase);

const transfer = (to: string, units: string, from: Keypair = parties.buyer) =>
  authorized({ contractId: token(), functionName: 'transfer', args: [scv.address(from), scv.address(to), scv.i128(units)] });

describe('the authorization of a call', () => {
  it('of the funding lets it land with the transfer below it, however the envelope was built', async () => {
    const called = await fundCall();
    const auth = [sourceAuthorization(authorized(called, transfer(called.contractId, '10000000')))];
    expect(await invoke(sandbox, parties.buyer, called, { auth })).toMatchObject({ status: 200 });
    const { body } = await sandbox.read(`/helper/get-multiple-escrow-balance?addresses[]=${called.contractId}`);
    expect(body[0].balance).toBe(101);
  });

  it('is required', async () => {
    const called = await fundCall();
    expect(await refusalOf(called, { auth: [] })).toMatch(/has not authorized the call.*tx_failed/);
  });

  it('must be for exactly this call', async () => {
    const called = await fundCall();
    const other = { ...called, args: [...called.args.slice(0, 2), scv.i128('2')] };
    const auth = [sourceAuthorization(authorized(other, transfer(called.contractId, '10000000')))];
    expect(await refusalOf(called, { auth })).toMatch('has not authorized the call');
  });

  it.each([
    ['no transfer', () => []],
    ['another amount', (contractId: string) => [transfer(contractId, '10000001')]],
    ['another receiver', () => [transfer(sandbox.faucetAddress, '10000000')]],
    ['another payer', (contractId: string) => [transfer(contractId, '10000000', parties.seller)]],
  ])('of a funding with %s below it is not enough', async (_flaw, below) => {
    const called = await fundCall();
    const auth = [sourceAuthorization(authorized(called, ...below(called.contractId)))];
    expect(await refusalOf(called, { auth })).toMatch('not authorized the transfer');
  });

  it('by the credentials of an address is not supported', async () => {
    const called = await fundCall();
    const credentials = new xdr.SorobanAddressCredentials({
      address: Address.fromString(parties.buyer.publicKey()).toScAddress(),
      nonce: xdr.Int64.fromString('1'),
      signatureExpirationLedger: 1_000_000,
      signature: scv.void(),
    });
    const entry = new xdr.SorobanAuthorizationEntry({
      credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(credentials),
      rootInvocation: authorized(called, transfer(called.contractId, '10000000')),
    });
    expect(await refusalOf(called, { auth: [entry] })).toMatch('not supported by the sandbox');
  });

  it('must be of the account that the arguments name as caller, in its place', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const approval = { contractId, functionName: 'approve_milestone', args: [scv.u32(0), scv.address(parties.buyer)] };
    expect(await refusalOf(approval, {}, parties.seller)).toMatch('has not authorized');
    expect(await invoke(sandbox, parties.buyer, approval)).toMatchObject({ status: 200 });
  });
});

describe('the arguments of a call', () => {
  it.each<[string, (buyer: xdr.ScVal) => readonly xdr.ScVal[]]>([
    ['in another order', (buyer) => [buyer, scv.u32(0)]],
    ['too few', (buyer) => [buyer]],
    ['too many', (buyer) => [scv.u32(0), buyer, buyer]],
    ['an index of another type', (buyer) => [scv.i128('0'), buyer]],
    ['an address in text', (buyer) => [scv.u32(0), scv.string(Address.fromScVal(buyer).toString())]],
  ])('must match the function: %s', async (_flaw, args) => {
    const contractId = await fundedEscrow(sandbox, parties);
    const called = { contractId, functionName: 'approve_milestone', args: args(scv.address(parties.buyer)) };
    expect(await refusalOf(called)).toMatch(/tx_failed: function_trapped/);
  });

  it('may be a symbol nowhere where a string is expected', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const args = [scv.u32(0), scv.symbol('done'), scv.void(), scv.address(parties.seller)];
    const called = { contractId, functionName: 'change_milestone_status', args };
    expect(await refusalOf(called, {}, parties.seller)).toMatch('scvSymbol and not scvString');
  });

  it.each<[string, (first: xdr.ScVal, second: xdr.ScVal) => readonly (readonly [xdr.ScVal, xdr.ScVal])[]]>([
    ['twice the same key', (first) => [1, 2].map(() => [first, scv.i128('500000000')] as const)],
    ['keys in descending order', (first, second) => [second, first].map((key) => [key, scv.i128('500000000')] as const)],
    ['an amount of another type', (first) => [[first, scv.u32(1_000_000_000)]]],
  ])('of a resolution must be a map with unique ascending keys: %s', async (_flaw, entries) => {
    const contractId = await fundedEscrow(sandbox, parties);
    const { buyer, seller, arbiter } = parties;
    await sandbox.write('/escrow/single-release/dispute-escrow', { contractId, signer: buyer.publicKey() }, buyer);
    const [first = buyer, second = seller] = [buyer, seller].sort((a, b) => a.rawPublicKey().compare(b.rawPublicKey()));
    const map = scv.map(...entries(scv.address(first), scv.address(second)));
    const args = [scv.address(arbiter), scv.address(sandbox.providerFeesAddress), map];
    expect(await refusalOf({ contractId, functionName: 'resolve_dispute', args }, {}, arbiter)).toMatch('function_trapped');
  });

  it('of a funding must contain the struct as it is stored when it lands', async () => {
    const called = await fundCall();
    const body = {
      contractId: called.contractId,
      milestoneIndex: '0',
      newStatus: 'x',
      serviceProvider: parties.seller.publicKey(),
    };
    await sandbox.write('/escrow/single-release/change-milestone-status', body, parties.seller);
    const auth = [sourceAuthorization(authorized(called, transfer(called.contractId, '10000000')))];
    expect(await refusalOf(called, { auth })).toMatch('EscrowPropertiesMismatch');
  });

  it('must match the version: a mainnet contract has no argument for the fee address', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const args = [scv.address(parties.buyer)];
    expect(await refusalOf({ contractId, functionName: 'release_funds', args })).toMatch('has 2 arguments');
  });

  it('must match the type: a single-release contract has no milestones to release', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const args = [scv.u32(0), scv.address(parties.buyer)];
    expect(await refusalOf({ contractId, functionName: 'dispute_milestone', args })).toMatch('no such function');
  });

  it('must be for a contract that exists', async () => {
    const contractId = StrKey.encodeContract(Buffer.alloc(32, 9));
    const args = [scv.address(parties.buyer)];
    expect(await refusalOf({ contractId, functionName: 'dispute_escrow', args })).toMatch('contract does not exist');
  });
});

describe('a deployment', () => {
  const deployCall = () => built('/deployer/single-release', singleRelease(sandbox, parties));
  const changed = (called: Called, index: number, value: xdr.ScVal): Called => ({
    ...called,
    args: called.args.with(index, value),
  });

  it('creates the contract at the address of its factory and salt, once', async () => {
    const called = await deployCall();
    const preimage = new xdr.ContractIdPreimageFromAddress({
      address: Address.fromString(called.contractId).toScAddress(),
      salt: called.args[2]?.bytes() ?? Buffer.alloc(0),
    });
    const hashed = xdr.HashIdPreimage.envelopeTypeContractId(
      new xdr.HashIdPreimageContractId({
        networkId: hash(Buffer.from(sandbox.networkPassphrase)),
        contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAddress(preimage),
      }),
    );
    const contractId = StrKey.encodeContract(hash(hashed.toXDR()));

    expect(await invoke(sandbox, parties.buyer, called)).toMatchObject({ status: 200, body: { contractId } });
    expect(await refusalOf(called)).toMatch('already been initialized');
  });

  it.each<[string, number, xdr.ScVal, string]>([
    ['another code', 1, scv.bytes('11'.repeat(32)), 'no code with this hash'],
    ['a salt of 31 bytes', 2, scv.bytes('11'.repeat(31)), '32 bytes'],
    ['another initializer', 3, scv.symbol('update_escrow'), 'no such function'],
    ['no struct', 4, scv.vec(), '1 arguments'],
    ['a struct that is none', 4, scv.vec(scv.u32(1)), 'scvU32 and not scvMap'],
    ['arguments for a constructor', 5, scv.vec(scv.u32(1)), 'no constructor'],
  ])('with %s fails', async (_flaw, index, value, message) => {
    expect(await refusalOf(changed(await deployCall(), index, value))).toMatch(message);
  });

  it('by another factory or by an escrow contract fails', async () => {
    const called = await deployCall();
    const { 'multi-release': multi } = sandbox.contracts;
    expect(await refusalOf({ ...called, contractId: multi.factory })).toMatch('no such function');
    const contractId = await fundedEscrow(sandbox, parties);
    expect(await refusalOf({ ...called, contractId })).toMatch('holds an escrow itself');
  });

  it('with the struct of the other type fails', async () => {
    const multi = await built('/deployer/multi-release', multiRelease(sandbox, parties, [1]));
    const [struct] = multi.args[4]?.vec() ?? [];
    expect(await refusalOf(changed(await deployCall(), 4, scv.vec(struct ?? scv.void())))).toMatch('struct has the fields');
  });
});

describe('a payout', () => {
  const balanceOf = async (contractId: string): Promise<number> =>
    (await sandbox.read(`/helper/get-multiple-escrow-balance?addresses[]=${contractId}`)).body[0].balance;

  it('fails as a whole if the fee address has no trustline for the token', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    await approve(sandbox, parties, contractId);
    const args = [scv.address(parties.buyer), scv.address(sandbox.faucetAddress)];
    const before = await sandbox.balance(parties.seller.publicKey());
    expect(await refusalOf({ contractId, functionName: 'release_funds', args })).toMatch('no trustline');
    expect([await balanceOf(contractId), await sandbox.balance(parties.seller.publicKey())]).toEqual([100, before]);
  });

  it('fails as a whole if the platform has no trustline for the token', async () => {
    const body = singleRelease(sandbox, parties);
    const roles = { ...body.roles, platformAddress: sandbox.faucetAddress };
    const deployed = await sandbox.write('/deployer/single-release', { ...body, roles }, parties.buyer);
    const contractId = String(deployed.body.contractId);
    await fund(sandbox, parties, contractId, 100);
    await approve(sandbox, parties, contractId);
    const release = { contractId, releaseSigner: parties.buyer.publicKey() };
    const refused = await sandbox.escrow('/escrow/single-release/release-funds', release);
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('no trustline') } });
  });
});

describe('a transaction with a contract call', () => {
  it('has exactly one operation', async () => {
    const called = await fundCall();
    expect(await refusalOf(called, { operations: 2 })).toMatch('tx_malformed');
  });

  it('has data about its resources', async () => {
    expect(await refusalOf(await fundCall(), { hasResources: false, fee: '100000' })).toMatch('tx_malformed');
  });

  it('offers at least 100 stroops above the fee of its resources', async () => {
    expect(await refusalOf(await fundCall(), { fee: '99' })).toMatch('tx_insufficient_fee');
  });
});
