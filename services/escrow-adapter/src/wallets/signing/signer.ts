import { xdr } from '@stellar/stellar-sdk';
import { AppError } from '@holdfast/kernel/errors';
import type { UserId } from '@holdfast/kernel/ids';
import { withSignatures, type ParsedEnvelope } from '../../transactions/envelope.js';
import { signHash, type SigningKey } from '../keys/ed25519.js';
import type { PlatformKeys } from '../keys/platform-keys.js';
import type { Role, SignedOperation } from '../ports.js';
import { assertMaySign, assertSignable, type SignerKind } from './may-sign.js';

/** The treasury's own account is a role only within this folder. */
export type SigningRole = Role | 'treasury';

/** Signs one envelope for several roles. Either all of them sign, or none. */
export type SignForRoles = (
  roles: readonly SigningRole[],
  operation: SignedOperation,
  envelope: ParsedEnvelope,
) => Promise<string>;

export type SignableWallet = {
  readonly address: string;
  /** Decrypts the key; callers must not keep it. */
  readonly openKey: () => SigningKey;
};

export type SignerDeps = {
  readonly networkPassphrase: string;
  readonly platformKeys: PlatformKeys;
  /** Throws while nothing may be signed. */
  readonly assertNotStopped: () => Promise<void>;
  readonly findWallet: (userId: UserId) => Promise<SignableWallet | undefined>;
};

/** Every signature of the service is made here, after the checks of `may-sign`. */
export function createSigner(deps: SignerDeps): SignForRoles {
  const { networkPassphrase, platformKeys } = deps;
  const treasuryAddress = platformKeys.treasury.address;
  return async (roles, operation, envelope) => {
    await deps.assertNotStopped();
    assertSignable(envelope, networkPassphrase);
    const signers = await Promise.all(roles.map((role) => signerOf(deps, role)));
    for (const { kind, address } of signers) assertMaySign(envelope, { kind, operation, address, treasuryAddress });
    const hash = Buffer.from(envelope.hash, 'hex');
    return withSignatures(
      envelope,
      signers.map(({ key }) => signatureOf(key(), hash)),
    );
  };
}

type Signer = { readonly kind: SignerKind; readonly address: string; readonly key: () => SigningKey };

/** The address is known without opening the key, so a refused envelope never opens it. */
async function signerOf({ platformKeys, findWallet }: SignerDeps, role: SigningRole): Promise<Signer> {
  const signable = (kind: SignerKind, key: SigningKey): Signer => ({ kind, address: key.address, key: () => key });
  if (role === 'treasury') return signable('treasury', platformKeys.treasury);
  if (role === 'platform') return signable('platform', platformKeys.platform);
  if ('treasury' in role) {
    const channel = platformKeys.channels[role.treasury];
    if (channel === undefined) throw new RangeError(`the treasury has no channel ${role.treasury}`);
    return signable('channel', channel);
  }
  const wallet = await findWallet(role.user);
  if (wallet === undefined) throw new AppError('WALLET_NOT_FOUND', { userId: role.user });
  return { kind: 'user', address: wallet.address, key: wallet.openKey };
}

const hintBytes = 4;

function signatureOf(key: SigningKey, hash: Buffer): xdr.DecoratedSignature {
  return new xdr.DecoratedSignature({ hint: key.publicKey.subarray(-hintBytes), signature: signHash(key, hash) });
}
