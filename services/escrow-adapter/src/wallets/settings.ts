import {
  countSetting,
  durationMsSetting,
  optionalSetting,
  secretSetting,
  textSetting,
  urlSetting,
  serviceUrlSetting,
} from '@holdfast/service-host/config';

/** What wallets, treasury and the ledger network need to be told; part of the service's settings. */
export const walletSettings = {
  LEDGER_BALANCE_URL: serviceUrlSetting('ledger-balance'),
  LEDGER_NETWORK_URL: urlSetting({ description: "Where the ledger network's Horizon answers", protocols: ['http', 'https'] }),
  LEDGER_NETWORK_PASSPHRASE: textSetting({ description: 'The passphrase of the ledger network' }),
  LEDGER_NETWORK_NAME: textSetting({
    description: 'What users are told the network is called',
    default: 'sandbox',
    lengthMax: 50,
  }),
  USDC_ISSUER: textSetting({ description: 'The account that issues USDC on the ledger network' }),
  LEDGER_FAUCET_URL: optionalSetting(
    urlSetting({
      description: 'Test networks only: what fills the treasury at the start, by POST { address, asset, amount }',
      protocols: ['http', 'https'],
    }),
  ),
  TREASURY_SEED: secretSetting({ description: "The seed (S…) of the treasury's account; its channel accounts follow from it" }),
  PLATFORM_SEED: secretSetting({ description: 'The seed (S…) of the account that earns fees and resolves disputes' }),
  WALLET_MASTER_KEY: secretSetting({ description: 'Wraps the keys of all wallets; whoever loses it loses the wallets' }),
  WALLET_MASTER_KEY_PREVIOUS: optionalSetting(
    secretSetting({ description: 'The master key before a rotation, until every wallet is wrapped anew' }),
  ),
  TREASURY_CHANNELS: countSetting({
    description: 'Through how many channel accounts the treasury pays into contracts side by side',
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
  WALLET_SWEEP_EVERY_MS: durationMsSetting({
    description: 'How often wallets are looked at for tokens that belong to the treasury',
    default: 30_000,
    min: 50,
  }),
  LEDGER_WATCH_EVERY_MS: durationMsSetting({
    description: 'How often the ledger network is asked for payments',
    default: 1_000,
    min: 10,
  }),
};
