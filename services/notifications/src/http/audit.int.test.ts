import { createHash } from 'node:crypto';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { anAuditFact } from '../testing/messages.js';
import { startNotifications, type RunningNotifications } from '../testing/running-notifications.js';

let service: RunningNotifications;

beforeAll(async () => void (service = await startNotifications()), serverStartTimeoutMs);
afterAll(() => service.stopAll());

/** Publishes audit facts one by one, each after the previous one is listed. */
async function recorded(facts: readonly object[], marketplaceId: `mkt_${string}` = 'mkt_default') {
  const messages = facts.map((fact) => anAuditFact(fact, { marketplaceId }));
  for (const message of messages) {
    await service.broker.publish([message]);
    const id = `aud_${message.id.slice(4)}`;
    const master = { marketplaceId, type: 'master' } as const;
    await eventually(async () => expect(idsIn(await service.get('/audit/logs?limit=1', master))).toEqual([id]));
  }
  return messages;
}

const idsIn = (response: { data: { data: readonly { id: string }[] } }): readonly string[] =>
  response.data.data.map(({ id }) => id);

describe('GET /audit/logs', () => {
  it('200 lists each fact once, newest first, with an id derived from its message id', async () => {
    const [first, second] = await recorded([{ action: 'RELEASE_REQUESTED' }, { action: 'CLOSED', before: null, reason: 'done' }]);
    await service.broker.publish([first, second].flatMap((message) => (message === undefined ? [] : [message])));
    const { status, data } = await service.get('/audit/logs');
    expect(status).toBe(200);
    expect(data).toMatchObject({ success: true, hasMore: false, nextCursor: null });
    expect(data.data).toHaveLength(2);
    expect(data.data[0]).toEqual({
      id: `aud_${second?.id.slice(4) ?? ''}`,
      occurredAt: expect.stringMatching(/\.\d{6}Z$/),
      action: 'CLOSED',
      resourceType: 'Order',
      resourceId: 'ord_1',
      actorType: 'api_key',
      actorId: 'key_1',
      result: 'SUCCESS',
      reason: 'done',
      before: null,
      after: { status: 'RELEASE_REQUESTED' },
      requestId: second?.correlationId,
      marketplaceId: 'mkt_default',
    });
  });

  it('200 filters and pages within the marketplace of the caller', async () => {
    const by = { marketplaceId: 'mkt_filtered' } as const;
    await recorded(
      [
        { action: 'A', resourceId: 'ord_1', actorId: 'key_1' },
        { action: 'B', resourceId: 'ord_2', actorId: 'key_2', result: 'FAILURE' },
        { action: 'A', resourceId: 'ord_2', resourceType: 'Dispute' },
      ],
      by.marketplaceId,
    );
    const all = await service.get('/audit/logs', by);
    const [newest, middle, oldest] = all.data.data;
    const found = async (query: string) => idsIn(await service.get(`/audit/logs?${query}`, by));
    expect(await found('action=A')).toEqual([newest.id, oldest.id]);
    expect(await found('resource_id=ord_2')).toEqual([newest.id, middle.id]);
    expect(await found('resourceType=Dispute')).toEqual([newest.id]);
    expect(await found('actorId=key_2&result=FAILURE')).toEqual([middle.id]);
    expect(await found(`from=${middle.occurredAt}`)).toEqual([newest.id, middle.id]);
    expect(await found(`to=${middle.occurredAt}`)).toEqual([oldest.id]);
    const page = await service.get('/audit/logs?limit=2', by);
    expect(page.data).toMatchObject({ hasMore: true, nextCursor: middle.id });
    expect(await found(`limit=2&cursor=${String(middle.id)}`)).toEqual([oldest.id]);
    expect(idsIn(await service.get('/audit/logs', { marketplaceId: 'mkt_other' }))).toEqual([]);
  });

  it('200 lists refused credentials for the master key only, with every filter and cursor', async () => {
    const by = { marketplaceId: 'mkt_guessed', type: 'api_key', id: 'key_1' } as const;
    const master = { marketplaceId: 'mkt_guessed', type: 'master' } as const;
    const [, refused] = await recorded([{ action: 'A' }, { action: 'CREDENTIALS_REFUSED', result: 'FAILURE' }], 'mkt_guessed');
    const id = `aud_${refused?.id.slice(4) ?? ''}`;
    expect(idsIn(await service.get('/audit/logs', master))).toHaveLength(2);
    expect(await service.get('/audit/logs?limit=1', by)).toMatchObject({ data: { data: [{ action: 'A' }], hasMore: false } });
    for (const query of ['action=CREDENTIALS_REFUSED', 'result=FAILURE'])
      expect([
        idsIn(await service.get(`/audit/logs?${query}`, by)),
        idsIn(await service.get(`/audit/logs?${query}`, master)),
      ]).toEqual([[], [id]]);
    expect(await service.get(`/audit/logs?cursor=${id}`, by)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });

  it.each(['action=lower', 'result=MAYBE', 'cursor=aud_unknown', 'limit=0', 'from=yesterday', 'unknown=1'])(
    '400 VALIDATION_ERROR for %s',
    async (query) => {
      expect(await service.get(`/audit/logs?${query}`)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    },
  );
});

describe('GET /audit/verification', () => {
  const proof = async () => (await service.get('/audit/verification')).data;
  const tamper = (sql: string) => service.database.asAdmin(sql);

  beforeAll(async () => {
    await service.stopAll();
    service = await startNotifications();
    await recorded([{}, {}, {}]);
    for (const table of ['entries', 'seals'])
      await tamper(`create table original_${table} as select * from notifications.audit_${table}`);
  }, serverStartTimeoutMs);

  afterEach(async () => {
    for (const table of ['entries', 'seals'])
      await tamper(
        `truncate notifications.audit_${table}; insert into notifications.audit_${table} select * from original_${table}`,
      );
  });

  it('200 reports an unmodified trail as sound', async () => {
    expect(await proof()).toMatchObject({ isSound: true, entries: '3', firstBreak: null });
  });

  it.each([
    ['an entry was altered', `update notifications.audit_entries set actor_id = 'key_2' where position = 2`, 'altered', '2'],
    [
      'a state was altered',
      `update notifications.audit_entries set after = '{"status":"IDLE"}' where position = 3`,
      'altered',
      '3',
    ],
    ['an entry was deleted', 'delete from notifications.audit_entries where position = 2', 'missing', '2'],
    ['the last entry was deleted', 'delete from notifications.audit_entries where position = 3', 'missing', '3'],
    [
      'the last entry and its seal were deleted',
      'delete from notifications.audit_entries where position = 3; delete from notifications.audit_seals where last_position = 3',
      'missing',
      '3',
    ],
    ['a seal was forged', `update notifications.audit_seals set seal = 'x' where batch = 1`, 'seal broken', '1'],
  ])('200 names the first broken entry when %s', async (_, sql, fault, position) => {
    await tamper(sql);
    expect(await proof()).toMatchObject({ isSound: false, firstBreak: { fault, position } });
  });

  it('200 detects an altered entry whose hashes were recomputed', async () => {
    const { position, ...entry } = await firstEntry();
    const forged = { ...entry, actor_id: 'key_2' };
    const text = JSON.stringify(['', position, ...Object.values(forged)]);
    const hash = createHash('sha256').update(text).digest('hex');
    await tamper(`update notifications.audit_entries set actor_id = 'key_2', hash = '${hash}' where position = 1`);
    await tamper(`update notifications.audit_seals set last_hash = '${hash}' where batch = 1`);
    expect((await proof()).firstBreak).toEqual({
      fault: 'seal broken',
      position: '1',
      batch: '1',
      entryId: entry['id'],
    });
  });

  async function firstEntry(): Promise<Record<string, string | null>> {
    const [row] = await service.database.asAdmin<Record<string, string | null>>(
      `select position::text, id, marketplace_id, to_char(occurred_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at,
        action, resource_type, resource_id, actor_type, actor_id, result, reason, before::text, after::text, request_id
      from notifications.audit_entries
      where position = 1`,
    );
    return row ?? {};
  }
});
