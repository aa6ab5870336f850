import { xdr, type Transaction } from '@stellar/stellar-sdk';
import { AppError } from '@holdfast/shared/errors';
import type { UserId } from '@holdfast/shared/ids';
import { signHash, type SigningKey } from '../keys/ed25519.js';
import type { PlatformKeys } from '../keys/platform-keys.js';
import type { Role, SignedOperation } from '../ports.js';
import { readSignable, type SignerKind } from './may-sign.js';

/** Beyond the roles that others may name, the treasury's own account signs what is built for it here. */
export type SigningRole = Role | 'treasury';

export type SignAs = (role: SigningRole, operation: SignedOperation, envelopeXdr: string) => Promise<string>;

export type SignerDeps = {
  readonly networkPassphrase: string;
  readonly platformKeys: PlatformKeys;
  readonly walletAddress: (userId: UserId) => Promise<string | undefined>;
  /** Opens the wallet's key; nothing may keep it for longer than the signature takes. */
  readonly walletKey: (userId: UserId) => Promise<SigningKey | undefined>;
};

/** The only way to a signature: role, operation and transaction in, the envelope with one more signature out. */
export function createSigner(deps: SignerDeps): SignAs {
  const { networkPassphrase, platformKeys } = deps;
  return async (role, operation, envelopeXdr) => {
    const signer = await signerOf(deps, role);
    const { kind, address } = signer;
    const asked = { kind, operation, address, treasuryAddress: platformKeys.treasury.address };
    const transaction = readSignable(envelopeXdr, networkPassphrase, asked);
    addSignature(transaction, await signer.key());
    return transaction.toXDR();
  };
}

type Signer = { readonly kind: SignerKind; readonly address: string; readonly key: () => Promise<SigningKey> };

/** The address is known before the key is opened: what is refused never gets as far as the key. */
async function signerOf({ platformKeys, walletAddress, walletKey }: SignerDeps, role: SigningRole): Promise<Signer> {
  const held = (kind: SignerKind, key: SigningKey): Signer => ({ kind, address: key.address, key: () => Promise.resolve(key) });
  if (role === 'treasury') return held('treasury', platformKeys.treasury);
  if (role === 'platform') return held('platform', platformKeys.platform);
  if ('treasury' in role) {
    const channel = platformKeys.channels[role.treasury];
    if (channel === undefined) throw new RangeError(`the treasury has no channel ${role.treasury}`);
    return held('channel', channel);
  }
  const { user } = role;
  const address = await walletAddress(user);
  if (address === undefined) throw new AppError('WALLET_NOT_FOUND', { userId: user });
  const key = async (): Promise<SigningKey> => {
    const opened = await walletKey(user);
    if (opened === undefined) throw new AppError('WALLET_NOT_FOUND', { userId: user });
    return opened;
  };
  return { kind: 'user', address, key };
}

const hintBytes = 4;

function addSignature(transaction: Transaction, key: SigningKey): void {
  const hint = key.publicKey.subarray(-hintBytes);
  transaction.signatures.push(new xdr.DecoratedSignature({ hint, signature: signHash(key, transaction.hash()) }));
}
