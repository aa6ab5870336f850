import { z } from 'zod';
import { currency } from '../shapes/index.js';

/**
 * What counters need of the payloads in the event log. Events of the history are older than the contracts of today, so nothing else of a
 * payload is required.
 */
export const movedMoney = z.object({ amount: z.string(), currency });

export const ofOrder = z.object({ orderId: z.string(), amount: z.string().optional() });
