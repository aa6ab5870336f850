import {
  Account,
  Address,
  Asset,
  Keypair,
  MuxedAccount,
  nativeToScVal,
  Operation,
  StrKey,
  TransactionBuilder,
  xdr,
  type Transaction,
} from '@stellar/stellar-sdk';
import { requireEnvelope } from '../../testing/require-envelope.js';
import { signingKeyOf } from '../keys/ed25519.js';
import { platformKeys } from '../keys/platform-keys.js';
import type { SignedOperation } from '../ports.js';
import { createSigner, type SigningRole } from './signer.js';

const networkPassphrase = 'a network of the tests';
const wallet = Keypair.random();
const keys = platformKeys({
  treasurySeed: Keypair.random().secret(),
  platformSeed: Keypair.random().secret(),
  channelCount: 2,
});
const openKey = jest.fn(() => signingKeyOf(wallet.rawSecretKey()));
const signForRoles = createSigner({
  networkPassphrase,
  platformKeys: keys,
  assertNotStopped: () => Promise.resolve(),
  findWallet: async (userId) => (userId === 'usr_1' ? { address: wallet.publicKey(), openKey } : undefined),
});
const sign = (roles: readonly SigningRole[], operation: SignedOperation, envelopeXdr: string): Promise<string> =>
  signForRoles(roles, operation, requireEnvelope(envelopeXdr, networkPassphrase));
const user: SigningRole = { user: 'usr_1', marketplaceId: 'mkt_default' };
const contractId = StrKey.encodeContract(Buffer.alloc(32, 1));
const usdc = new Asset('USDC', Keypair.random().publicKey());
const forAddress = new Address(wallet.publicKey()).toScVal();

function envelope(source: string, operations: readonly xdr.Operation[], maxTime = 2_000_000_000, fee = '100'): string {
  const options = { fee, networkPassphrase, timebounds: { minTime: 0, maxTime } };
  const builder = new TransactionBuilder(new Account(source, '1'), options);
  for (const operation of operations) builder.addOperation(operation);
  return builder.build().toXDR();
}

type Call = { readonly name: string; readonly caller?: string; readonly source?: string; readonly args?: readonly xdr.ScVal[] };

function call({ name, caller = wallet.publicKey(), source, args = [] }: Call): xdr.Operation {
  const invocation = { contract: contractId, function: name, args: [new Address(caller).toScVal(), ...args] };
  return Operation.invokeContractFunction({ ...invocation, ...(source === undefined ? {} : { source }) });
}

/** The signing accounts among `addresses`, in the order of the signatures. */
function signersOf(envelopeXdr: string, addresses: readonly string[]): readonly (string | undefined)[] {
  const transaction = TransactionBuilder.fromXDR(envelopeXdr, networkPassphrase) as Transaction;
  const verifies = (address: string, signature: Buffer): boolean =>
    Keypair.fromPublicKey(address).verify(transaction.hash(), signature);
  return transaction.signatures.map((each) => addresses.find((address) => verifies(address, each.signature())));
}

beforeEach(() => {
  openKey.mockClear();
});

describe('a signature', () => {
  it.each([
    ['deploy', 'deploy_escrow'],
    ['complete', 'change_milestone_status'],
    ['approve', 'approve_milestone'],
    ['release', 'release_funds'],
    ['release', 'release_milestone_funds'],
    ['dispute', 'dispute_escrow'],
    ['dispute', 'dispute_milestone'],
  ] as const)('of a user for %s by %s is one that the SDK accepts', async (operation, name) => {
    const signed = await sign([user], operation, envelope(wallet.publicKey(), [call({ name })]));
    expect(signersOf(signed, [wallet.publicKey()])).toEqual([wallet.publicKey()]);
  });

  it('of the platform resolves disputes, and that of a channel funds', async () => {
    const resolving = call({ name: 'resolve_dispute', caller: keys.platform.address });
    const resolved = await sign(['platform'], 'resolve', envelope(keys.platform.address, [resolving]));
    const channel = keys.channels[1]?.address ?? '';
    const funding = call({ name: 'fund_escrow', caller: channel, args: [nativeToScVal(5n, { type: 'i128' })] });
    const funded = await sign([{ treasury: 1 }], 'fund', envelope(channel, [funding]));
    expect(signersOf(resolved, [keys.platform.address, channel])).toEqual([keys.platform.address]);
    expect(signersOf(funded, [keys.platform.address, channel])).toEqual([channel]);
  });

  it('of a wallet or a channel pays a withdrawal, that of the platform does not', async () => {
    const payTo = Keypair.random().publicKey();
    const payment = Operation.payment({ destination: payTo, asset: usdc, amount: '1' });
    const creation = Operation.createAccount({ destination: payTo, startingBalance: '1' });
    const channel = keys.channels[0]?.address ?? '';
    const own = await sign([user], 'withdraw', envelope(wallet.publicKey(), [payment]));
    const ofTreasury = await sign([{ treasury: 0 }], 'withdraw', envelope(channel, [creation]));
    expect(signersOf(own, [wallet.publicKey()])).toEqual([wallet.publicKey()]);
    expect(signersOf(ofTreasury, [channel])).toEqual([channel]);
    const ofPlatform = sign(['platform'], 'withdraw', envelope(keys.platform.address, [payment]));
    await expect(ofPlatform).rejects.toThrow(/signature was refused/);
  });

  it('of a wallet is added to that of the treasury for its activation and its sweep', async () => {
    const treasury = keys.treasury.address;
    const own = { source: wallet.publicKey() };
    const activation = [
      Operation.createAccount({ destination: wallet.publicKey(), startingBalance: '5' }),
      Operation.changeTrust({ asset: usdc, ...own }),
    ];
    const sweep = [Operation.payment({ destination: treasury, asset: usdc, amount: '1', ...own })];
    for (const [operation, operations] of [
      ['activate', activation],
      ['sweep', sweep],
    ] as const) {
      const signed = await sign(['treasury', user], operation, envelope(treasury, operations));
      expect(signersOf(signed, [treasury, wallet.publicKey()])).toEqual([treasury, wallet.publicKey()]);
    }
  });
});

