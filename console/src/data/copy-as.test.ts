import { copyAs, spellingsOf, type Request } from './copy-as.js';

const target = { origin: 'https://pay.example' };
const get: Request = { operation: 'orders.get', params: ['ord_1'] };

describe('a request, copied as curl', () => {
  it('names the variable that holds the key, never a key', () => {
    expect(copyAs('curl', get, target)).toBe(
      'curl https://pay.example/api/v1/orders/ord_1 \\\n  -H "Authorization: Bearer $HOLDFAST_KEY"',
    );
  });

  it('has query, body, idempotency key and the marketplace of the master key', () => {
    const list: Request = { operation: 'orders.list', input: { status: 'CLOSED', limit: 2 } };
    expect(copyAs('curl', list, target)).toContain("curl 'https://pay.example/api/v1/orders?status=CLOSED&limit=2'");
    const credit: Request = { operation: 'balances.credit', params: ['usr_1'], input: { amount: '1.00', description: "Ada's" } };
    const text = copyAs('curl', credit, { ...target, marketplaceId: 'mkt_1' });
    expect(text).toContain('curl -X POST https://pay.example/api/v1/users/usr_1/balance/credit');
    expect(text).toContain(String.raw`-d '{"amount":"1.00","description":"Ada'\''s"}'`);
    expect(text).toContain('-H "Idempotency-Key: $(uuidgen)"');
    expect(text).toContain("-H 'X-Marketplace-Id: mkt_1'");
  });

  it('repeats an id of the path where the body wants it', () => {
    const dispute: Request = { operation: 'disputes.open', params: ['ord_1'], input: { openedBy: 'BUYER', reason: 'OTHER' } };
    expect(copyAs('curl', dispute, target)).toContain('"orderId":"ord_1"');
  });

  it('escapes what stands in a path', () => {
    const complete: Request = { operation: 'orders.completeMilestone', params: ['ord_1', 'a/b; rm'] };
    expect(copyAs('curl', complete, target)).toContain('/orders/ord_1/milestones/a%2Fb%3B%20rm/complete');
  });
});

describe('a request, copied as a call of the SDK', () => {
  it('reads a record, and walks through a list', () => {
    expect(copyAs('SDK', get, target)).toContain('console.log(await holdfast.orders.get("ord_1"));');
    expect(copyAs('SDK', { operation: 'orders.list' }, target)).toContain('for await (const record of holdfast.orders.list())');
    expect(copyAs('SDK', get, target)).toContain('apiKey: process.env.HOLDFAST_KEY');
  });
});

describe('a request, copied as a command of the CLI', () => {
  it('has the names of the commands', () => {
    const resend: Request = { operation: 'webhookDeliveries.resend', params: ['whd_1'] };
    expect(copyAs('CLI', resend, target)).toBe('npm run holdfast -- deliveries resend whd_1 --api https://pay.example');
    const list: Request = { operation: 'orders.list', input: { buyerId: 'usr_1' } };
    expect(copyAs('CLI', list, { ...target, marketplaceId: 'mkt_1' })).toBe(
      'npm run holdfast -- orders list --buyer-id usr_1 --api https://pay.example --marketplace mkt_1',
    );
  });

  it('knows commands without a method', () => {
    const period = { from: '2026-01-01', to: '2026-02-01', currency: 'USD' };
    expect(copyAs('CLI', { operation: 'statements.get', params: ['usr_1'], input: period }, target)).toBe(
      'npm run holdfast -- statements usr_1 --from 2026-01-01 --to 2026-02-01 --currency USD --api https://pay.example',
    );
  });

  it('is offered where there is a command', () => {
    expect(spellingsOf({ operation: 'events.get', params: ['evt_1'] })).toEqual(['curl', 'SDK', 'CLI']);
    expect(spellingsOf(get)).toEqual(['curl', 'SDK', 'CLI']);
    expect(spellingsOf({ operation: 'audit.listEntries' })).toEqual(['curl', 'SDK']);
  });
});
