import {
  amountSetting,
  booleanSetting,
  choiceSetting,
  countSetting,
  durationMsSetting,
  optionalSetting,
  secretSetting,
  textSetting,
  urlSetting,
  serviceUrlSetting,
} from '@holdfast/process/config';
import { depositCredits } from './custody/credited-currency.js';

/** Settings of wallets, treasury and ledger network; part of the service's settings. */
export const walletSettings = {
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
      description: 'Test networks only: faucet that fills the treasury, by POST { address, asset, amount }',
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
      'The balance that a USDC deposit is credited to: that of the asset (USDC), or of the base currency (USD), one to one',
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
