import { z } from 'zod';
import { durationMsOf, toEpochMs, type Instant } from '@holdfast/kernel/instants';
import { currency, id, instantIn, noBody, pageQuery, statementPageSize } from '../shapes/index.js';
import { route } from './route.js';
import { statement, statementColumns } from './statement-shapes.js';

/** The longest period of a statement: a year, also a leap year. */
const periodMax = 'P366D';

type Period = { readonly from: Instant; readonly to: Instant };

function faultOf({ from, to }: Period): string | undefined {
  if (from >= to) return 'must be later than from; a date alone is its midnight';
  const isTooLong = toEpochMs(to) - toEpochMs(from) > (durationMsOf(periodMax) ?? 0);
  return isTooLong ? 'must be at most 366 days after from' : undefined;
}

const exampleFile = [statementColumns.join(','), 'closing,,,95.00,0.00,,,,,,', ''].join('\r\n');

export const getStatement = route({
  service: 'ledger-balance',
  family: 'plain',
  name: 'statements.get',
  method: 'get',
  path: '/users/{userId}/statements',
  summary: 'Get a statement',
  description:
    'Every change of a balance after `from` and up to `to`, oldest first, with the balances before, after, and after each line. `opening` and `closing` are what `GET /users/{userId}/balance?at=` returns for `from` and `to`, so periods join. With `Accept: text/csv` the response is one file with all lines, whatever `limit` and `cursor` are; its last line begins with `closing`, so a file without it is cut off.',
  auth: 'read',
  idempotent: false,
  params: z.strictObject({ userId: id('usr') }),
  malformedParams: 'USER_NOT_FOUND',
  query: z
    .strictObject({
      from: instantIn.meta({
        description: 'ISO 8601 date or time. A line of exactly this time is not included',
        example: '2026-01-01',
      }),
      to: instantIn.meta({
        description: 'ISO 8601 date or time, at most 366 days later. A line of exactly this time is included',
        example: '2026-02-01',
      }),
      currency: currency.optional(),
      limit: statementPageSize,
      cursor: pageQuery.cursor,
    })
    .superRefine((period, issues) => {
      const message = faultOf(period);
      if (message !== undefined) issues.addIssue({ code: 'custom', path: ['to'], message });
    }),
  body: noBody,
  success: { status: 200, data: statement, download: { contentType: 'text/csv', example: exampleFile } },
  errors: ['USER_NOT_FOUND'],
});

export const statementRoutes = { getStatement };
