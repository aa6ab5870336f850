import {
  getLatestReports,
  getLedgerCheck,
  type LedgerCheck,
  type LedgerProof,
  type ReconciliationReportRecord,
} from '@holdfast/contracts/http';
import type { Context } from '@holdfast/kernel/context';
import { currencies, parseUnits } from '@holdfast/kernel/money';
import { askServices, type ServiceClients } from './ask-service.js';

/** What was checked last. Nothing is checked now, because a check reads the whole journal. */
export async function readProof(clients: ServiceClients, ctx: Context): Promise<LedgerProof> {
  const [checked, reported] = await Promise.all([
    askServices(
      clients,
      [['ledger-balance', async (client, context) => (await client.call(getLedgerCheck, {}, context)).check ?? 'none']],
      ctx,
    ),
    askServices(
      clients,
      [['payments', async (client, context) => (await client.call(getLatestReports, {}, context)).reports]],
      ctx,
    ),
  ]);
  const [check = 'none'] = checked.answers.map(({ found }) => found);
  const ledger = check === 'none' ? null : check;
  const reports = reported.answers.flatMap(({ found }) => found);
  return { isSound: isSound(ledger, reports), ledger, reports, unavailable: [...checked.unavailable, ...reported.unavailable] };
}

/** A contradiction is reported whatever else is missing; soundness needs every part. */
export function isSound(ledger: LedgerCheck | null, reports: readonly ReconciliationReportRecord[]): boolean | null {
  if (ledger?.isSound === false || reports.some(isContradicted)) return false;
  const isComplete =
    ledger !== null && currencies.every((currency) => reports.some((each) => each.currency === currency && isWhole(each)));
  return isComplete ? true : null;
}

function isContradicted({ difference, unexplained, solvency }: ReconciliationReportRecord): boolean {
  const isShort = solvency !== null && parseUnits(solvency) < 0n;
  return isShort || [difference, unexplained].some((amount) => amount !== null && parseUnits(amount) !== 0n);
}

function isWhole({ difference, unexplained, unavailable }: ReconciliationReportRecord): boolean {
  return difference !== null && unexplained !== null && unavailable.length === 0;
}
