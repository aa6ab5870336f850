import { Networks, StrKey } from '@stellar/stellar-sdk';
import { z } from 'zod';
import {
  amountSetting,
  booleanSetting,
  choiceSetting,
  countSetting,
  durationMsSetting,
  emergencyStopSetting,
  optionalSetting,
  secretSetting,
  textSetting,
  urlSetting,
  serviceUrlSetting,
  settlementTimeoutSettings,
} from '@holdfast/process/config';
import { isSharedNetwork } from '@holdfast/ledger-network/horizon';
import { depositCredits } from './domain/credited-currency.js';

const factory = (type: string) =>
  textSetting({
    description: `The contract that deploys ${type} escrows`,
    form: { expected: 'the address of a contract (C…)', isMet: (text) => StrKey.isValidContract(text) },
  });
const wasmHash = (type: string) =>
  textSetting({
    description: `The hash of the code of ${type} escrows`,
    form: { expected: 'a SHA-256 hash of 64 hex digits in lower case', isMet: (text) => /^[0-9a-f]{64}$/.test(text) },
  });

/** Wallets, treasury and ledger network. */
const walletSettings = {
  LEDGER_BALANCE_URL: serviceUrlSetting('ledger-balance'),
  LEDGER_HORIZON_URL: urlSetting({ description: "Base URL of the ledger network's Horizon", protocols: ['http', 'https'] }),
  LEDGER_HORIZON_SECOND_URL: optionalSetting(
    urlSetting({
      description:
        "Base URL of another operator's Horizon. It confirms deposits that are older than what the RPC remembers and have left their wallet.",
      protocols: ['http', 'https'],
    }),
  ),
  LEDGER_RPC_URL: urlSetting({ description: "URL of the ledger network's RPC", protocols: ['http', 'https'] }),
  LEDGER_NETWORK_PASSPHRASE: textSetting({ description: 'The passphrase of the ledger network' }),
  LEDGER_NETWORK_NAME: textSetting({
    description: 'Name of the network that users see',
    default: 'sandbox',
    lengthMax: 50,
  }),
  USDC_ISSUER: textSetting({ description: 'The account that issues USDC on the ledger network' }),
  LEDGER_FAUCET_URL: optionalSetting(
    urlSetting({
      description:
        'Test networks only: faucet that fills the treasury, by POST { address, asset, amount, reference }; the same reference is paid once',
      protocols: ['http', 'https'],
    }),
  ),
  TREASURY_SEED: secretSetting({ description: "The seed (S…) of the treasury's account; its channel accounts follow from it" }),
  PLATFORM_SEED: secretSetting({ description: 'The seed (S…) of the account that earns fees and resolves disputes' }),
  WALLET_MASTER_KEY: secretSetting({ description: 'Encrypts the data keys of all wallets; without it the wallets are lost' }),
  WALLET_MASTER_KEY_PREVIOUS: optionalSetting(
    secretSetting({ description: 'The master key before a rotation, until every wallet is rewrapped' }),
  ),
  TREASURY_CHANNELS: countSetting({
    description: 'Number of channel accounts through which the treasury funds contracts in parallel',
    default: 8,
    min: 1,
    max: 16,
  }),
  TREASURY_LOW_USDC: countSetting({
    description: 'USDC balance of the treasury below which a warning is logged',
    default: 10_000,
    min: 0,
    max: 1_000_000_000,
  }),
  TREASURY_SPENDING_PER_HOUR_MAX: optionalSetting(
    countSetting({
      description:
        'What the treasury pays within an hour at most into contracts, to withdrawals and, in XLM, for the fees of all transactions, in whole tokens of each asset; beyond it payments wait. Required on the public network.',
      min: 1,
      max: 1_000_000_000,
    }),
  ),
  TREASURY_TRANSFER_APPROVAL_AMOUNT: optionalSetting(
    amountSetting({
      description:
        'Transfers out of the treasury that are announced with `npm run treasury` need a second person above this amount, in tokens. By default none does.',
    }),
  ),
  LEDGER_FEE_BID_MAX: countSetting({
    description:
      'The highest bid for a place in a ledger, for each operation, in stroops (10^-7 XLM). The network charges less where less is enough.',
    default: 1_000_000,
    min: 100,
    max: 100_000_000,
  }),
  DEPOSIT_CREDITS: choiceSetting(depositCredits, {
    description:
      'The balance that a USDC deposit is credited to: the balance in the asset (USDC), or in the base currency (USD), one to one',
    default: 'asset',
  }),
  DEPOSIT_MINIMUM_USDC: amountSetting({
    description: 'Smaller deposits of USDC are credited together, once their sum in a wallet reaches this amount',
    default: '0.01',
  }),
  DEPOSIT_MINIMUM_XLM: amountSetting({
    description: 'Smaller deposits of XLM are credited together, once their sum in a wallet reaches this amount',
    default: '0.1',
  }),
  DEPOSIT_UNCONFIRMED_AFTER_MS: durationMsSetting({
    description: 'A reconciliation case is opened about a deposit that nothing has confirmed for so long',
    default: 86_400_000,
    min: 100,
  }),
  UNKNOWN_OUTFLOW_STOPS: optionalSetting(
    booleanSetting({
      description:
        'Whether tokens that leave an account of the platform in a transaction which it has not made turn the emergency stop on. By default true on the test network and the public one, false with the sandbox.',
    }),
  ),
  WALLET_ACTIVATIONS_PER_HOUR_MAX: optionalSetting(
    countSetting({
      description:
        'Accounts on the ledger network that a marketplace may request within an hour, because the treasury holds their reserves; 0 means no limit. By default 1000 on the test network and the public one, no limit with the sandbox.',
      min: 0,
      max: 1_000_000,
    }),
  ),
  WALLET_SWEEP_EVERY_MS: durationMsSetting({
    description: 'How often wallets are checked for tokens that belong to the treasury',
    default: 30_000,
    min: 50,
  }),
  LEDGER_WATCH_EVERY_MS: optionalSetting(
    durationMsSetting({
      description:
        "How often the ledger network's history is read. By default 1000 over http, and 5000 over https, the time of a ledger.",
      min: 10,
    }),
  ),
  LEDGER_HISTORY_CALLS_PER_MINUTE: optionalSetting(
    countSetting({
      description:
        "Calls for the history that the ledger network's Horizon allows, over all replicas; 0 means no limit. By default 50 over https, no limit over http.",
      min: 0,
      max: 100_000,
    }),
  ),
};

