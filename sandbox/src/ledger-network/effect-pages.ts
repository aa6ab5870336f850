import { effectsOf, type Effect } from './effects.js';
import { accountFacts } from './field-views.js';
import { entryToken, type History, type HistoryEntry, type Page } from './history.js';
import { pageOf } from './paging.js';

/** An effect, and its number among those of its operation, from 1 on. */
type NumberedEffect = { readonly entry: HistoryEntry; readonly number: number; readonly effect: Effect };

/** A page of effects. Its cursor is an operation and a number there, of which the page's own cursor has the first part. */
type EffectPage = Page & { readonly number: number };

/** The requested page, or the name of the invalid parameter. */
export function effectPageOf(query: URLSearchParams): EffectPage | { readonly invalid: string } {
  const [token = '', number, ...others] = (query.get('cursor') ?? '').split('-');
  if (others.length > 0 || (number !== undefined && !/^\d{1,10}$/.test(number))) return { invalid: 'cursor' };
  const page = pageOf(new URLSearchParams([...[...query].filter(([name]) => name !== 'cursor'), ['cursor', token]]));
  return 'invalid' in page ? page : { ...page, number: Number(number ?? 0) };
}

const operationsPerRead = 200;

export function effectsIn(history: History, page: EffectPage): readonly NumberedEffect[] {
  const { cursor, order, limit, lastLedger, number: cursorNumber } = page;
  const isAfterCursor = ({ entry, number }: NumberedEffect): boolean => {
    if (cursor === undefined || entryToken(entry) !== cursor) return true;
    return order === 'asc' ? number > cursorNumber : number < cursorNumber;
  };
  const found: NumberedEffect[] = [];
  // The operation of the cursor may have further effects, so that the first read includes it.
  let from = cursor === undefined ? undefined : cursor + (order === 'asc' ? -1n : 1n);
  while (found.length < limit) {
    const entries = history.allOperations({ cursor: from, order, limit: operationsPerRead, lastLedger }, false);
    const last = entries.at(-1);
    if (last === undefined) break;
    const effects = entries.flatMap((entry) => (order === 'asc' ? numberedEffects(entry) : numberedEffects(entry).toReversed()));
    found.push(...effects.filter(isAfterCursor));
    from = entryToken(last);
  }
  return found.slice(0, limit);
}

export function numberedEffects(entry: HistoryEntry): readonly NumberedEffect[] {
  const operation = entry.transaction.operations[entry.index];
  if (operation === undefined || entry.transaction.failure !== undefined) return [];
  return effectsOf(operation).map((effect, index) => ({ entry, number: index + 1, effect }));
}

const [tokenDigits, numberDigits] = [19, 10];

/** The JSON of an effect in Horizon's API. */
export function effectView({ entry, number, effect }: NumberedEffect, base: string) {
  const token = entryToken(entry).toString();
  const { account, type, type_i, facts, muxed } = effect;
  return {
    ...facts,
    _links: { operation: { href: `${base}/operations/${token}` } },
    id: `${token.padStart(tokenDigits, '0')}-${String(number).padStart(numberDigits, '0')}`,
    paging_token: `${token}-${number}`,
    ...accountFacts('account', account, muxed),
    type,
    type_i,
    created_at: entry.transaction.closedAt,
  };
}
