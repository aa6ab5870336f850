import path from 'node:path';
import { writeDurably } from './files.js';
import { randomText, readSecretFile } from './secret-files.js';
import { previousWalletKeyFile, readPreviousWalletKey, walletKeyFile } from './wallet-key.js';

type SecretKind = {
  readonly file: string;
  /** The variable that a part reads it from. */
  readonly variable: string;
  readonly description: string;
  readonly create: () => string | Promise<string>;
};

const kinds = {
  /** Opens every route; the only credential there is at first. */
  masterKey: { file: 'master-key', variable: 'MASTER_KEY', description: 'the key', create: () => `hk_master_${randomText()}` },
  /** What the parts of an installation prove themselves to each other with. */
  internalSecret: {
    file: 'internal-secret',
    variable: 'INTERNAL_SECRET',
    description: 'the internal secret',
    create: randomText,
  },
  walletMasterKey: {
    file: walletKeyFile,
    variable: 'WALLET_MASTER_KEY',
    description: 'the keys of all wallets',
    create: randomText,
  },
  treasurySeed: { file: 'treasury-seed', variable: 'TREASURY_SEED', description: "the treasury's seed", create: newSeed },
  platformSeed: { file: 'platform-seed', variable: 'PLATFORM_SEED', description: "the platform's seed", create: newSeed },
  escrowWebhookSecret: {
    file: 'escrow-webhook-secret',
    variable: 'ESCROW_WEBHOOK_SECRET',
    description: 'the webhook secret',
    create: () => `esc_whsec_${randomText()}`,
  },
} as const satisfies Readonly<Record<string, SecretKind>>;

export type SecretName = keyof typeof kinds;
export type Secrets = Readonly<Record<SecretName, string>> & {
  /** Only while a rotation of the kept one is not through: until then both are needed. */
  readonly walletMasterKeyPrevious?: string;
};
export type GivenSecrets = Readonly<Partial<Record<SecretName, string | undefined>>>;

const names = [
  'masterKey',
  'internalSecret',
  'walletMasterKey',
  'treasurySeed',
  'platformSeed',
  'escrowWebhookSecret',
] as const satisfies readonly SecretName[];

export const secretVariableNames: readonly string[] = names.map((name) => kinds[name].variable);
export const secretFileNames: readonly string[] = [...names.map((name) => kinds[name].file), previousWalletKeyFile];

/** Given secrets are used and not kept; the others are made at the first start and stay the same from then on. */
export async function loadSecrets(dataDir: string, given: GivenSecrets): Promise<Secrets> {
  const keep = async (name: SecretName): Promise<string> => given[name] ?? readOrCreate(dataDir, name);
  const previous = given.walletMasterKey === undefined ? readPreviousWalletKey(dataDir) : undefined;
  return {
    ...(previous === undefined ? {} : { walletMasterKeyPrevious: previous }),
    masterKey: await keep('masterKey'),
    internalSecret: await keep('internalSecret'),
    walletMasterKey: await keep('walletMasterKey'),
    treasurySeed: await keep('treasurySeed'),
    platformSeed: await keep('platformSeed'),
    escrowWebhookSecret: await keep('escrowWebhookSecret'),
  };
}

/** How the parts are told: MASTER_KEY and so on. */
export function secretVariables(secrets: Secrets): Readonly<Record<string, string>> {
  const { walletMasterKeyPrevious: previous } = secrets;
  const variables = Object.fromEntries(names.map((name) => [kinds[name].variable, secrets[name]]));
  return previous === undefined ? variables : { ...variables, WALLET_MASTER_KEY_PREVIOUS: previous };
}

/** What of them is in the data folder, in words. */
export function secretsKept(given: GivenSecrets): readonly string[] {
  return names.filter((name) => given[name] === undefined).map((name) => kinds[name].description);
}

/** The secret as it is kept, or undefined where none was ever made. */
export function readSecret(dataDir: string, name: SecretName): string | undefined {
  return readSecretFile(path.join(dataDir, kinds[name].file));
}

async function readOrCreate(dataDir: string, name: SecretName): Promise<string> {
  const kept = readSecret(dataDir, name);
  if (kept !== undefined) return kept;
  const made = await kinds[name].create();
  writeDurably(path.join(dataDir, kinds[name].file), `${made}\n`);
  return made;
}

/** The SDK is large and needed for this only once. */
async function newSeed(): Promise<string> {
  const { Keypair } = await import('@stellar/stellar-sdk');
  return Keypair.random().secret();
}
