import type { Command } from 'commander';
import type { Context } from '../context.js';
import { addEmergency } from './emergency.js';
import { addParked } from './parked.js';
import { addSagas } from './sagas.js';
import { addVerify } from './verify.js';

/** The commands that work beside an installation: they need its data folder, or DATABASE_URL and INTERNAL_SECRET. */
export function addOperatorCommands(program: Command, context: Context): void {
  addSagas(program, context);
  addParked(program, context);
  addVerify(program, context);
  addEmergency(program);
}
