import { bannerOf, type BannerFacts } from './banner.js';
import { readSettings } from './config.js';

function facts(environment: Readonly<Record<string, string>> = {}): BannerFacts {
  return {
    baseUrl: 'http://127.0.0.1:8080/api/v1',
    databaseUrl: 'postgres://postgres:hidden@127.0.0.1:5432/holdfast',
    amqpUrl: undefined,
    serviceUrls: { orders: 'http://127.0.0.1:8083' },
    sandboxUrl: 'http://127.0.0.1:8090',
    origin: 'http://127.0.0.1:8080',
    metrics: [
      { process: 'gateway', url: 'http://127.0.0.1:9080' },
      { process: 'identity', url: 'http://127.0.0.1:9081' },
    ],
    demo: { buyerId: 'usr_1', sellerId: 'usr_2' },
    consoleUrl: 'http://127.0.0.1:8080/console#code=once',
    kept: ['the database'],
    rateLimit: { rateLimitMax: 1_000, rateLimitWindowSeconds: 60 },
    folder: '/data',
    restored: undefined,
    config: readSettings(environment, []),
    secrets: {
      masterKey: environment['MASTER_KEY'] ?? 'hk_master_made',
      internalSecret: 'hidden',
      walletMasterKey: 'hidden',
      treasurySeed: 'hidden',
      platformSeed: 'hidden',
      escrowWebhookSecret: 'hidden',
      paymentWebhookSecret: 'hidden',
    },
  };
}

const everySecret = {
  MASTER_KEY: 'given-key',
  INTERNAL_SECRET: 'given-secret',
  WALLET_MASTER_KEY: 'given-wallet-key',
  TREASURY_SEED: 'given-treasury',
  PLATFORM_SEED: 'given-platform',
  ESCROW_WEBHOOK_SECRET: 'given-webhook',
  PAYMENT_WEBHOOK_SECRET: 'given-payment-webhook',
};

describe('the banner', () => {
  it('prints every address and the generated key, and hides every other secret', () => {
    const banner = bannerOf(facts());
    expect(banner).toContain('http://127.0.0.1:8080/api/v1\n');
    expect(banner).toContain('Bearer hk_master_made"');
    expect(banner).toContain('holds the database, the key, the internal secret, the keys of all wallets');
    expect(banner).not.toContain('hidden');
  });

  it('prints $MASTER_KEY instead of a key from the environment', () => {
    const banner = bannerOf({ ...facts(everySecret), kept: [] });
    expect(banner).not.toContain('given-');
    expect(banner).toContain('Bearer $MASTER_KEY"');
    expect(banner).not.toContain('holds');
  });

  it('says what the rate limit is, and how to see the key again', () => {
    expect(bannerOf(facts())).toContain('1,000 requests in 60 s per key or address (RATE_LIMIT_MAX)');
    expect(bannerOf(facts())).toContain('"npm run key" shows it again');
    const rateLimit = { rateLimitMax: 0, rateLimitWindowSeconds: 60 };
    expect(bannerOf({ ...facts(everySecret), rateLimit })).toContain('none (RATE_LIMIT_MAX is 0)');
    expect(bannerOf(facts(everySecret))).not.toContain('npm run key');
  });

  it('prints the address of the console, with how it signs in', () => {
    expect(bannerOf(facts())).toMatch(/^ +Console +http:\S+\/console#code=once\n +signs you in: once/m);
    expect(bannerOf({ ...facts(), consoleUrl: 'http://127.0.0.1:8080/console' })).toMatch(
      /\/console\n +sign in with an API key$/m,
    );
    expect(bannerOf({ ...facts(), consoleUrl: undefined })).not.toMatch(/console/i);
  });

  it('lists the metrics address of each process', () => {
    expect(bannerOf(facts())).toMatch(
      /Metrics +http:\/\/127\.0\.0\.1:9080\/metrics of gateway\n +http:\/\/127\.0\.0\.1:9081\/metrics of identity\n/,
    );
  });

  it('says that payouts are stopped after a restore, and ends with the command that accepts it', () => {
    const restored = { backupCreatedAt: '2026-01-31T02:30:00.000000Z', restoredAt: '2026-01-31T12:00:00.000000Z' };
    const banner = bannerOf({ ...facts(), restored });
    expect(banner).toMatch(/^ +Payouts +STOPPED after a restore/m);
    expect(banner).toMatch(
      /Payouts are stopped: .* the backup of 2026-01-31[^]*\n {2}npm run restore -- --accept --by <name>\n$/,
    );
    expect(bannerOf(facts())).not.toMatch(/payouts|restore/i);
  });

  it('names a message broker without its login', () => {
    expect(bannerOf({ ...facts(), amqpUrl: 'amqp://user:hidden@queue:5672' })).toContain('RabbitMQ at queue:5672');
  });
});
