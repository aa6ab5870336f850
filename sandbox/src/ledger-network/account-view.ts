import { subEntriesOf, type Account } from '../domain/account.js';
import { nativeAsset } from '../domain/assets.js';
import { formatUnits } from '../domain/units.js';
import { assetView } from './field-views.js';

const weights = { low_threshold: 0, med_threshold: 0, high_threshold: 0 };
const noFlags = { auth_required: false, auth_revocable: false, auth_immutable: false, auth_clawback_enabled: false };

/** The JSON of an account in Horizon's API. */
export function accountView(account: Account, base: string) {
  const self = `${base}/accounts/${account.id}`;
  return {
    _links: {
      self: { href: self },
      transactions: { href: `${self}/transactions` },
      payments: { href: `${self}/payments` },
      // The SDK renames a field that has a link of the same name to `data_attr`, and its account type reads that name.
      data: { href: `${self}/data/{key}`, templated: true },
    },
    id: account.id,
    account_id: account.id,
    sequence: account.sequence.toString(),
    subentry_count: subEntriesOf(account),
    thresholds: weights,
    flags: noFlags,
    balances: balancesOf(account),
    signers: [{ weight: 1, key: account.id, type: 'ed25519_public_key' }],
    data: {},
    num_sponsoring: account.sponsoring ?? 0,
    num_sponsored: account.sponsored ?? 0,
    sponsor: account.sponsor,
    paging_token: account.id,
  };
}

function balancesOf({ lines, nativeUnits }: Account) {
  const issued = Object.entries(lines).map(([asset, line]) => ({
    ...assetView(asset),
    balance: formatUnits(line.units),
    limit: formatUnits(line.limitUnits),
    buying_liabilities: formatUnits(0n),
    selling_liabilities: formatUnits(0n),
    is_authorized: true,
    is_authorized_to_maintain_liabilities: true,
    sponsor: line.sponsor,
  }));
  const native = { balance: formatUnits(nativeUnits), buying_liabilities: formatUnits(0n), selling_liabilities: formatUnits(0n) };
  return [...issued, { ...native, ...assetView(nativeAsset) }];
}
