import { StrKey } from '@stellar/stellar-sdk';
import { purposeKeys } from '@holdfast/kernel/secrets';
import { signingKeyOf, type SigningKey } from './ed25519.js';

/** Keys of the platform's own accounts: the treasury, its channels, and the account that earns fees. */
export type PlatformKeys = {
  readonly treasury: SigningKey;
  /** Derived from the treasury's seed, so that no other secret has to be stored. */
  readonly channels: readonly SigningKey[];
  readonly platform: SigningKey;
};

/** The addresses of the platform's own accounts. */
export type PlatformAccounts = { readonly treasury: string; readonly channels: readonly string[]; readonly platform: string };

/** Seeds as the network writes them (S…). */
export type PlatformSeeds = { readonly treasurySeed: string; readonly platformSeed: string; readonly channelCount: number };

export function platformAccounts(seeds: PlatformSeeds): PlatformAccounts {
  const { treasury, channels, platform } = platformKeys(seeds);
  return { treasury: treasury.address, channels: channels.map(({ address }) => address), platform: platform.address };
}

export function platformKeys(given: PlatformSeeds): PlatformKeys {
  const treasurySeed = StrKey.decodeEd25519SecretSeed(given.treasurySeed);
  const channelSeed = purposeKeys(treasurySeed);
  return {
    treasury: signingKeyOf(treasurySeed),
    channels: Array.from({ length: given.channelCount }, (_, channel) =>
      signingKeyOf(channelSeed(`treasury channel ${channel}`)),
    ),
    platform: signingKeyOf(StrKey.decodeEd25519SecretSeed(given.platformSeed)),
  };
}
