import { xdr } from '@stellar/stellar-sdk';
import { AppError } from '@holdfast/kernel/errors';
import type { UserId } from '@holdfast/kernel/ids';
import { withSignatures, type ParsedEnvelope } from '../../transactions/envelope.js';
import { signHash, type SigningKey } from '../keys/ed25519.js';
import type { PlatformKeys } from '../keys/platform-keys.js';
import type { Role, SignedOperation } from '../ports.js';
import { refuseForeign, refuseUnsignable, type SignerKind } from './may-sign.js';

/** Beyond the roles that others may name, the treasury's own account signs what is built for it here. */
export type SigningRole = Role | 'treasury';

/** Signs one envelope for several roles, each for its own part of the operation. Either all have signed, or nobody has. */
export type SignForRoles = (
  roles: readonly SigningRole[],
  operation: SignedOperation,
  envelope: ParsedEnvelope,
) => Promise<string>;

export type SignableWallet = {
  readonly address: string;
  /** Opens its key; nothing may keep it for long. */
  readonly openKey: () => SigningKey;
};

export type SignerDeps = {
  readonly networkPassphrase: string;
  readonly platformKeys: PlatformKeys;
  readonly findWallet: (userId: UserId) => Promise<SignableWallet | undefined>;
};

/** The only way to a signature: role, operation and transaction in, the envelope with their signatures out. */
export function createSigner(deps: SignerDeps): SignForRoles {
  const { networkPassphrase, platformKeys } = deps;
  const treasuryAddress = platformKeys.treasury.address;
  return async (roles, operation, envelope) => {
    refuseUnsignable(envelope, networkPassphrase);
    const signers = await Promise.all(roles.map((role) => signerOf(deps, role)));
    for (const { kind, address } of signers) refuseForeign(envelope, { kind, operation, address, treasuryAddress });
    const hash = Buffer.from(envelope.hash, 'hex');
    return withSignatures(
      envelope,
      signers.map(({ key }) => signatureOf(key(), hash)),
    );
  };
}

type Signer = { readonly kind: SignerKind; readonly address: string; readonly key: () => SigningKey };

/** The address is known before the key is opened: what is refused never gets as far as the key. */
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
