import { durationMsSetting, optionalSetting, textSetting } from './setting.js';

/** The same in every service that waits for the ledger network, so that their time limits fit each other. */
export const settlementTimeoutSettings = {
  SETTLEMENT_TIMEOUT_MS: optionalSetting(
    durationMsSetting({
      description:
        'How long a request waits for its saga run to end. Then it gets 504, and the saga run continues. POST /escrow/init waits up to three times as long. By default 15000 with the sandbox, 60000 with the LEDGER_NETWORK_PASSPHRASE of any other network.',
      min: 10,
    }),
  ),
  SAGA_STALLED_AFTER_MS: optionalSetting(
    durationMsSetting({
      description:
        'Age at which an open saga run counts as stalled and its command is resent, then with doubled delays up to 15 minutes. By default twice the default of SETTLEMENT_TIMEOUT_MS.',
      min: 10,
    }),
  ),
  LEDGER_NETWORK_PASSPHRASE: optionalSetting(
    textSetting({
      description: 'The passphrase of the ledger network, as escrow-adapter has it. By default the passphrase of the sandbox.',
    }),
  ),
};

type Given = {
  readonly SETTLEMENT_TIMEOUT_MS?: number | undefined;
  readonly SAGA_STALLED_AFTER_MS?: number | undefined;
  readonly LEDGER_NETWORK_PASSPHRASE?: string | undefined;
};

/** The ledgers of the sandbox close at once, ledgers of other networks every few seconds, and an order needs several of them. */
const sandboxTimeoutMs = 15_000;
const networkTimeoutMs = 60_000;
export const sandboxPassphrase = 'Holdfast Sandbox Network ; 2026';

export function settlementTimeoutMsOf(given: Given): number {
  return given.SETTLEMENT_TIMEOUT_MS ?? defaultTimeoutMs(given);
}

export function sagaStalledAfterMsOf(given: Given): number {
  return given.SAGA_STALLED_AFTER_MS ?? 2 * defaultTimeoutMs(given);
}

function defaultTimeoutMs({ LEDGER_NETWORK_PASSPHRASE: passphrase = sandboxPassphrase }: Given): number {
  return passphrase === sandboxPassphrase ? sandboxTimeoutMs : networkTimeoutMs;
}
