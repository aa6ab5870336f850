import type { Case } from '../domain/case.js';
import { defaultMarketplaceId, type CaseId } from '@holdfast/kernel/ids';
import { parseUnits, type Currency } from '@holdfast/kernel/money';
import type { RunningPayments } from './running-payments.js';

type GivenCase = Pick<Case, 'kind' | 'marketplaceId' | 'userId' | 'origin'> & {
  readonly amount: string;
  readonly currency: Currency;
  /** The top-up or withdrawal that the case is about. */
  readonly relatedId: string | null;
  /** By default the source of the usual case. */
  readonly sourceId: string | null;
};

const usual: GivenCase = {
  kind: 'late_money',
  marketplaceId: defaultMarketplaceId,
  userId: null,
  origin: 'payins',
  amount: '25.00',
  currency: 'USD',
  relatedId: null,
  sourceId: null,
};

/** An open case whose money is booked, as it is after the saga open-case. */
export async function aCase(
  { database, newId, clock, ledger }: RunningPayments,
  given: Partial<GivenCase> = {},
): Promise<CaseId> {
  const id = newId('rcc');
  const { kind, marketplaceId, userId, origin, amount, currency, relatedId, sourceId } = { ...usual, ...given };
  await database.asAdmin(
    `insert into payments.reconciliation_cases (
       id, marketplace_id, kind, status, user_id, amount_units, currency, origin, source, source_id, reason, booked_at, version, created_at,
       updated_at, related_id
     )
     values ($1, $2, $3, 'OPEN', $4, $5, $8, $6, 'payment_provider', $9, 'A test found it.', $7, 0, $7, $7, $10)`,
    [id, marketplaceId, kind, userId, parseUnits(amount).toString(), origin, clock.now(), currency, sourceId ?? id, relatedId],
  );
  ledger.addSuspense(amount);
  return id;
}
