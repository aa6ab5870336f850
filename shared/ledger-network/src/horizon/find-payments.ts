import { LRUCache } from 'lru-cache';
import type { LedgerHistory } from './ledger-history.js';
import type { SoughtPayments } from './ledger-network.js';

const pageSize = 200;
/** Of each payer, within one call. */
const pagesMax = 20;

/** How far a search has come. The history does not change, so the search continues there. */
type Search = {
  /** The payers that are not read yet, with the position before which they are read next. */
  readonly open: Map<string, string | undefined>;
  readonly found: Set<string>;
};

/**
 * A search that is not continued ends soon. It is not stored: a database that was restored to a moment in the middle of a search
 * would skip what was paid after that moment.
 */
const keptMs = 60_000;
const searchesMax = 1_000;

/**
 * Reads the transactions of the payers backwards, newest first, until they are older than the payments that are sought. Strangers can pay
 * into these accounts and so make their histories longer. But only the payer's own transactions count, and a long search continues with the
 * next call. It starts at the newest transaction, so that later ones do not prolong it.
 */
export function paymentSearch(
  history: Pick<LedgerHistory, 'transactionsOf'>,
): (sought: SoughtPayments) => Promise<readonly string[] | undefined> {
  const searches = new LRUCache<string, Search>({ max: searchesMax, ttl: keptMs });
  return async (sought) => {
    const search = searches.get(sought.memoHash) ?? begin(sought);
    searches.set(sought.memoHash, search);
    for (let page = 0; page < pagesMax && search.open.size > 0; page += 1) await readPages(history, sought, search);
    if (search.open.size > 0) return undefined;
    searches.delete(sought.memoHash);
    return [...search.found];
  };
}

function begin({ payers }: SoughtPayments): Search {
  return { open: new Map(payers.map((payer) => [payer, undefined])), found: new Set() };
}

/** The next page of each payer. One that cannot be read keeps its place, and the others their progress. */
async function readPages(
  history: Pick<LedgerHistory, 'transactionsOf'>,
  { memoHash, since }: SoughtPayments,
  { open, found }: Search,
): Promise<void> {
  const read = await Promise.allSettled(
    [...open].map(async ([payer, cursor]) => {
      const page = await history.transactionsOf(payer, { cursor, limit: pageSize });
      const recent = page.filter(({ at }) => at >= since);
      const own = recent.filter(({ source, isSuccessful }) => source === payer && isSuccessful);
      for (const transaction of own) if (transaction.memoHash === memoHash) found.add(transaction.hash);
      if (page.length < pageSize || recent.length < page.length) open.delete(payer);
      else open.set(payer, page.at(-1)?.position);
    }),
  );
  const failed = read.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
