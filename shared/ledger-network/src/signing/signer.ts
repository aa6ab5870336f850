import { xdr } from '@stellar/stellar-sdk';
import type { Clock } from '@holdfast/kernel/context';
import { compareText, verifyEnvelope, type Expectation, type Mismatch, type Verification } from '../expectations/index.js';
import {
  encodeEnvelope,
  signedBytes,
  withSignatures,
  type EncodedEnvelope,
  type OnDecoded,
  type ParsedEnvelope,
} from '../envelopes/index.js';
import { signHash, type SigningKey } from './keys/ed25519.js';
import type { PlatformKeys } from './keys/platform-keys.js';
import { buildFeeBump, type SignFeeBump } from '../fee-bumps/index.js';
import { assertFeeBump } from './fee-bump-part.js';
import { assertTreasuryPart, type TreasuryPurpose } from './treasury-part.js';

/** The signer: the wallet of an owner, the platform account, or a channel account of the treasury. */
export type Role = { readonly wallet: string } | 'platform' | { readonly treasury: number };

/** What was decoded is what was compared and signed. A refused transaction was not signed, and no key was opened for it. */
export type SigningResult =
  /** The signed envelope, or the mismatch that refused it. */
  { readonly status: 'signed'; readonly envelope: ParsedEnvelope } | { readonly status: 'refused'; readonly mismatch: Mismatch };

/**
 * Decodes a transaction, compares every field with the expected transaction, and signs it. Only transactions of the treasury, which
 * the platform builds itself, are signed elsewhere.
 */
export type Sign = (role: Role, unsignedXdr: string, expectation: Expectation) => Promise<SigningResult>;

/** The treasury's own account is a role only of its own transactions. */
export type SigningRole = Role | 'treasury';

/** Signs a transaction that the treasury built, for several roles. Either all of them sign, or none. */
export type SignForTreasury = (
  roles: readonly SigningRole[],
  operation: TreasuryPurpose,
  envelope: ParsedEnvelope,
) => Promise<ParsedEnvelope>;

export type SignableWallet = {
  readonly address: string;
  /** Decrypts the key; callers must not keep it. */
  readonly openKey: () => SigningKey;
};

export type SignerDeps = {
  readonly networkPassphrase: string;
  readonly usdcIssuer: string;
  readonly platformKeys: PlatformKeys;
  /** Throws while nothing may be signed. */
  readonly assertNotStopped: () => Promise<void>;
  /** Throws for an owner without a wallet. */
  readonly findWallet: (owner: string) => Promise<SignableWallet>;
  readonly clock: Clock;
  /** The longest validity of a transaction that is signed. */
  readonly validForMsMax: number;
  /** The highest bid of a fee bump for each operation, in units of 10^-7 XLM. */
  readonly feeBidUnitsMax: bigint;
  readonly onDecoded?: OnDecoded | undefined;
};

export type TransactionSigner = {
  readonly sign: Sign;
  readonly signForTreasury: SignForTreasury;
  readonly signFeeBump: SignFeeBump;
};

/** Every signature is made here. */
export function signerWith(deps: SignerDeps): TransactionSigner {
  return {
    sign: async (role, unsignedXdr, expectation) => {
      await deps.assertNotStopped();
      const signer = await signerOf(deps, role);
      const verified = verify(deps, signer.address, unsignedXdr, expectation);
      if (verified.status === 'refused') return verified;
      const { envelope } = verified;
      return { status: 'signed', envelope: withSignatures(envelope, [signatureOf(signer.key(), envelope)]) };
    },
    signForTreasury: async (roles, operation, envelope) => {
      await deps.assertNotStopped();
      const signers = await Promise.all(roles.map((role) => signerOf(deps, role)));
      const { networkPassphrase, usdcIssuer, platformKeys } = deps;
      const own = {
        treasuryAddress: platformKeys.treasury.address,
        channelAddresses: platformKeys.channels.map(({ address }) => address),
        platformAddress: platformKeys.platform.address,
      };
      for (const { address } of signers)
        assertTreasuryPart(envelope, { ...own, operation, address, networkPassphrase, usdcIssuer });
      return withSignatures(
        envelope,
        signers.map(({ key }) => signatureOf(key(), envelope)),
      );
    },
    signFeeBump: async (inner, { hash, bidUnits }) => {
      await deps.assertNotStopped();
      const { networkPassphrase, feeBidUnitsMax } = deps;
      assertFeeBump(inner, { hash, bidUnits, bidUnitsMax: feeBidUnitsMax, networkPassphrase });
      const { treasury } = deps.platformKeys;
      const bump = buildFeeBump(inner, { feeSource: treasury.publicKey, bidUnits });
      return encodeEnvelope({ bytes: signedBytes(bump, [signatureOf(treasury, bump)]) });
    },
  };
}

/** The expectation was made for one signer and one network; a key of another one does not sign it. */
function verify(
  { networkPassphrase, clock, validForMsMax, onDecoded }: SignerDeps,
  address: string,
  unsignedXdr: string,
  expectation: Expectation,
): Verification {
  const mismatch =
    compareText('network', networkPassphrase, expectation.networkPassphrase) ??
    compareText('signer', address, expectation.signer);
  if (mismatch !== undefined) return { status: 'refused', mismatch };
  onDecoded?.('build');
  return verifyEnvelope(unsignedXdr, expectation, { at: clock.now(), validForMsMax });
}

type Signer = { readonly address: string; readonly key: () => SigningKey };

/** The address is known without opening the key, so a refused envelope never opens it. */
async function signerOf({ platformKeys, findWallet }: SignerDeps, role: SigningRole): Promise<Signer> {
  const signable = (key: SigningKey): Signer => ({ address: key.address, key: () => key });
  if (role === 'treasury') return signable(platformKeys.treasury);
  if (role === 'platform') return signable(platformKeys.platform);
  if ('treasury' in role) {
    const channel = platformKeys.channels[role.treasury];
    if (channel === undefined) throw new RangeError(`the treasury has no channel ${role.treasury}`);
    return signable(channel);
  }
  const wallet = await findWallet(role.wallet);
  return { address: wallet.address, key: wallet.openKey };
}

const hintBytes = 4;

function signatureOf(key: SigningKey, { hash }: EncodedEnvelope): xdr.DecoratedSignature {
  const signature = signHash(key, Buffer.from(hash, 'hex'));
  return new xdr.DecoratedSignature({ hint: key.publicKey.subarray(-hintBytes), signature });
}
