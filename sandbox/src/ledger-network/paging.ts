import type { Page } from './history.js';
import type { WebRequest } from '../web/route.js';

const limitDefault = 10;
const limitMax = 200;

/** The requested page, or the name of the invalid parameter. */
export function pageOf(query: URLSearchParams): Page | { readonly invalid: string } {
  const cursor = query.get('cursor') ?? '';
  const order = query.get('order') ?? 'asc';
  const limit = limitOf(query);
  if (!/^(\d{1,19}|now)?$/.test(cursor)) return { invalid: 'cursor' };
  if (order !== 'asc' && order !== 'desc') return { invalid: 'order' };
  if (limit === undefined) return { invalid: 'limit' };
  return { cursor: cursorOf(cursor), order, limit };
}

function limitOf(query: URLSearchParams): number | undefined {
  const limit = Number(query.get('limit') ?? limitDefault);
  return Number.isInteger(limit) && limit >= 1 && limit <= limitMax ? limit : undefined;
}

const lastCursor = 2n ** 63n - 1n;

function cursorOf(text: string): bigint | undefined {
  if (text === '') return undefined;
  return text === 'now' ? lastCursor : BigInt(text);
}

/** The address under which the client has reached the sandbox. */
export function baseOf({ headers }: Pick<WebRequest, 'headers'>): string {
  return `http://${headers.host ?? 'localhost'}`;
}

type Listed = { readonly paging_token: string };

/** A page in Horizon's format, with links to the next and the previous one. */
export function collection(request: Pick<WebRequest, 'query'>, self: string, records: readonly Listed[]) {
  const order = request.query.get('order') === 'desc' ? 'desc' : 'asc';
  const limit = request.query.get('limit') ?? String(limitDefault);
  const cursor = request.query.get('cursor') ?? '';
  const link = (from: string, direction: string) => ({ href: `${self}?cursor=${from}&limit=${limit}&order=${direction}` });
  return {
    _links: {
      self: link(cursor, order),
      next: link(records.at(-1)?.paging_token ?? cursor, order),
      prev: link(records[0]?.paging_token ?? cursor, order === 'asc' ? 'desc' : 'asc'),
    },
    _embedded: { records },
  };
}
