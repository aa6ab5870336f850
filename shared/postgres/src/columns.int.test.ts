import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import {
  arrayOfAnyLength,
  columnsOf,
  insertMany,
  joinWrites,
  propertiesBut,
  singleRow,
  tableOf,
  unnestRows,
  updateMany,
  upsertMany,
  type Database,
} from './index.js';

type ParcelRow = {
  readonly id: string;
  readonly buyerId: string;
  readonly sellerId: string;
  readonly units: bigint;
  readonly notes: readonly string[];
  readonly facts: unknown;
  readonly sentAt: string | null;
  readonly version: number;
};

const parcels = tableOf<ParcelRow>('parcels')({
  id: { column: 'id', type: 'text', isPrimary: true },
  buyerId: { column: 'buyer_id', type: 'text' },
  sellerId: { column: 'seller_id', type: 'text' },
  units: { column: 'units', type: 'bigint' },
  notes: { column: 'notes', type: 'text[]' },
  facts: { column: 'facts', type: 'json' },
  sentAt: { column: 'sent_at', type: 'timestamptz' },
  version: { column: 'version', type: 'integer' },
});

const parcelColumns = parcels.columns;
const insertParcels = insertMany({ ...parcels, name: 'insert-parcels' });
const updateParcels = updateMany({ ...parcels, name: 'update-parcels', key: ['id'], set: ['sentAt', 'facts', 'version'] });
const upsertParcels = upsertMany({ ...parcels, name: 'upsert-parcels', key: ['id'], set: ['facts', 'version'] });
const selectParcels = `select ${parcels.selected} from parcels order by id`;

const one: ParcelRow = {
  id: 'one',
  buyerId: 'buyer',
  sellerId: 'seller',
  units: 9_007_199_254_740_993n,
  notes: ['plain', 'with "quotes", \\ and {braces}', ''],
  facts: { deep: [1, 'two', null] },
  sentAt: null,
  version: 1,
};
const two: ParcelRow = { ...one, id: 'two', notes: [], facts: [], sentAt: '2026-01-31T12:00:00.120456Z' };

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  const migrations = server.migrations({
    '0001-parcels.sql': `create table parcels (id text primary key, seller_id text not null, buyer_id text not null, units bigint not null,
      notes text[] not null, facts json not null, sent_at timestamptz, version integer not null);`,
  });
  database = await server.open({ service: 'columns', migrations: [migrations], entities: [parcels.entity] });
}, serverStartTimeoutMs);
afterAll(() => server.drop());
beforeEach(async () => {
  await database.pool.query('delete from parcels');
  await database.pool.query(insertParcels([one, two]));
});

