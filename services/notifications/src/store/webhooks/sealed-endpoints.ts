import type { Instant } from '@holdfast/kernel/context';
import type { Sealing } from '@holdfast/kernel/secrets';
import { signingSecrets, type WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.js';
import type { EndpointRow } from './schema.js';

/** Purpose from which the key of the secrets is derived. */
export const webhookSecretPurpose = 'notifications webhook secrets';

type SecretRow = Pick<EndpointRow, 'id' | 'secret' | 'previousSecret' | 'previousValidUntil'>;

/** Rows have the secrets encrypted, each bound to its endpoint. */
export type SealedEndpoints = {
  readonly toRow: (endpoint: WebhookEndpoint) => EndpointRow;
  readonly toEndpoint: (row: EndpointRow) => WebhookEndpoint;
  /** The secrets that sign an attempt at this time. */
  readonly secretsOf: (row: SecretRow, at: Instant) => readonly string[];
};

export function sealedEndpoints({ seal, open }: Sealing): SealedEndpoints {
  const opened = (sealed: Buffer, id: string): string => open(sealed, id).toString();
  const previousOf = ({ id, previousSecret, previousValidUntil }: SecretRow): WebhookEndpoint['previous'] =>
    previousSecret === null || previousValidUntil === null
      ? null
      : { secret: opened(previousSecret, id), validUntil: previousValidUntil };
  return {
    toRow: ({ previous, secret, version, ...rest }) => ({
      ...rest,
      version: BigInt(version),
      secret: seal(Buffer.from(secret), rest.id),
      previousSecret: previous === null ? null : seal(Buffer.from(previous.secret), rest.id),
      previousValidUntil: previous?.validUntil ?? null,
    }),
    toEndpoint: (row) => {
      const { previousSecret, previousValidUntil, secret, version, ...rest } = row;
      return { ...rest, version: Number(version), secret: opened(secret, row.id), previous: previousOf(row) };
    },
    secretsOf: (row, at) => signingSecrets({ secret: opened(row.secret, row.id), previous: previousOf(row) }, at),
  };
}