/** The contracts that this service signs for. Everything else is refused. */
const contractSettings = {
  ESCROW_VERSION_SINGLE: choiceSetting(['single-v1', 'single-v1-mainnet'], {
    description: 'The version of the single-release contracts: their functions and arguments',
    default: 'single-v1',
  }),
  ESCROW_VERSION_MULTI: choiceSetting(['multi-v1', 'multi-v1-mainnet'], {
    description: 'The version of the multi-release contracts: their functions and arguments',
    default: 'multi-v1',
  }),
  ESCROW_FACTORY_SINGLE: factory('single-release'),
  ESCROW_FACTORY_MULTI: factory('multi-release'),
  ESCROW_WASM_HASH_SINGLE: wasmHash('single-release'),
  ESCROW_WASM_HASH_MULTI: wasmHash('multi-release'),
  ESCROW_FEE_ADDRESS: textSetting({
    description: "The account that gets the escrow provider's fee",
    form: { expected: 'the address of an account (G…)', isMet: (text) => StrKey.isValidEd25519PublicKey(text) },
  }),
  ESCROW_VALID_MS_MAX: durationMsSetting({
    description: 'How long a transaction may be valid to be signed',
    default: 600_000,
    min: 1_000,
  }),
};

export const settings = z
  .object({
    ...walletSettings,
    ...contractSettings,
    IDENTITY_URL: serviceUrlSetting('identity'),
    EMERGENCY_STOP: emergencyStopSetting(),
    ESCROW_PROVIDER_URL: urlSetting({ description: 'Base URL of the escrow provider.', protocols: ['http', 'https'] }),
    ESCROW_PROVIDER_API_KEY: secretSetting({ description: 'API key of the escrow provider.' }),
    ESCROW_PROVIDER_CALLS_PER_MINUTE: optionalSetting(
      countSetting({
        description:
          'Calls that the escrow provider allows, over all replicas; 0 means no limit. By default 50 over https, no limit over http.',
        min: 0,
        max: 100_000,
      }),
    ),
    ESCROW_WEBHOOK_SECRET: optionalSetting(
      secretSetting({
        description: 'Verifies the signature of provider events. Required in production.',
        prefix: 'esc_whsec_',
      }),
    ),
    ESCROW_INTENTS_CONCURRENT_MAX: countSetting({
      description: 'Maximum number of intents that one process runs concurrently.',
      default: 64,
      min: 1,
      max: 1_000,
    }),
    ESCROW_CHECK_EVERY_MS: durationMsSetting({
      description: 'How often each funded contract is checked for changes made outside this platform.',
      default: 600_000,
      min: 100,
    }),
    SETTLEMENT_TIMEOUT_MS: settlementTimeoutSettings.SETTLEMENT_TIMEOUT_MS,
    SAGA_ABORT_AFTER_MS: durationMsSetting({
      description:
        'The same value as in orders: a younger saga run cannot be resolved, unless it is known to be past its point of no return. Also the longest time that an intent waits for the call budget or for a provider that is behind.',
      default: 600_000,
      min: 10,
    }),
    SAGA_RESOLVE_APPROVAL_AMOUNT: optionalSetting(
      amountSetting({
        description:
          "Orders above this amount, in the order's currency, need a second person to resolve a saga run. By default none does.",
      }),
    ),
    NODE_ENV: optionalSetting(textSetting({ description: 'In production secrets must be given, and long.', lengthMax: 50 })),
  })
  .superRefine(({ NODE_ENV, ESCROW_WEBHOOK_SECRET, LEDGER_NETWORK_PASSPHRASE, TREASURY_SPENDING_PER_HOUR_MAX }, issues) => {
    const report = (message: string): void => issues.addIssue({ code: 'custom', message });
    if (NODE_ENV === 'production' && ESCROW_WEBHOOK_SECRET === undefined)
      report('ESCROW_WEBHOOK_SECRET is missing; in production provider events must be signed');
    if (isPublicNetwork(LEDGER_NETWORK_PASSPHRASE) && TREASURY_SPENDING_PER_HOUR_MAX === undefined)
      report('TREASURY_SPENDING_PER_HOUR_MAX is missing; on the public network the treasury has a spending cap');
  });

