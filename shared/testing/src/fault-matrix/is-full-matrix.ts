import { processEnvironment } from '@holdfast/process/config';

/** `npm run faults` runs every pair of fault and step; every other run takes some pairs, so that each fault and each step occurs. */
export const isFullMatrix = processEnvironment()['HOLDFAST_FAULTS'] === 'all';
