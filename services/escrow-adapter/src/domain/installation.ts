/** The accounts and the network that the data of an installation belong to. */
export type InstallationIdentity = {
  readonly treasuryAddress: string;
  readonly platformAddress: string;
  readonly usdcIssuer: string;
  readonly networkPassphrase: string;
};

export type StoredIdentity = InstallationIdentity & {
  /** The ids of the master keys that may wrap a wallet. */
  readonly masterKeyIds: readonly string[];
};

/** The master keys that a process has. */
export type GivenKeys = { readonly currentId: string; readonly knownIds: readonly string[] };

export type StoredInstallation = {
  readonly stored: StoredIdentity;
  /** The ids of the master keys that wrap wallets which the given keys must open, and whether they do. */
  readonly samples: readonly { readonly masterKeyId: string; readonly isOpened: boolean }[];
};

/**
 * Why the data belong to other accounts, another network or another master key than those given; none where they do not. The first
 * start stores what it is given; on data that are older than this check, only if its master keys open the wallets.
 */
export function installationFaults(
  { stored, samples }: StoredInstallation,
  identity: InstallationIdentity,
  keys: GivenKeys,
): readonly string[] {
  const unopened = samples.filter(({ isOpened }) => !isOpened).map(({ masterKeyId }) => masterKeyId);
  return [...differencesBetween(stored, identity), ...keyFaults(keys, [...unopened, ...unknownOf(keys, stored.masterKeyIds)])];
}

/** Why the given master keys do not suffice for wallets that need these ones. */
export function missingKeyFaults(keys: GivenKeys, needed: readonly string[]): readonly string[] {
  return keyFaults(keys, unknownOf(keys, needed));
}

function unknownOf({ knownIds }: GivenKeys, ids: readonly string[]): readonly string[] {
  return ids.filter((id) => !knownIds.includes(id));
}

const replacing = 'To replace it on purpose follow docs/operations/key-rotation.md.';

function differencesBetween(stored: InstallationIdentity, given: InstallationIdentity): readonly string[] {
  const faultsOf = (property: keyof InstallationIdentity, fault: string): readonly string[] =>
    stored[property] === given[property] ? [] : [fault];
  return [
    ...faultsOf(
      'treasuryAddress',
      `TREASURY_SEED is the seed of ${given.treasuryAddress}, but the treasury of this installation is ${stored.treasuryAddress}: start with the seed of that account. ${replacing}`,
    ),
    ...faultsOf(
      'platformAddress',
      `PLATFORM_SEED is the seed of ${given.platformAddress}, but the platform's account of this installation is ${stored.platformAddress}: start with the seed of that account. ${replacing}`,
    ),
    ...faultsOf(
      'usdcIssuer',
      `USDC_ISSUER is ${given.usdcIssuer}, but the balances of this installation are USDC of ${stored.usdcIssuer}: start with that issuer, or with another database.`,
    ),
    ...faultsOf(
      'networkPassphrase',
      `LEDGER_NETWORK_PASSPHRASE is "${given.networkPassphrase}", but this installation belongs to the network "${stored.networkPassphrase}": start with that passphrase, or with another database.`,
    ),
  ];
}

function keyFaults({ knownIds, currentId }: GivenKeys, missing: readonly string[]): readonly string[] {
  const given = knownIds.length > 1 ? `, WALLET_MASTER_KEY_PREVIOUS has the id ${knownIds.at(-1)}` : '';
  return [...new Set(missing)].map(
    (id) =>
      `WALLET_MASTER_KEY has the id ${currentId}${given}, but wallets of this installation need the key with the id ${id}: start with that key. ` +
      `To replace it, or if it is being replaced, give it as WALLET_MASTER_KEY_PREVIOUS until npm run rotate-wallet-keys has ended.`,
  );
}
