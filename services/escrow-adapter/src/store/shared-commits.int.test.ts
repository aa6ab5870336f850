import type { Database, Tx } from '@holdfast/shared/postgres';
import type { MessageId } from '@holdfast/shared/ids';
import { testDatabase, type TestDatabase } from '@holdfast/shared/testing/postgres';
import { shareCommits, type ShareCommit } from './shared-commits.js';

type Row = { readonly id: string; readonly commit: string };

let server: TestDatabase;
let database: Database;
let shareCommit: ShareCommit;

beforeAll(async () => {
  server = await testDatabase();
  const migrations = server.migrations({
    '0001-notes.sql': `create table notes (id text primary key, made_in text not null default pg_current_xact_id()::text);`,
  });
  database = await server.open({ service: 'shared-commits', migrations: [migrations] });
  shareCommit = shareCommits(database);
}, 120_000);
beforeEach(() => server.asAdmin('truncate shared_commits.notes'));
afterAll(() => server.drop());

const idOf = (name: string): MessageId => `evt_${name}`;
const note =
  (id: string) =>
  (tx: Tx): void =>
    tx.defer('insert into notes (id) values ($1)', [id]);
const notes = (): Promise<readonly Row[]> =>
  server.asAdmin<Row>('select id, made_in as commit from shared_commits.notes order by id');

it('writes what comes together in one commit', async () => {
  await Promise.all(['c', 'a', 'b'].map((name) => shareCommit(idOf(name), note(name))));
  const rows = await notes();
  expect(rows.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(new Set(rows.map(({ commit }) => commit)).size).toBe(1);
});

it('writes about intents in the order of their ids, and about one in the order of the asking', async () => {
  const written: string[] = [];
  const as = (name: string) => (tx: Tx) => {
    written.push(name);
    note(name)(tx);
  };
  await Promise.all([
    shareCommit(idOf('2'), as('2 first')),
    shareCommit(idOf('1'), as('1')),
    shareCommit(idOf('2'), as('2 second')),
  ]);
  expect(written).toEqual(['1', '2 first', '2 second']);
});

it('lets a refused one fail alone, and writes its neighbours once', async () => {
  await shareCommit(idOf('known'), note('known'));
  const settled = await Promise.allSettled(['a', 'known', 'b'].map((name) => shareCommit(idOf(name), note(name))));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((await notes()).map(({ id }) => id)).toEqual(['a', 'b', 'known']);
});

it('lets one that breaks before it is sent fail alone', async () => {
  const settled = await Promise.allSettled([
    shareCommit(idOf('a'), note('a')),
    shareCommit(idOf('b'), () => {
      throw new Error('a bug');
    }),
  ]);
  expect(settled).toEqual([
    { status: 'fulfilled', value: undefined },
    { status: 'rejected', reason: new Error('a bug') },
  ]);
  expect((await notes()).map(({ id }) => id)).toEqual(['a']);
});

it('hears what was committed, and nothing of what was undone', async () => {
  await shareCommit(idOf('known'), note('known'));
  const heard: string[] = [];
  const heardAfter = (name: string) => (tx: Tx) => {
    note(name)(tx);
    tx.afterCommit(() => heard.push(name));
  };
  await Promise.allSettled(['a', 'known'].map((name) => shareCommit(idOf(name), heardAfter(name))));
  expect(heard).toEqual(['a']);
});
