import { createHash } from 'node:crypto';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { anAuditFact, anEvent } from '../testing/messages.js';
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
      relatedIds: [],
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

  it('200 finds an entry by the ids of related resources, page by page in the order of the list', async () => {
    const by = { marketplaceId: 'mkt_related' } as const;
    const ofDispute = { resourceType: 'Dispute', resourceId: 'dsp_1', relatedIds: ['ord_1', 'esc_1'] };
    await recorded(
      [{ action: 'A' }, { ...ofDispute, action: 'B' }, { action: 'C', resourceId: 'ord_2' }, { action: 'D' }, ofDispute],
      by.marketplaceId,
    );
    const all = idsIn(await service.get('/audit/logs', by));
    const found = async (query: string) => idsIn(await service.get(`/audit/logs?${query}`, by));
    expect(await found('resourceId=dsp_1')).toEqual([all[0], all[3]]);
    expect(await found('resourceId=esc_1')).toEqual([all[0], all[3]]);
    expect(await found('resourceId=ord_1')).toEqual([all[0], all[1], all[3], all[4]]);
    expect(await found('resourceId=ord_1&action=B')).toEqual([all[3]]);
    const page = await service.get('/audit/logs?resourceId=ord_1&limit=2', by);
    expect(page.data).toMatchObject({ data: [{ relatedIds: ['ord_1', 'esc_1'] }, {}], hasMore: true, nextCursor: all[1] });
    expect(await found(`resourceId=ord_1&limit=2&cursor=${all[1] ?? ''}`)).toEqual([all[3], all[4]]);
    expect(await service.get('/audit/logs?resourceId=ord_1&cursor=aud_unknown', by)).toMatchObject({ status: 400 });
  });

  it('200 has the moment that the stream shows for the event that an entry reports', async () => {
    const by = { marketplaceId: 'mkt_moments' } as const;
    const reader = service.follow({ caller: by });
    await reader.opened;
    const events = Array.from({ length: 3 }, () => anEvent({ ...by, occurredAt: '2026-01-31T12:00:00.000000Z' }));
    const facts = events.map(({ id }) => anAuditFact({}, { ...by, afterEventId: id, occurredAt: '2026-01-31T12:00:00.000000Z' }));
    const [first, second, third] = facts;
    if (first === undefined || second === undefined || third === undefined) throw new Error('expected three entries');
    // The first entry arrives before its event, the second one with it, and the third one in a later batch.
    await service.broker.publish([first]);
    await service.broker.publish([second, ...events]);
    const shown = await reader.has(3);
    await service.broker.publish([third]);
    const entries = await eventually(async () => {
      const { data } = await service.get('/audit/logs', by);
      expect(data.data).toHaveLength(3);
      return data.data as readonly { readonly id: string; readonly occurredAt: string }[];
    });
    const momentOf = ({ id }: { readonly id: string }) => entries.find((entry) => entry.id === `aud_${id.slice(4)}`)?.occurredAt;
    expect(facts.map(momentOf)).toEqual(events.map(({ id }) => shown.find(({ eventId }) => eventId === id)?.occurredAt));
    expect(new Set(facts.map(momentOf)).size).toBe(3);
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
    [
      'its related ids were altered',
      `update notifications.audit_entries set related_ids = '{ord_2}' where position = 2`,
      'altered',
      '2',
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

  async function firstEntry(): Promise<Record<string, unknown>> {
    const [row] = await service.database.asAdmin<Record<string, unknown>>(
      `select position::text, id, marketplace_id, to_char(occurred_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at,
        action, resource_type, resource_id, related_ids, actor_type, actor_id, result, reason, before::text, after::text, request_id
      from notifications.audit_entries
      where position = 1`,
    );
    return row ?? {};
  }
});
