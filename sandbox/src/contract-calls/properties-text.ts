import { z } from 'zod';
import { escrowTypes, type EscrowProperties } from '../domain/escrow.js';

const units = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform((digits) => BigInt(digits));

const schema = z.strictObject({
  type: z.enum(escrowTypes),
  engagementId: z.string(),
  title: z.string(),
  description: z.string(),
  roles: z.strictObject({
    approver: z.string(),
    serviceProvider: z.string(),
    platformAddress: z.string(),
    releaseSigner: z.string(),
    disputeResolver: z.string(),
    receiver: z.string().optional(),
  }),
  units,
  platformFeeBasisPoints: units,
  milestones: z.array(z.strictObject({ description: z.string(), units: units.optional(), receiver: z.string().optional() })),
  asset: z.string(),
});

/** The properties are one string argument in the envelope, so that the envelope contains the whole deployment. */
export function formatProperties(properties: EscrowProperties): string {
  return JSON.stringify({
    ...properties,
    units: properties.units.toString(),
    platformFeeBasisPoints: properties.platformFeeBasisPoints.toString(),
    milestones: properties.milestones.map(({ description, units: part, receiver }) => ({
      description,
      units: part?.toString(),
      receiver,
    })),
  });
}

/** Undefined for a text that `formatProperties` could not have written. */
export function parseProperties(text: string): EscrowProperties | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
