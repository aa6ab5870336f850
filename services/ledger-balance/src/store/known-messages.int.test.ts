import { balanceCaseBooked, type Envelope } from '@holdfast/contracts/messages';
import { systemClock } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { defaultMarketplaceId, idFactory, type SagaRunId } from '@holdfast/kernel/ids';
import { money } from '@holdfast/kernel/money';
import type { Database } from '@holdfast/postgres';
import { lockRuns, recordAbortedRun } from '@holdfast/sagas/runs';
import { eventually } from '@holdfast/testing/eventually';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { externalAccount, suspenseAccount } from '../domain/accounts.js';
import { ledgerBalance } from '../service.js';
import { aPoster } from '../testing/a-poster.js';
import { ledgerTables } from '../testing/running-ledger.js';
import type { Posting } from '../use-cases/ports.js';
import { caseReply } from '../use-cases/replies.js';
import { checkLedger } from './check-ledger.js';
import type { Poster } from './poster.js';

const clock = systemClock();
const newId = idFactory(clock.epochMs);
let test: TestDatabase;
let database: Database;
let replicas: readonly [Poster, Poster, Poster];

beforeAll(async () => {
  test = await serviceDatabase(ledgerBalance);
  database = await test.open(ledgerTables);
  replicas = await Promise.all([aReplica(), aReplica(), aReplica()]);
});

afterAll(async () => {
  await test.drop();
});

async function aReplica(): Promise<Poster> {
  return aPoster(await test.open(ledgerTables), { clock, newId });
}

type CaseId = `rcc_${string}`;

function aMessage(caseId: CaseId, sagaRunId?: SagaRunId): Envelope {
  return {
    id: newId('evt'),
    type: 'reconciliation.case_booking_requested',
    version: 1,
    occurredAt: clock.now(),
    aggregateType: 'ReconciliationCase',
    aggregateId: caseId,
    aggregateVersion: 1,
    marketplaceId: defaultMarketplaceId,
    correlationId: 'test',
    ...(sagaRunId === undefined ? {} : { sagaRunId }),
    payload: {},
  };
}

const payins = externalAccount('payins', 'USD');
const move = { does: 'move', amount: money(10_000_000n, 'USD'), from: payins, to: suspenseAccount('USD') } as const;
const refuse = { does: 'refuse', account: payins, refusal: new AppError('USER_NOT_FOUND') } as const;

/** A posting on shared accounts, which no transaction locks: the money of a case is booked, or the message is refused. */
function aPosting(caseId: CaseId, instruction: Posting['instruction'], message: Envelope): Posting {
  const reply = () => caseReply(balanceCaseBooked, { caseId, amount: '1.00', currency: 'USD' });
  return {
    type: 'RECONCILIATION',
    instruction,
    marketplaceId: defaultMarketplaceId,
    requestId: 'test',
    reference: caseId,
    cause: `case-opened:${caseId}`,
    message,
    reply: { done: reply, refused: reply },
  };
}

async function repliesAbout(caseId: CaseId): Promise<readonly Envelope[]> {
  const select = `select messages from ledger_balance.outbox where messages like '%' || $1 || '%'`;
  const rows = await test.asAdmin<{ readonly messages: string }>(select, [caseId]);
  return rows.flatMap(({ messages }) => JSON.parse(messages) as readonly Envelope[]);
}

async function transfersOf(caseId: CaseId): Promise<number> {
  return (await test.asAdmin('select from ledger_balance.transfers where reference = $1', [caseId])).length;
}

/** The advisory locks that a transaction waits for. */
async function waitingLocks(): Promise<number> {
  const select = `
    select from pg_locks
    where locktype = 'advisory'
      and not granted
      and database = (select oid from pg_database where datname = current_database())`;
  return (await test.asAdmin(select)).length;
}

describe('a message that several replicas handle at once', () => {
  it.each([
    ['booked', move, 1],
    ['refused', refuse, 0],
  ])('is %s once, and each of them publishes the same reply', async (_, instruction, transfers) => {
    for (let round = 0; round < 5; round += 1) {
      const caseId = newId('rcc');
      const posting = aPosting(caseId, instruction, aMessage(caseId));
      await Promise.all(replicas.map((replica) => replica.post(posting)));
      const replies = await repliesAbout(caseId);
      expect(replies).toHaveLength(replicas.length);
      expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
      expect(await transfersOf(caseId)).toBe(transfers);
    }
    expect((await checkLedger(database, clock)).discrepancies).toEqual([]);
  });
});

describe('a message that waits for the abort of its run', () => {
  it('finds the run aborted, has no effect and gets the reply of the abort', async () => {
    const [caseId, runId] = [newId('rcc'), newId('run')];
    const message = aMessage(caseId, runId);
    let posted: Promise<unknown> = Promise.resolve();
    await database.inTransaction(async (tx) => {
      await lockRuns(tx, [runId]);
      posted = replicas[0].post(aPosting(caseId, move, message));
      await eventually(async () => expect(await waitingLocks()).toBe(1));
      recordAbortedRun(tx, runId, [message]);
    });
    await posted;
    expect(await transfersOf(caseId)).toBe(0);
    expect(await repliesAbout(caseId)).toEqual([message]);
  });
});
