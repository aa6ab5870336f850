import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { writeDurably } from './files.js';
import { randomText, readSecretFile } from './secret-files.js';
import { previousWalletKeyFile, readPreviousWalletKey, walletKeyFile } from './wallet-key.js';

type SecretKind = {
  readonly file: string;
  /** The setting from which a process reads it. */
  readonly variable: string;
  readonly description: string;
  readonly create: () => string | Promise<string>;
};

const kinds = {
  /** Has every scope; the only credential until API keys are created. */
  masterKey: { file: 'master-key', variable: 'MASTER_KEY', description: 'the key', create: () => `hk_master_${randomText()}` },
  /** Signs callers between the processes of an installation. */
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
    description: 'the escrow webhook secret',
    create: () => `esc_whsec_${randomText()}`,
  },
  paymentWebhookSecret: {
    file: 'payment-webhook-secret',
    variable: 'PAYMENT_WEBHOOK_SECRET',
    description: 'the payment webhook secret',
    create: () => `whsec_${randomBytes(32).toString('base64')}`,
  },
} as const satisfies Readonly<Record<string, SecretKind>>;

export type SecretName = keyof typeof kinds;
export type Secrets = Readonly<Record<SecretName, string>> & {
  /** Only while a rotation of the stored key is not finished: until then both are needed. */
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
  'paymentWebhookSecret',
] as const satisfies readonly SecretName[];

export const secretVariableNames: readonly string[] = names.map((name) => kinds[name].variable);
export const secretFileNames: readonly string[] = [...names.map((name) => kinds[name].file), previousWalletKeyFile];

/** Secrets from the environment are used and not stored; the others are generated at the first start and stored. */
export async function loadSecrets(dataDir: string, given: GivenSecrets): Promise<Secrets> {
  const load = async (name: SecretName): Promise<string> => given[name] ?? readOrCreate(dataDir, name);
  const previous = given.walletMasterKey === undefined ? readPreviousWalletKey(dataDir) : undefined;
  return {
    ...(previous === undefined ? {} : { walletMasterKeyPrevious: previous }),
    masterKey: await load('masterKey'),
    internalSecret: await load('internalSecret'),
    walletMasterKey: await load('walletMasterKey'),
    treasurySeed: await load('treasurySeed'),
    platformSeed: await load('platformSeed'),
    escrowWebhookSecret: await load('escrowWebhookSecret'),
    paymentWebhookSecret: await load('paymentWebhookSecret'),
  };
}

/** The secrets as settings of the processes: MASTER_KEY and so on. */
export function secretVariables(secrets: Secrets): Readonly<Record<string, string>> {
  const { walletMasterKeyPrevious: previous } = secrets;
  const variables = Object.fromEntries(names.map((name) => [kinds[name].variable, secrets[name]]));
  return previous === undefined ? variables : { ...variables, WALLET_MASTER_KEY_PREVIOUS: previous };
}

/** Descriptions of the secrets that are stored in the data folder, for the banner. */
export function secretsKept(given: GivenSecrets): readonly string[] {
  return names.filter((name) => given[name] === undefined).map((name) => kinds[name].description);
}

/** The stored secret, or undefined where none was generated. */
export function readSecret(dataDir: string, name: SecretName): string | undefined {
  return readSecretFile(path.join(dataDir, kinds[name].file));
}

async function readOrCreate(dataDir: string, name: SecretName): Promise<string> {
  const stored = readSecret(dataDir, name);
  if (stored !== undefined) return stored;
  const created = await kinds[name].create();
  writeDurably(path.join(dataDir, kinds[name].file), `${created}\n`);
  return created;
}

/** The SDK is large and needed only once, so it is loaded on demand. */
async function newSeed(): Promise<string> {
  const { createSeed } = await import('./create-seed.js');
  return createSeed();
}
