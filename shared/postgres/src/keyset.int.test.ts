import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { type PageFilter } from '@holdfast/kernel/pages';
import { createdWithin, equals, queryPage, type KeysetList, type Lists } from './keyset.js';

type Row = { readonly id: string };

let database: TestDatabase;
let lists: Lists;

beforeAll(async () => {
  database = await testDatabase();
  lists = {
    query: async (text, values) => {
      const rows = await database.asAdmin<never>(text as string, values);
      return { rows, rowCount: rows.length };
    },
  };
  await database.asAdmin('create table things (id text primary key, owner text, status text, created_at timestamptz)');
  // Five rows were created within one millisecond, two of them in the same microsecond.
  await database.asAdmin(`insert into things (id, owner, status, created_at) values
    ('t1', 'one', 'OPEN', '2026-01-31T12:00:00.000100Z'),
    ('t2', 'one', 'OPEN', '2026-01-31T12:00:00.000200Z'),
    ('t3', 'one', 'DONE', '2026-01-31T12:00:00.000200Z'),
    ('t4', 'one', 'OPEN', '2026-01-31T12:00:00.000300Z'),
    ('t5', 'one', 'HIDDEN', '2026-01-31T12:00:00.000400Z'),
    ('t6', 'other', 'OPEN', '2026-01-31T12:00:01Z')`);
});

afterAll(() => database.drop());

function things(filters: KeysetList['filters'] = []): KeysetList {
  return {
    columns: 'id',
    from: 'things',
    keyset: ['created_at', 'id'],
    idColumn: 'id',
    scope: [equals('owner', 'one'), { column: 'status', operator: '<> all', value: ['HIDDEN'] }],
    filters,
  };
}

async function idsOf(list: KeysetList, page: PageFilter): Promise<readonly string[] | undefined> {
  return (await queryPage<Row>(lists, list, page))?.map(({ id }) => id);
}

describe('a list with keyset pagination', () => {
  it('has the newest first, then by id, with one more than the limit', async () => {
    expect(await idsOf(things(), { limit: 10 })).toEqual(['t4', 't3', 't2', 't1']);
    expect(await idsOf(things(), { limit: 2 })).toEqual(['t4', 't3', 't2']);
  });

  it('continues after the cursor, exact to the microsecond', async () => {
    expect(await idsOf(things(), { limit: 10, cursor: 't4' })).toEqual(['t3', 't2', 't1']);
    expect(await idsOf(things(), { limit: 10, cursor: 't3' })).toEqual(['t2', 't1']);
    expect(await idsOf(things(), { limit: 10, cursor: 't1' })).toEqual([]);
  });

  it('is undefined after an unknown cursor', async () => {
    expect(await idsOf(things(), { limit: 10, cursor: 'nobody' })).toBeUndefined();
    expect(await idsOf(things(), { limit: 10, cursor: 't5' })).toBeUndefined();
    expect(await idsOf(things(), { limit: 10, cursor: 't6' })).toBeUndefined();
  });

  it('has only matching items, and accepts a cursor that no longer matches', async () => {
    expect(await idsOf(things([equals('status', 'OPEN')]), { limit: 10 })).toEqual(['t4', 't2', 't1']);
    expect(await idsOf(things([equals('status', 'OPEN')]), { limit: 10, cursor: 't3' })).toEqual(['t2', 't1']);
    expect(await idsOf(things([equals('status', undefined)]), { limit: 10 })).toEqual(['t4', 't3', 't2', 't1']);
  });

  it('has the items created between two times, both exclusive', async () => {
    const page = {
      limit: 10,
      createdAfter: '2026-01-31T12:00:00.000100Z',
      createdBefore: '2026-01-31T12:00:00.000300Z',
    } as const;
    expect(await idsOf(things(createdWithin('created_at', page)), page)).toEqual(['t3', 't2']);
  });

  it('works with a single sort column and without conditions', async () => {
    const everything: KeysetList = { ...things(), keyset: ['id'], scope: [] };
    expect(await idsOf(everything, { limit: 10, cursor: 't3' })).toEqual(['t2', 't1']);
    expect(await idsOf(everything, { limit: 1 })).toEqual(['t6', 't5']);
  });
});
