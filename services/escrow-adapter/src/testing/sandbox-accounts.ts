import { Asset, BASE_FEE, Keypair, Operation, Account, TransactionBuilder } from '@stellar/stellar-sdk';
import type { Sandbox } from '@holdfast/sandbox';
import type { MarketplaceId, UserId } from '@holdfast/kernel/ids';
import { systemClock } from '@holdfast/kernel/context';
import { eventually } from '@holdfast/testing/eventually';
import { spendableUnits } from '@holdfast/ledger-network/values';
import { withSignatures } from '@holdfast/ledger-network/envelopes';
import { verifyEnvelope } from '@holdfast/ledger-network/expectations';
import { createFeeBumps, type FeeBumpsDeps, type FeeBumps } from '@holdfast/ledger-network/fee-bumps';
import { createSigner, type Role, type Sign, type SigningDeps } from '@holdfast/ledger-network/signing';
import { channelCheck, treasuryKeys } from '../providers/treasury/treasury-payers.js';
import { ledgerPayments } from '@holdfast/ledger-network/building';
import { horizonHistory, horizonNetwork, type LedgerAccount, type LedgerNetwork } from '@holdfast/ledger-network/horizon';
import type { ContractOptions } from '../service.js';
import { submitOutside } from './submit-outside.js';

const clock = systemClock();
const validForMsMax = 600_000;

/** Accounts on the sandbox's network whose keys the test holds. */
export type SandboxAccounts = Pick<
  ContractOptions,
  'wallets' | 'sign' | 'payments' | 'network' | 'changeLifetimes' | 'prepareWallet' | 'handleCaseResolved'
> & {
  /** Creates an account with XLM and a USDC trustline that does not belong to the platform. */
  readonly openOutside: () => Promise<string>;
  readonly give: (address: string, asset: 'USDC' | 'XLM', amount: string) => Promise<void>;
  readonly keyOf: (role: Role) => Keypair;
  readonly close: () => Promise<void>;
  /** The treasury's main account, which has plenty of XLM. */
  readonly feePayer: Keypair;
  /** Fee bumps that the fee payer pays. */
  readonly feeBumps: (
    deps: Pick<FeeBumpsDeps, 'rpc' | 'log' | 'beginSpending'> & Pick<SigningDeps, 'assertNotStopped'>,
  ) => FeeBumps;
};

const channels = 3;
const treasuryAmount = '1000000';
const feeBidUnitsMax = 1_000_000n;

/** These tests do not follow the history. */
const withoutFollower = { followTo: () => Promise.resolve(), movingAt: () => Promise.resolve([]) };

export async function openAccounts(sandbox: Sandbox): Promise<SandboxAccounts> {
  const { horizonUrl, networkPassphrase, usdcIssuer } = sandbox;
  const history = horizonHistory({ url: horizonUrl, networkPassphrase, usdcIssuer });
  const network = horizonNetwork({ url: horizonUrl, networkPassphrase, usdcIssuer, history });
  const give = giver(sandbox);
  const open = accountOpener(sandbox, network, give);
  const users = new Map<UserId, Promise<Keypair>>();
  const keys = new Map<UserId, Keypair>();
  const keyOfUser = (userId: UserId): Promise<Keypair> => {
    const known = users.get(userId) ?? open();
    users.set(userId, known);
    return known;
  };
  const heldBy = (ownerId: string | null) => [...keys].filter(([userId]) => userId === ownerId).map(([, key]) => key);
  const [platform, ...treasury] = await Promise.all([open(), ...Array.from({ length: channels }, open)]);
  await Promise.all(
    treasury.flatMap((key) => (['USDC', 'XLM'] as const).map((asset) => give(key.publicKey(), asset, treasuryAmount))),
  );
  const keyOfOwner = (owner: string): Keypair | undefined => heldBy(owner)[0];
  const keyOf = (role: Role): Keypair => {
    const key = role === 'platform' ? platform : 'treasury' in role ? treasury[role.treasury] : keyOfOwner(role.wallet);
    if (key === undefined) throw new Error('there is no key for this role');
    return key;
  };
  return {
    network,
    give,
    keyOf,
    close: history.close,
    wallets: {
      addressOf: async (userId: UserId, _: MarketplaceId) => {
        const key = await keyOfUser(userId);
        keys.set(userId, key);
        return key.publicKey();
      },
      holdingsOf: async (userId, asset) => {
        const account = await network.account((await keyOfUser(userId)).publicKey());
        return account?.balances[asset] ?? 0n;
      },
      platformAddress: () => platform.publicKey(),
      ...payingFrom(treasury, network, usdcIssuer),
      isOwnAddress: (address) =>
        Promise.resolve([platform, ...treasury, ...keys.values()].some((key) => key.publicKey() === address)),
      payersOf: (userId) => Promise.resolve([...treasury, ...heldBy(userId)].map((key) => key.publicKey())),
      ...withoutFollower,
      addressesAt: (place, ownerId) => {
        const at = { treasury, platform: [platform], wallet: heldBy(ownerId) };
        return Promise.resolve(place in at ? at[place as keyof typeof at].map((key) => key.publicKey()) : []);
      },
    },
    payments: ledgerPayments({ network, usdcIssuer, clock }),
    openOutside: async () => (await open()).publicKey(),
    sign: signerWith(keyOf),
    // The treasury's own account is part of the wallets, which these tests do without.
    changeLifetimes: () => Promise.resolve('nothing'),
    prepareWallet: () => undefined,
    handleCaseResolved: () => Promise.resolve(),
    ...(await feeBumpsOn(networkPassphrase, give)),
  };
}