function muxed(address: string): string {
  return new MuxedAccount(new Account(address, '1'), '7').accountId();
}

describe('the signature is refused, and no key is opened,', () => {
  const address = wallet.publicKey();
  const pay = (more: object = {}) =>
    Operation.payment({ destination: Keypair.random().publicKey(), asset: usdc, amount: '1', ...more });
  const foreign: readonly (readonly [string, SignedOperation, () => string])[] = [
    ['for a payment instead of a contract call', 'release', () => envelope(address, [pay()])],
    ['for another function than the operation', 'approve', () => envelope(address, [call({ name: 'release_funds' })])],
    ['for an unknown function', 'release', () => envelope(address, [call({ name: 'transfer' })])],
    ['for an operation of the platform', 'resolve', () => envelope(address, [call({ name: 'resolve_dispute' })])],
    ['for two calls at once', 'approve', () => envelope(address, [call({ name: 'approve_milestone' }), pay()])],
    ['for another source account', 'approve', () => envelope(keys.platform.address, [call({ name: 'approve_milestone' })])],
    [
      'for another caller',
      'approve',
      () => envelope(address, [call({ name: 'approve_milestone', caller: keys.platform.address })]),
    ],
    [
      'for a call with another source',
      'approve',
      () => envelope(address, [call({ name: 'approve_milestone', source: keys.platform.address })]),
    ],
    ['without an upper time bound', 'approve', () => envelope(address, [call({ name: 'approve_milestone' })], 0)],
    [
      'for a fee above the maximum',
      'approve',
      () => envelope(address, [call({ name: 'approve_milestone' })], 2_000_000_000, '100000001'),
    ],
    [
      'for a sweep to another address than the treasury',
      'sweep',
      () => envelope(keys.treasury.address, [pay({ source: address })]),
    ],
    ['for a payment within an activation', 'activate', () => envelope(keys.treasury.address, [pay({ source: address })])],
    [
      'for a sweep from another source account than the treasury',
      'sweep',
      () => envelope(keys.platform.address, [pay({ source: address })]),
    ],
    ['for a withdrawal of two payments', 'withdraw', () => envelope(address, [pay(), pay()])],
    ['for a withdrawal from another account', 'withdraw', () => envelope(keys.treasury.address, [pay()])],
    ['for a withdrawal with another source', 'withdraw', () => envelope(address, [pay({ source: keys.platform.address })])],
    ['for a contract call as withdrawal', 'withdraw', () => envelope(address, [call({ name: 'release_funds' })])],
    ['without an operation of the signer', 'sweep', () => envelope(keys.treasury.address, [pay()])],
    [
      'for a call with a muxed address of its own account as source',
      'approve',
      () => envelope(address, [call({ name: 'approve_milestone', source: muxed(address) })]),
    ],
    [
      'for a payment from a muxed address of its own account, beside an operation that it may sign',
      'activate',
      () =>
        envelope(keys.treasury.address, [
          Operation.changeTrust({ asset: usdc, source: address }),
          pay({ source: muxed(address) }),
        ]),
    ],
    [
      'for a sweep to a muxed address of the treasury',
      'sweep',
      () => envelope(keys.treasury.address, [pay({ source: address, destination: muxed(keys.treasury.address) })]),
    ],
  ];

  it.each(foreign)('%s', async (_, operation, build) => {
    await expect(sign([user], operation, build())).rejects.toThrow(/signature was refused/);
    expect(openKey).not.toHaveBeenCalled();
  });

  it('for a call that authorizes more than itself', async () => {
    const root = new xdr.InvokeContractArgs({
      contractAddress: new Address(contractId).toScAddress(),
      functionName: 'transfer',
      args: [forAddress],
    });
    const auth = new xdr.SorobanAuthorizationEntry({
      credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
      rootInvocation: new xdr.SorobanAuthorizedInvocation({
        function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(root),
        subInvocations: [],
      }),
    });
    const invocation = { contract: contractId, function: 'approve_milestone', args: [forAddress], auth: [auth] };
    const built = envelope(address, [Operation.invokeContractFunction(invocation)]);
    await expect(sign([user], 'approve', built)).rejects.toThrow(/authorizes another function/);
  });

  it('for a transaction that was parsed for another network', async () => {
    const foreignNetwork = requireEnvelope(envelope(address, [call({ name: 'approve_milestone' })]), 'another network');
    await expect(signForRoles([user], 'approve', foreignNetwork)).rejects.toThrow(/for another network/);
    expect(openKey).not.toHaveBeenCalled();
  });

  it('for a user without a wallet', async () => {
    const nobody = { user: 'usr_2', marketplaceId: 'mkt_default' } as const;
    const built = envelope(address, [call({ name: 'approve_milestone' })]);
    await expect(sign([nobody], 'approve', built)).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' });
  });
});
