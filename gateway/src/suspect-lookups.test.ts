import { verifyCredential } from '@holdfast/contracts/http';
import { eventually } from '@holdfast/testing/eventually';
import { aKeyText, aVerified, anIdentity } from './testing/an-identity.js';
import { aGateway, aService } from './testing/running-gateway.js';

const lookupsMax = 8;
const unknownCredentialsMax = 100;

/** A gateway behind one trusted proxy, so that a test chooses the address of each request. */
async function setUp() {
  const [identity, service] = [await anIdentity(), await aService()];
  const serviceUrls = { identity: identity.url, 'ledger-balance': service.url };
  const gateway = await aGateway({ serviceUrls, trustedProxyHops: 1, rateLimitMax: 10 });
  const send = async (credential: string, address: string) => {
    const headers = { authorization: `Bearer ${credential}`, 'x-forwarded-for': address };
    return (await gateway.send('/api/v1/users/usr_1/balance', { headers })).status;
  };
  const guess = (name: string, count: number, address: string) =>
    Array.from({ length: count }, (_, index) => send(aKeyText(`${name}${index}`), address));
  const stop = async () => {
    await gateway.stop();
    await Promise.all([identity.stop(), service.stop()]);
  };
  return { identity, send, guess, stop };
}

describe('an address that has sent many unknown credentials', () => {
  it('has few lookups at a time: its valid credentials wait for one, and other addresses do not wait', async () => {
    const { identity, send, guess, stop } = await setUp();
    for (const id of ['new', 'elsewhere']) identity.known.set(aKeyText(id), aVerified(id, ['read']));
    await Promise.all(guess('first', unknownCredentialsMax, '1.1.1.1'));
    // The gateway also reports the refused credentials to identity, at its own time.
    const isLookup = (url: string | undefined): boolean => url?.endsWith(verifyCredential.path) === true;
    expect(identity.received.filter(({ url }) => isLookup(url))).toHaveLength(unknownCredentialsMax);

    const held: (() => void)[] = [];
    identity.state.behave = (request, response) => {
      if (!isLookup(request.url)) return void response.writeHead(503).end();
      const received = identity.received.at(-1) ?? { body: '{}' };
      held.push(() => response.end(JSON.stringify({ data: identity.verificationOf(received) })));
    };
    const guesses = guess('second', 40, '1.1.1.1');
    const valid = send(aKeyText('new'), '1.1.1.1');
    await eventually(() => expect(held).toHaveLength(lookupsMax));
    const elsewhere = send(aKeyText('elsewhere'), '2.2.2.2');
    await eventually(() => expect(held).toHaveLength(lookupsMax + 1));

    identity.state.behave = identity.defaultBehavior;
    for (const respond of held.reverse()) respond();
    expect([await valid, await elsewhere]).toEqual([200, 200]);
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([429]));
    await stop();
  });
});
