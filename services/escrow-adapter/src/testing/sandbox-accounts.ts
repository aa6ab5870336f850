import { Asset, BASE_FEE, Keypair, Operation, Account, TransactionBuilder } from '@stellar/stellar-sdk';
import type { Sandbox } from '@holdfast/sandbox';
import type { MarketplaceId, UserId } from '@holdfast/kernel/ids';
import { systemClock } from '@holdfast/kernel/context';
import { ledgerPayments } from '../wallets/payments/ledger-payments.js';
import { horizonNetwork } from '../wallets/network/horizon-network.js';
import type { LedgerNetwork, Role, Sign, WalletsModule } from '../wallets/ports.js';

/** Accounts on the sandbox's network whose keys the test holds. */
export type SandboxAccounts = Pick<
  WalletsModule,
  'wallets' | 'sign' | 'payments' | 'network' | 'storesUnpublished' | 'prepareWallet'
> & {
  /** Creates an account with XLM and a USDC trustline that does not belong to the platform. */
  readonly openOutside: () => Promise<string>;
  readonly give: (address: string, asset: 'USDC' | 'XLM', amount: string) => Promise<void>;
  readonly keyOf: (role: Role) => Keypair;
};

const channels = 3;
const treasuryAmount = '1000000';

export async function openAccounts(sandbox: Sandbox): Promise<SandboxAccounts> {
  const { horizonUrl, networkPassphrase, usdcIssuer } = sandbox;
  const network = horizonNetwork({ url: horizonUrl, networkPassphrase, usdcIssuer });
  const give = giver(sandbox);
  const open = accountOpener(network, give, new Asset('USDC', usdcIssuer));
  const users = new Map<UserId, Promise<Keypair>>();
  const keys = new Map<UserId, Keypair>();
  const keyOfUser = (userId: UserId): Promise<Keypair> => {
    const known = users.get(userId) ?? open();
    users.set(userId, known);
    return known;
  };
  const platform = await open();
  const treasury = await Promise.all(Array.from({ length: channels }, open));
  for (const key of treasury) {
    await give(key.publicKey(), 'USDC', treasuryAmount);
    await give(key.publicKey(), 'XLM', treasuryAmount);
  }
  const keyOf = (role: Role): Keypair => {
    const key = role === 'platform' ? platform : 'treasury' in role ? treasury[role.treasury] : keys.get(role.user);
    if (key === undefined) throw new Error('there is no key for this role');
    return key;
  };
  return {
    network,
    give,
    keyOf,
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
      treasuryAddress: (channel) => keyOf({ treasury: channel }).publicKey(),
      treasuryChannelCount: channels,
      isOwnAddress: (address) => {
        const own = [platform, ...treasury, ...keys.values()];
        return Promise.resolve(own.some((key) => key.publicKey() === address));
      },
      addressesAt: (place, ownerId) => {
        const held = [...keys].filter(([userId]) => userId === ownerId).map(([, key]) => key);
        const at = { treasury, platform: [platform], wallet: held };
        return Promise.resolve(place in at ? at[place as keyof typeof at].map((key) => key.publicKey()) : []);
      },
    },
    payments: ledgerPayments({ network, usdcIssuer, clock: systemClock() }),
    openOutside: async () => (await open()).publicKey(),
    sign: signerWith(networkPassphrase, keyOf),
    storesUnpublished: false,
    prepareWallet: () => undefined,
  };
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
function accountOpener(network: LedgerNetwork, give: SandboxAccounts['give'], usdc: Asset): () => Promise<Keypair> {
  return async () => {
    const key = Keypair.random();
    await give(key.publicKey(), 'XLM', '100');
    const account = await network.account(key.publicKey());
    const source = new Account(key.publicKey(), String(account?.sequence ?? 0n));
    const transaction = new TransactionBuilder(source, { fee: BASE_FEE, networkPassphrase: network.networkPassphrase })
      .addOperation(Operation.changeTrust({ asset: usdc }))
      .setTimeout(30)
      .build();
    transaction.sign(key);
    const submitted = await network.submit(transaction.toXDR());
    if (submitted.status !== 'landed') throw new Error(`the trustline transaction is ${submitted.status}`);
    return key;
  };
}

function signerWith(networkPassphrase: string, keyOf: (role: Role) => Keypair): Sign {
  return (role, _operation, { bytes }) => {
    const transaction = TransactionBuilder.fromXDR(bytes.toString('base64'), networkPassphrase);
    transaction.sign(keyOf(role));
    return Promise.resolve(transaction.toXDR());
  };
}