function payingFrom(
  treasury: readonly Keypair[],
  network: LedgerNetwork,
  usdcIssuer: string,
): Pick<SandboxAccounts['wallets'], 'treasuryPayers' | 'treasuryKeys' | 'assertHeld'> {
  const payers = payersAmong(treasury, network);
  const addresses = treasury.map((key) => key.publicKey());
  return { treasuryPayers: payers, treasuryKeys: treasuryKeys(addresses, usdcIssuer), assertHeld: channelCheck(payers) };
}

function payersAmong(treasury: readonly Keypair[], network: LedgerNetwork): SandboxAccounts['wallets']['treasuryPayers'] {
  return async ({ asset, units }) => {
    const held = await Promise.all(treasury.map((key) => network.account(key.publicKey())));
    return treasury.flatMap((key, channel) => {
      const account = held[channel];
      const isAble = account !== undefined && spendableUnits(account, asset) >= units;
      return isAble ? [{ role: { treasury: channel }, address: key.publicKey() }] : [];
    });
  };
}

async function feeBumpsOn(
  networkPassphrase: string,
  give: SandboxAccounts['give'],
): Promise<Pick<SandboxAccounts, 'feePayer' | 'feeBumps'>> {
  const feePayer = Keypair.random();
  const seeds = { treasurySeed: feePayer.secret(), platformSeed: Keypair.random().secret(), channelCount: 1 };
  await give(feePayer.publicKey(), 'XLM', treasuryAmount);
  const feeBumps: SandboxAccounts['feeBumps'] = ({ assertNotStopped, ...deps }) => {
    const findSealed = (): Promise<never> => Promise.reject(new Error('there is no wallet'));
    const signing = { networkPassphrase, usdcIssuer: '', assertNotStopped, findSealed, validForMsMax, clock, feeBidUnitsMax };
    const { signFeeBump } = createSigner({ seeds, masterKey: 'a master key of the tests' }, signing);
    const unmeasured = { onRefused: () => undefined, onMeasured: () => undefined };
    return createFeeBumps({ ...deps, ...unmeasured, clock, signFeeBump, bidUnitsMax: feeBidUnitsMax });
  };
  return { feePayer, feeBumps };
}

function giver({ controlUrl }: Sandbox): SandboxAccounts['give'] {
  return async (address, asset, amount) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${controlUrl}/faucet`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ address, asset, amount }),
    });
    if (!response.ok) throw new Error(`the faucet responded with ${response.status}: ${await response.text()}`);
  };
}

/** Creates an account with XLM and a USDC trustline. */
function accountOpener(sandbox: Sandbox, network: LedgerNetwork, give: SandboxAccounts['give']): () => Promise<Keypair> {
  const usdc = new Asset('USDC', sandbox.usdcIssuer);
  return async () => {
    const key = Keypair.random();
    await give(key.publicKey(), 'XLM', '100');
    const account = await eventually(() => requireAccount(network, key));
    const source = new Account(key.publicKey(), String(account.sequence));
    const transaction = new TransactionBuilder(source, { fee: BASE_FEE, networkPassphrase: network.networkPassphrase })
      .addOperation(Operation.changeTrust({ asset: usdc }))
      .setTimeout(30)
      .build();
    transaction.sign(key);
    await submitOutside(sandbox, transaction.toXDR());
    return key;
  };
}

/** A node that is behind does not know it yet. */
async function requireAccount(network: LedgerNetwork, key: Keypair): Promise<LedgerAccount> {
  const account = await network.account(key.publicKey());
  if (account === undefined) throw new Error('the network does not know the account');
  return account;
}

function signerWith(keyOf: (role: Role) => Keypair): Sign {
  return (role, unsignedXdr, expectation) => {
    const verified = verifyEnvelope(unsignedXdr, expectation, { at: clock.now(), validForMsMax });
    if (verified.status === 'refused') return Promise.resolve(verified);
    const { envelope } = verified;
    const signature = keyOf(role).signDecorated(Buffer.from(envelope.hash, 'hex'));
    return Promise.resolve({ status: 'signed', envelope: withSignatures(envelope, [signature]) });
  };
}