const publicPassphrase: string = Networks.PUBLIC;

function isPublicNetwork(passphrase: string): boolean {
  return passphrase === publicPassphrase;
}

export type Settings = z.output<typeof settings>;

/** The history of a shared network before the platform's first start is about strangers only. */
export function historyBeginningOf({ LEDGER_NETWORK_PASSPHRASE: passphrase }: Settings): 'first' | 'newest' {
  return isSharedNetwork(passphrase) ? 'newest' : 'first';
}

const watchEveryMsDefault = { http: 1_000, https: 5_000 };

export function watchEveryMsOf({ LEDGER_HORIZON_URL: url, LEDGER_WATCH_EVERY_MS: set }: Settings): number {
  return set ?? watchEveryMsDefault[url.startsWith('https:') ? 'https' : 'http'];
}

const sharedActivationsMax = 1_000;

/** Undefined means no limit. */
export function activationsPerHourMaxOf(config: Settings): number | undefined {
  const set = config.WALLET_ACTIVATIONS_PER_HOUR_MAX;
  const max = set ?? (isSharedNetwork(config.LEDGER_NETWORK_PASSPHRASE) ? sharedActivationsMax : 0);
  return max === 0 ? undefined : max;
}

/** The secrets and limits of the signer. */
export function signingSettingsOf(config: Settings) {
  const { TREASURY_SEED: treasurySeed, PLATFORM_SEED: platformSeed, TREASURY_CHANNELS: channelCount } = config;
  const { WALLET_MASTER_KEY: masterKey, WALLET_MASTER_KEY_PREVIOUS: previousMasterKey } = config;
  return {
    secrets: { seeds: { treasurySeed, platformSeed, channelCount }, masterKey, previousMasterKey },
    limits: { validForMsMax: config.ESCROW_VALID_MS_MAX, feeBidUnitsMax: BigInt(config.LEDGER_FEE_BID_MAX) },
  };
}

type Accounts = { readonly treasury: string; readonly platform: string };

/** What may never change on the same data. */
export function identityOf(config: Settings, { treasury, platform }: Accounts) {
  const { USDC_ISSUER: usdcIssuer, LEDGER_NETWORK_PASSPHRASE: networkPassphrase } = config;
  return { treasuryAddress: treasury, platformAddress: platform, usdcIssuer, networkPassphrase };
}