describe('columns by name', () => {
  it('write every property into its own column, whatever the column order of the table', async () => {
    const rows = await server.asAdmin('select buyer_id, seller_id from columns.parcels');
    expect(rows).toEqual(Array.from({ length: 2 }, () => ({ buyer_id: 'buyer', seller_id: 'seller' })));
    expect((await database.pool.query(selectParcels)).rows).toEqual([one, two]);
  });

  it('are the same in TypeORM', async () => {
    expect(await database.pool.manager.find(parcels.entity, { order: { id: 'asc' } })).toEqual([one, two]);
    await database.pool.manager.insert(parcels.entity, { ...one, id: 'three' } as never);
    expect((await database.pool.query(selectParcels)).rows).toContainEqual({ ...one, id: 'three' });
  });

  it('update each row with its own values in one statement', async () => {
    const sentAt = '2026-02-01T00:00:00.000000Z';
    await database.pool.query(
      updateParcels([
        { id: 'one', sentAt, facts: { first: true }, version: 2 },
        { id: 'two', sentAt: null, facts: { second: true }, version: 3 },
      ]),
    );
    expect((await database.pool.query(selectParcels)).rows).toEqual([
      { ...one, sentAt, facts: { first: true }, version: 2 },
      { ...two, sentAt: null, facts: { second: true }, version: 3 },
    ]);
  });

  it('insert rows, or update the listed columns of existing ones', async () => {
    const three = { ...two, id: 'three' };
    await database.pool.query(upsertParcels([{ ...one, units: 1n, facts: { first: true }, version: 2 }, three]));
    const { rows } = await database.pool.query(selectParcels);
    expect(rows).toEqual([{ ...one, facts: { first: true }, version: 2 }, three, two]);
  });

  it('are written by several joined writes in one statement, even if one has no rows', async () => {
    const write = joinWrites('write-parcels', { changed: updateParcels, added: insertParcels });
    const changed = { id: 'two', sentAt: null, facts: { second: true }, version: 3 };
    await database.pool.query(write({ changed: [changed], added: [{ ...one, id: 'three' }] }));
    await database.pool.query(write({ changed: [], added: [{ ...one, id: 'four' }] }));
    const { rows } = await database.pool.query(selectParcels);
    expect(rows).toEqual([{ ...one, id: 'four' }, one, { ...one, id: 'three' }, { ...two, ...changed }]);
  });

  it('are named by leaving out the others, in the order of the column table', () => {
    expect(propertiesBut(parcelColumns, ['id', 'sellerId', 'notes'])).toEqual(['buyerId', 'units', 'facts', 'sentAt', 'version']);
    // @ts-expect-error A property that the row does not have.
    propertiesBut(parcelColumns, ['weight']);
  });

  it('pass rows to a hand-written statement under their column names', async () => {
    const given = unnestRows(parcelColumns, ['version', 'id']);
    await database.pool.query(
      `update parcels set version = parcels.version + given.version from ${given.from} where parcels.id = given.id`,
      given.valuesOf([
        { id: 'one', version: 10 },
        { id: 'two', version: 20 },
      ]),
    );
    expect((await database.pool.query(selectParcels)).rows).toEqual([
      { ...one, version: 11 },
      { ...two, version: 21 },
    ]);
  });

  it('pass one row or none to a hand-written statement, whose plan the server caches', async () => {
    const given = singleRow(parcelColumns, ['version', 'id', 'facts']);
    const text = `update parcels set version = parcels.version + given.version, facts = ${given.values.split(', ')[2] ?? ''}
      from ${given.from} where parcels.id = given.id`;
    await database.pool.query(text, given.valuesOf({ id: 'one', version: 10, facts: { first: true } }));
    await database.pool.query(text, given.valuesOf(undefined));
    expect((await database.pool.query(selectParcels)).rows).toEqual([{ ...one, version: 11, facts: { first: true } }, two]);
    expect(given.lastParameter).toBe(3);
  });

  it('are found by any number of keys, with a plan that the server caches', async () => {
    const ids = ['one', 'two'];
    const byIds = {
      name: 'parcels-by-id',
      text: `select id from parcels where id = any(${arrayOfAnyLength('$1::text[]')}) order by id`,
    };
    const { found, plans } = await database.inTransaction(async (tx) => {
      for (let execution = 0; execution < 9; execution += 1) await tx.query(byIds, [ids.slice(0, execution % 3)]);
      return {
        found: await tx.query(byIds, [ids]),
        plans: await tx.query('select generic_plans > 0 as "areCached" from pg_prepared_statements where name = $1', [
          byIds.name,
        ]),
      };
    });
    expect(found).toEqual([{ id: 'one' }, { id: 'two' }]);
    expect(plans).toEqual([{ areCached: true }]);
  });

  it('are updated by a statement whose plan the server caches', async () => {
    const plans = await database.inTransaction(async (tx) => {
      for (let execution = 0; execution < 9; execution += 1) await tx.query(updateParcels([one, two].slice(execution % 3)));
      return tx.query('select generic_plans > 0 as "areCached" from pg_prepared_statements where name = $1', ['update-parcels']);
    });
    expect(plans).toEqual([{ areCached: true }]);
  });

  it('write nothing without rows', async () => {
    expect((await database.pool.query(insertParcels([]))).rowCount).toBe(0);
  });

  it('do not compile if two are swapped, one is missing or one is unknown', () => {
    const { id, buyerId, sellerId, ...rest } = parcelColumns;
    const swapped = { buyer: { column: 'seller_id', type: 'text' }, seller: { column: 'buyer_id', type: 'text' } } as const;
    // @ts-expect-error The column of the seller under the property of the buyer.
    columnsOf<ParcelRow>()({ id, ...rest, sellerId, buyerId: swapped.buyer });
    // @ts-expect-error The column of the buyer under the property of the seller.
    columnsOf<ParcelRow>()({ id, ...rest, buyerId, sellerId: swapped.seller });
    // @ts-expect-error A property without a column.
    columnsOf<ParcelRow>()({ id, ...rest, buyerId });
    // @ts-expect-error A column without a property.
    columnsOf<ParcelRow>()({ id, ...rest, buyerId, sellerId, weight: { column: 'weight', type: 'integer' } });
    // @ts-expect-error A row without a written property.
    updateParcels([{ id: 'one', facts: {}, version: 1 }]);
    expect(Object.keys(parcelColumns)).toHaveLength(8);
  });
});
